"use strict";

/** The data with what follows from them: numbers of steps, and who needs what a step gives. */
function readPlan(data) {
  const plan = { ...data, users: data.steps.map(() => []) };
  plan.steps.forEach((step, number) => (step.number = number));
  const note = (needs, user) => needs.forEach(([text, sources]) => sources.forEach((source) => plan.users[source]?.push({ ...user, text: data.texts[text] })));
  plan.steps.forEach((step) => note(step.needs ?? [], { step: step.number }));
  plan.goals.forEach((goal) => note(goal.needs, { step: null, goal: goal.text }));
  return plan;
}

function planTiles(plan) {
  const held = plan.goals.filter((goal) => goal.holds).length;
  const idle = plan.steps.filter((step) => step.useful === false).length;
  const facts = [
    ["the plan is", plan.valid ? "valid" : "not valid", ""],
    ["steps", whole(plan.length), plan.valid && idle ? `${whole(idle)} of them lead to no goal` : ""],
    ["rounds", whole(plan.rounds), "if what can runs at the same time"],
    ["cost", whole(plan.cost), plan.valid ? (plan.unitCost ? "the number of steps" : "") : "up to the failure"],
    ["goals", `${whole(held)} of ${whole(plan.allGoals)}`, "hold in the end"],
  ];
  return element("dl", { class: "tiles" }, ...facts.map(([name, value, more]) =>
    element("div", { class: `tile ${value === "not valid" ? "failed" : ""}` }, element("dt", {}, name), element("dd", {}, value, more ? element("small", {}, more) : null))));
}

/** All steps, in the order of the plan. */
class StepList {
  constructor(container, plan, choose) {
    this.list = element("ol", { class: "plan-steps", tabindex: 0, "aria-label": "steps of the plan" });
    this.buttons = plan.steps.map((step) => element("button", { class: [step.useful === false && "idle", step.number === plan.failing && "failed", step.total === undefined && step.number !== plan.failing && "unreached"].filter(Boolean).join(" "), onclick: () => choose(step.number) },
      element("span", {}, `${whole(step.number + 1)}.`), element("b", {}, step.name, element("small", {}, step.why)), element("span", {}, step.cost === undefined ? "" : whole(step.cost))));
    this.list.append(...this.buttons.map((button) => element("li", {}, button)));
    if (plan.length > plan.steps.length) this.list.append(element("li", { class: "gap" }, `… ${count(plan.length - plan.steps.length, "more step")}`));
    container.append(card("Steps, and why they are there", element("p", { class: "soft" }, "A click shows what a step needs and gives; at the right, its cost."), this.list));
  }

  mark(number) {
    this.buttons.forEach((button, i) => button.toggleAttribute("aria-current", i === number));
    const [button, { list }] = [this.buttons[number], this];
    if (button.offsetTop < list.scrollTop || button.offsetTop + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = button.offsetTop - list.clientHeight / 3;
  }
}

const plan = readPlan(JSON.parse(document.getElementById("data").textContent));
document.getElementById("made").textContent = "Made by banditplan from the domain, the problem and the plan.";
document.getElementById("head").append(
  element("h1", {}, `A plan for ${plan.problem}`),
  element("p", { class: "soft" }, `Domain ${plan.domain}.`),
  planTiles(plan),
  ...(plan.failure.length ? [element("div", { class: "card failure", role: "alert" }, ...plan.failure.map((text) => element("p", {}, text)))] : []));
const main = document.getElementById("main");
if (plan.steps.length > 0) {
  const views = [];
  const choose = (number) => views.forEach((view) => (view.show ? view.show(number) : view.mark(number)));
  const pair = element("div", { class: "pair steps" }, element("div"), element("div"));
  if (plan.rounds > 0) {
    const picture = card("What may run at the same time", element("p", { class: "soft" },
      "Every line keeps an order: a step changes what the other one rests on. Steps in one column are independent of each other, and any order that keeps the lines is a plan, too. Orange: what the chosen step needs comes from there; blue: who needs what it gives; dashed: leads to no goal."));
    main.append(picture);
    views.push(new Lanes(picture, plan, choose));
  }
  main.append(pair);
  views.push(new StepList(pair.children[0], plan, choose), new StepView(pair.children[1], plan, choose));
  choose(plan.failing !== null && plan.failing < plan.steps.length ? plan.failing : 0);
  const charts = element("div", { class: "pair" });
  main.append(charts);
  const curves = element("div", { class: "column" });
  const chart = (parent, title, draw) => {
    const made = card(title);
    parent.append(made);
    draw(made);
  };
  chart(charts, "Goals over time", (box) => goalsOverTime(box, plan, choose));
  charts.append(curves);
  chart(curves, "Goals that hold", (box) => goalCurve(box, plan));
  chart(curves, "Cost over time", (box) => costCurve(box, plan));
} else main.append(card("An empty plan", element("p", {}, plan.valid ? "The goal holds at the start: there is nothing to do." : "There are no steps, and the goal does not hold at the start.")));
document.documentElement.dataset.ready = "";
