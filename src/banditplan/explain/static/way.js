"use strict";

/** The plan as a list, from the initial state to the goal: every step with the state to which it leads. */
class PlanView {
  constructor(container, search, go) {
    const { plan } = search;
    this.buttons = new Map(); // by node
    const list = element("ol", { class: "plan-steps", tabindex: 0, "aria-label": "steps of the plan" });
    const item = (number, name, id, what) => {
      const node = search.nodeById.get(id);
      const value = what ?? (node ? `h ${whole(node.h)}` : "not shown");
      const button = element("button", { onclick: () => go(id), disabled: !node }, element("span", {}, number), element("b", {}, name), element("span", {}, value));
      if (node) this.buttons.set(node, button);
      list.append(element("li", {}, button));
    };
    item("", "initial state", plan.nodes[0] ?? 0);
    plan.numbers.forEach((number, i) => {
      const next = plan.numbers[i + 1];
      item(`${whole(number + 1)}.`, search.name(plan.actions[i]), next === number + 1 ? plan.nodes[i + 1] : undefined, number + 1 === plan.length ? "goal" : undefined);
      if (next > number + 1) list.append(element("li", { class: "gap" }, `… ${count(next - number - 1, "more step")}`));
    });
    container.append(card("The plan", element("p", { class: "soft" }, `${count(plan.length, "step")}, cost ${whole(plan.cost)}. A click shows the state after the step in the tree.`), list));
    this.list = list;
  }

  /** Mark the step that leads to a node, if one does. */
  mark(node) {
    for (const [at, button] of this.buttons) button.toggleAttribute("aria-current", at === node);
    const { list } = this;
    const button = this.buttons.get(node);
    if (button && (button.offsetTop < list.scrollTop || button.offsetTop + button.offsetHeight > list.scrollTop + list.clientHeight))
      list.scrollTop = button.offsetTop - list.clientHeight / 2;
  }
}
