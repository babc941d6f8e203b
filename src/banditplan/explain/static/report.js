"use strict";

/** Tree and arms of a search, which follow each other. */
function explorer(search) {
  const box = element("div", { class: "explorer" });
  if (!search.root) {
    box.append(card("The tree", element("p", {}, "The trace has no nodes, so there is no tree to show.")));
    return { box, start() {}, reveal() {} };
  }
  const [left, right] = [element("div"), element("div")];
  box.append(left, right);
  let tree = null;
  return {
    box,
    /** To be called when the box is part of the page: pictures need to know their widths. */
    start() {
      const arms = new ArmsView(right, search, (id) => tree.reveal(id));
      tree = new TreeView(left, search, (node) => arms.show(node));
      arms.show(search.firstChoice);
    },
    reveal: (id) => tree.reveal(id),
  };
}

/** The report of one search. */
function report(search) {
  document.getElementById("head").append(
    element("h1", {}, `${search.algorithm} on ${search.task.problem}`),
    element("p", { class: "soft" }, `${search.task.domain}, seed ${search.seed}: ${search.search}`),
    tiles(search));
  const main = document.getElementById("main");
  const exploring = explorer(search);
  main.append(exploring.box);
  exploring.start();
  const charts = element("div", { class: "pair" });
  main.append(charts);
  chart(charts, "Best h over evaluations", "", (box) => bestH(box, [search], ["var(--accent)"]));
  chart(charts, "Depth profile over time", "The darker, the more of the sampled rounds selected a leaf there.", (box) => depthProfile(box, search));
  chart(charts, "Dead ends, duplicates, plateaus", "A plateau: the best child of an expanded leaf has the leaf’s own h.", (box) => shares(box, search));
  chart(charts, "First actions", firstWords(search), (box) => firstActions(box, [search], ["var(--accent)"]));
  if (search.plan.length > 0) main.append(planCard(search, exploring));
  main.append(notesCard([search]));
}

function chart(parent, title, text, draw) {
  const made = card(title, text ? element("p", { class: "soft" }, text) : null);
  parent.append(made);
  draw(made);
}

function tiles(search) {
  const last = search.last ?? {};
  const facts = [
    ["outcome", search.status, search.plan.length ? count(search.plan.length, "step") : ""],
    ["best h", shown(last.best_h), `from ${shown(search.initialH)}`],
    ["evaluations", whole(last.evaluations ?? 0), ""],
    ["nodes", whole(last.nodes ?? 0), `${whole(last.leaves ?? 0)} leaves`],
    ["locked", percent(last.locked, last.nodes), `${whole(last.locked ?? 0)} nodes`],
    ...SHARES.map(({ name, of }) => share(name, search.last ? of(search.last) : [0, 0])),
  ];
  return element("dl", { class: "tiles" }, ...facts.map(([name, value, more]) =>
    element("div", { class: "tile" }, element("dt", {}, name), element("dd", {}, value, more ? element("small", {}, more) : null))));
}

function share(name, [part, all]) {
  const [what, among] = name.split(" among ");
  return [what, percent(part, all), `${whole(part)} of ${whole(all)} ${among}`];
}

function firstWords(search) {
  return `Evaluations by the first action on the way, from ${count(search.rounds.round.length, "sampled round")}; in the end, the leaves under it.`;
}

/** The plan: h along it, and its steps, each of which leads to its node in the tree. */
function planCard(search, exploring) {
  const { plan } = search;
  const box = element("div");
  const list = element("ol", { class: "plan-steps", tabindex: 0, "aria-label": "steps of the plan" });
  plan.numbers.forEach((number, i) => {
    if (i > 0 && number > plan.numbers[i - 1] + 1) list.append(element("li", { class: "gap" }, `… ${count(number - plan.numbers[i - 1] - 1, "more step")}`));
    const node = search.nodeById.get(plan.nodes[i]);
    const go = () => (exploring.reveal(node.id), exploring.box.scrollIntoView({ block: "start" }));
    const values = node ? `h ${node.h}, n ${whole(node.count)}` : "not shown in the tree";
    list.append(element("li", {}, element("button", { onclick: go, disabled: !node }, element("span", {}, `${whole(number + 1)}.`), search.name(plan.actions[i]), element("span", {}, values))));
  });
  const made = card("Where the plan runs", element("p", { class: "soft" }, "Each step with the state it starts from; a click shows that state in the tree."), box, list);
  requestAnimationFrame(() => planCurve(box, search));
  return made;
}

function notesCard(searches) {
  const lists = searches.flatMap((search) => [
    searches.length > 1 ? element("h3", {}, search.algorithm) : null,
    element("ul", { class: "notes" }, ...search.notes.map((note) => element("li", {}, note))),
  ]);
  return card("What is not shown", ...lists);
}
