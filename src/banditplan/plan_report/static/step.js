"use strict";

/** One step: why it is there, what it needs and from whom, what it gives and to whom. */
class StepView {
  constructor(container, plan, choose) {
    this.plan = plan;
    this.choose = choose;
    this.box = element("section", { class: "card step", "aria-live": "polite" });
    container.append(this.box);
  }

  show(number) {
    const { plan } = this;
    const step = plan.steps[number];
    const users = plan.users[number] ?? [];
    const walk = (text, to) => element("button", { disabled: to < 0 || to >= plan.steps.length, onclick: () => this.choose(to) }, text);
    const parts = [
      element("div", { class: "bar" }, element("h2", {}, `${whole(number + 1)}. ${step.name}`), walk("‹ Previous", number - 1), walk("Next ›", number + 1)),
      element("p", { class: number === plan.failing ? "failure" : "" }, step.why),
    ];
    if (step.needs) {
      const causes = step.needs.filter(([, sources, ofEffect]) => !ofEffect).map(([text, sources]) => this.row(text, sources, "from the start"));
      const effects = step.needs.filter(([, , ofEffect]) => ofEffect).map(([text, sources]) => this.row(text, sources, "from the start"));
      parts.push(this.list("It needs", causes, "Nothing that ever changes."));
      if (effects.length) parts.push(this.list("What it does rests on", effects, ""));
      parts.push(this.list("It makes true", step.gives.map((text) => this.given(text, users)), "Nothing that was not true before."));
      if (step.takes.length) parts.push(this.list("It makes false", step.takes.map((text) => this.given(text, users, true)), ""));
      const soft = [`Cost ${whole(step.cost)}, ${whole(step.total)} so far; round ${whole(step.round + 1)} of ${whole(plan.rounds)} if all that can runs at the same time.`];
      if (!step.useful && plan.valid) soft.push("The plan reaches its goals without it.");
      parts.push(element("p", { class: "soft" }, soft.join(" ")));
    }
    this.box.replaceChildren(...parts);
  }

  list(title, rows, nothing) {
    return element("div", {}, element("h3", {}, title), rows.length ? element("ul", { class: "facts" }, ...rows) : element("p", { class: "soft" }, nothing));
  }

  row(text, steps, otherwise, word = "from") {
    const links = this.links(steps);
    return element("li", {}, element("code", {}, this.plan.texts[text]), " ", element("span", { class: "soft" }, ...(links.length ? [`${word} `, ...links] : [otherwise])));
  }

  /** A change, with those who need it as it is then. */
  given(text, users, gone = false) {
    const name = gone ? `(not ${this.plan.texts[text]})` : this.plan.texts[text];
    const mine = users.filter((user) => user.text === name);
    const goals = mine.filter((user) => user.step === null).map((user) => user.goal);
    const links = this.links(mine.map((user) => user.step).filter((step) => step !== null));
    const parts = [...(goals.length ? [element("b", { class: "goal" }, goals.includes(name) ? "a goal" : `for the goal ${goals[0]}`)] : []), ...(links.length ? ["for ", ...links] : [])];
    return element("li", {}, element("code", {}, this.plan.texts[text]), " ", element("span", { class: "soft" }, ...(parts.length ? parts.flatMap((part, i) => (i === 1 && goals.length ? [", ", part] : [part])) : ["nobody needs it"])));
  }

  links(steps) {
    const shown = steps.slice(0, 6);
    const made = shown.flatMap((number, i) => [i > 0 ? ", " : null, element("button", { class: "link-like", title: this.plan.steps[number]?.name ?? "", onclick: () => this.choose(number) }, `step ${whole(number + 1)}`)]);
    return [...made.filter(Boolean), ...(steps.length > shown.length ? [` and ${whole(steps.length - shown.length)} more`] : [])];
  }
}
