"use strict";

/** Tree and arms of a search, which follow each other. */
function explorer(search) {
  const box = element("div", { class: "explorer" });
  if (!search.root) {
    box.append(card("The tree", element("p", {}, "The trace has no nodes, so there is no tree to show.")));
    return { box, start() {} };
  }
  const [plan, left, right] = [element("div"), element("div"), element("div")];
  if (search.plan.length > 0) box.append(plan);
  box.classList.toggle("with-plan", search.plan.length > 0);
  box.append(left, right);
  return {
    box,
    /** To be called when the box is part of the page: pictures need to know their widths. */
    start() {
      const arms = new ArmsView(right, search, (id) => tree.reveal(id));
      const way = search.plan.length > 0 ? new PlanView(plan, search, (id) => tree.reveal(id)) : null;
      const tree = new TreeView(left, search, (node) => (arms.show(node), way?.mark(node)));
      arms.show(search.firstChoice);
      way?.mark(search.firstChoice);
    },
  };
}

/** The report of one search. */
function report(search) {
  document.getElementById("head").append(
    element("h1", {}, `${search.algorithm} on ${search.task.problem}`),
    element("p", { class: "soft" }, `${search.task.domain}, seed ${search.seed}: ${search.search}`),
    tiles(search));
  const main = document.getElementById("main");
  if (search.reasons.length > 0) main.append(reasonsCard([search]));
  if (search.status === "unsolvable" && !search.root) return main.append(notesCard([search])); // nothing was searched
  const exploring = explorer(search);
  main.append(exploring.box);
  exploring.start();
  const charts = element("div", { class: "pair" });
  main.append(charts);
  chart(charts, "Best h over evaluations", "", (box) => bestH(box, [search], ["var(--accent)"]));
  chart(charts, "Depth profile over time", "The darker, the more of the sampled rounds selected a leaf there.", (box) => depthProfile(box, search));
  chart(charts, "Dead ends, duplicates, plateaus", "A plateau: the best child of an expanded leaf has the leaf’s own h.", (box) => shares(box, search));
  chart(charts, "First actions", firstWords(search), (box) => firstActions(box, [search], ["var(--accent)"]));
  if (search.plan.length > 0) chart(charts, "h along the plan", "Where it stays or rises, the heuristic was no help.", (box) => planCurve(box, search));
  main.append(notesCard([search]));
}

function chart(parent, title, text, draw) {
  const made = card(title, text ? element("p", { class: "soft" }, text) : null);
  parent.append(made);
  draw(made);
}

function tiles(search) {
  const { last, total } = search;
  const facts = [
    ["outcome", search.status, ""],
    search.solved ? ["plan", count(search.plan.length, "step"), planWords(search.plan)] : null,
    ["best h", shown(total.best_h), `from ${shown(search.initialH)}`],
    ["evaluations", whole(total.evaluations), total.earlier ? `${whole(total.earlier)} in earlier searches` : ""],
    ["expansions", whole(total.expansions), `${whole(total.generated)} successors`],
    last ? ["nodes", whole(last.nodes), `${whole(last.leaves)} leaves, ${percent(last.locked, last.nodes)} locked`] : null,
    ...SHARES.map(({ name, of, sampled }) => share(name, last ? of(sampled ? last : total) : [0, 0])),
  ];
  return element("dl", { class: "tiles" }, ...facts.filter(Boolean).map(([name, value, more]) =>
    element("div", { class: "tile" }, element("dt", {}, name), element("dd", {}, value, more ? element("small", {}, more) : null))));
}

function planWords({ length, cost, told }) {
  const shorter = told.length !== null && told.length !== length ? `; shortened to ${whole(told.length)}, cost ${whole(told.cost)}` : "";
  return `cost ${whole(cost)}${shorter}`;
}

function share(name, [part, all]) {
  const [what, among] = name.split(" among ");
  return [what, percent(part, all), `${whole(part)} of ${whole(all)} ${among}`];
}

function firstWords(search) {
  return `Evaluations by the first action on the way, from ${count(search.rounds.round.length, "sampled round")}; in the end, the leaves under it.`;
}

function notesCard(searches) {
  return card("What is not shown", ...lists(searches, (search) => search.notes));
}

function reasonsCard(searches) {
  return card("Why there is no plan", ...lists(searches, (search) => search.reasons));
}

/** A list for each search, with its name if there are several. */
function lists(searches, lines) {
  return searches.flatMap((search) => [
    searches.length > 1 ? element("h3", {}, search.algorithm) : null,
    element("ul", { class: "notes" }, ...lines(search).map((line) => element("li", {}, line))),
  ]);
}
