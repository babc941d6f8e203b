"use strict";

const COLORS = ["var(--a)", "var(--b)"];
const MOST_ACTIONS = 12;

/** Two searches side by side: where did each spend its evaluations? */
function comparison(searches) {
  const titled = distinct(searches);
  document.getElementById("head").append(
    element("h1", {}, titled.map((search) => search.algorithm).join(" against ")),
    element("p", { class: "soft" }, tasks(titled)));
  const main = document.getElementById("main");
  main.append(card("In numbers", numbersTable(titled)));
  const proved = titled.filter((search) => search.reasons.length > 0);
  if (proved.length > 0) main.append(reasonsCard(proved));
  const charts = element("div", { class: "pair" });
  main.append(charts);
  chart(charts, "Best h over evaluations", "", (box) => bestH(box, titled, COLORS));
  chart(charts, "Evaluations by depth", "The share of the evaluations that went into expanding leaves of a depth, per level.", (box) => depths(box, titled));
  const first = card("Evaluations by first action", element("p", { class: "soft" }, "The share of the evaluations in sampled rounds whose way began with the action."));
  main.append(first);
  firstActions(first, titled, COLORS);
  const pair = element("div", { class: "pair" });
  main.append(pair);
  for (const search of titled) {
    const exploring = explorer(search);
    pair.append(element("div", {}, element("h2", {}, search.algorithm), exploring.box));
    exploring.start();
  }
  const profiles = element("div", { class: "pair" });
  main.append(profiles);
  for (const search of titled) chart(profiles, `Depth profile: ${search.algorithm}`, "", (box) => depthProfile(box, search));
  for (const search of titled) chart(profiles, `Dead ends, duplicates, plateaus: ${search.algorithm}`, "", (box) => shares(box, search));
  main.append(notesCard(titled));
}

/** Two traces of one algorithm still need two names. */
function distinct(searches) {
  const [a, b] = searches;
  if (a.algorithm !== b.algorithm) return searches;
  const suffix = (search, letter) => (a.search !== b.search || a.seed === b.seed ? letter : `seed ${search.seed}`);
  a.algorithm += ` (${suffix(a, "A")})`;
  b.algorithm += ` (${suffix(b, "B")})`;
  return searches;
}

function tasks(searches) {
  const names = searches.map((search) => `${search.task.domain}, ${search.task.problem}`);
  return names[0] === names[1] ? `Both on ${names[0]}.` : `Of different tasks, as far as the files’ names tell: ${names.join("; ")}.`;
}

function numbersTable(searches) {
  const facts = [
    ["outcome", (search) => search.status],
    ["steps of the plan", (search) => (search.solved ? whole(search.plan.length) : "–")],
    ["cost of the plan", (search) => (search.solved ? planWords(search.plan).replace("cost ", "") : "–")],
    ["best h", (search) => shown(search.total.best_h)],
    ["seed", (search) => String(search.seed)],
    ["evaluations", (search) => whole(search.total.evaluations)],
    ["expansions", (search) => whole(search.total.expansions)],
    ["nodes of the tree", (search) => whole(search.last?.nodes ?? 0)],
    ["mean depth of the selected leaves", (search) => shown(d3.mean(search.stepRows, (step) => step.depth))],
    ["deepest selected leaf", (search) => shown(d3.max(search.stepRows, (step) => step.depth))],
    ...SHARES.map(({ name, of, sampled }) => [name, (search) => (search.last ? percent(...of(sampled ? search.last : search.total)) : "–")]),
  ];
  const head = element("tr", {}, element("th", { class: "text" }, ""), ...searches.map((search) => element("th", { scope: "col" }, search.algorithm)));
  const body = facts.map(([name, value]) => element("tr", {}, element("th", { class: "text", scope: "row" }, name), ...searches.map((search) => element("td", {}, value(search)))));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "the searches in numbers" }, element("table", { class: "facts" }, element("thead", {}, head), element("tbody", {}, ...body)));
}

function depths(container, searches) {
  const series = searches.map((search, i) => {
    const { width, evaluations } = search.depths;
    const all = Math.max(d3.sum(evaluations), 1);
    const points = evaluations.map((spent, band) => [band * width, spent / all / width]);
    if (points.length > 0) points.push([evaluations.length * width, 0]);
    return { name: search.algorithm, color: COLORS[i], points };
  });
  const most = d3.max(series.flatMap((one) => one.points), (point) => point[1]) || 1;
  lines(container, { series, step: true, yMost: most * 1.05, yFormat: ".1%", xLabel: "depth", yLabel: "share per level", label: "Share of the evaluations by depth" });
}

/** Bars for first actions, of one search or of several; those with the most first. */
function firstActions(container, searches, colors) {
  const totals = searches.map((search) => d3.sum(search.first, (share) => share.evaluations));
  const byName = new Map();
  searches.forEach((search, i) => search.first.forEach((share) => {
    const name = search.name(share.action);
    const row = byName.get(name) ?? { name, shares: searches.map(() => null) };
    row.shares[i] = { part: totals[i] > 0 ? share.evaluations / totals[i] : 0, ...share };
    byName.set(name, row);
  }));
  const all = [...byName.values()].sort((a, b) => d3.max(b.shares, (one) => one?.part ?? 0) - d3.max(a.shares, (one) => one?.part ?? 0));
  if (all.length === 0) {
    container.append(element("p", { class: "soft" }, "The trace has no first actions."));
    return;
  }
  const box = element("div");
  container.append(box);
  if (searches.length > 1) container.append(key(searches.map((search, i) => ({ name: search.algorithm, color: colors[i] }))));
  if (all.length > MOST_ACTIONS) container.append(element("p", { class: "soft" }, `… ${count(all.length - MOST_ACTIONS, "more action")} with smaller shares.`));
  responsive(box, (width) => bars(box, width, all.slice(0, MOST_ACTIONS), colors));
}

function bars(box, width, rows, colors) {
  box.replaceChildren();
  const [thick, gap] = [13, 26];
  const row = gap + thick * colors.length;
  const x = d3.scaleLinear([0, Math.max(d3.max(rows, (one) => d3.max(one.shares, (share) => share?.part ?? 0)), 1e-9)], [0, width - 190]);
  const svg = d3.select(box).append("svg").attr("width", width).attr("height", row * rows.length + 4).attr("role", "img");
  svg.attr("aria-label", rows.map((one) => `${one.name}: ${one.shares.map(shareText).join(" and ")}`).join("; "));
  rows.forEach((one, i) => {
    svg.append("text").attr("x", 0).attr("y", i * row + 14).text(cut(one.name, Math.floor(width / 7.5))).append("title").text(one.name);
    one.shares.forEach((share, j) => {
      const y = i * row + 19 + j * thick;
      const length = Math.max(x(share?.part ?? 0), share ? 1 : 0);
      svg.append("rect").attr("x", 0).attr("y", y).attr("height", thick - 1).attr("width", length).attr("rx", 2).style("fill", colors[j]);
      svg.append("text").attr("class", "soft").attr("x", length + 6).attr("y", y + thick - 2).text(shareText(share));
    });
  });
}

function shareText(share) {
  if (!share) return "not in the trace";
  return share.leaves === null ? percent(share.part, 1) : `${percent(share.part, 1)}, ${count(share.leaves, "leaf", "leaves")}`;
}
