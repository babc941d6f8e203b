"use strict";

const BOX = { height: 30, gap: 10, space: 34, top: 26 };

/** The plan as a partial order: a column is a round, a row a lane; what is in one column may run at the same time. */
class Lanes {
  constructor(container, plan, choose) {
    this.plan = plan;
    const taken = plan.steps.filter((step) => step.round !== undefined);
    const widths = d3.rollups(taken, (steps) => d3.max(steps, (step) => textWidth(step.name, "12px", MONO)) + 40, (step) => step.round);
    const left = [];
    let right = 8;
    for (const [round, width] of widths.sort((a, b) => a[0] - b[0])) {
      left[round] = right;
      right += width + BOX.space;
    }
    this.taken = taken;
    const lanes = (d3.max(taken, (step) => step.lane) ?? 0) + 1;
    const height = BOX.top + lanes * (BOX.height + BOX.gap) + 4;
    this.at = (step) => ({ x: left[step.round], y: BOX.top + step.lane * (BOX.height + BOX.gap), width: textWidth(step.name, "12px", MONO) + 34 });
    this.scroll = element("div", { class: "lanes", tabindex: 0, role: "region", "aria-label": "the plan in rounds; scroll sideways" });
    const svg = d3.select(this.scroll).append("svg").attr("width", right).attr("height", height);
    svg.append("g").selectAll("text").data(widths).join("text").attr("class", "soft").attr("x", ([round]) => left[round]).attr("y", 14).text(([round]) => `round ${whole(round + 1)}`);
    this.links = svg.append("g").attr("aria-hidden", "true");
    this.links.selectAll("path").data(taken.flatMap((step) => step.before.map((number) => ({ from: plan.steps[number], to: step })))).join("path")
      .attr("d", (link) => this.curve(link.from, link.to));
    this.boxes = svg.append("g").selectAll("g").data(taken).join("g").attr("class", "box").attr("role", "button").attr("tabindex", 0)
      .attr("aria-label", (step) => `step ${step.number + 1}, ${step.name}`)
      .attr("transform", (step) => `translate(${this.at(step).x},${this.at(step).y})`)
      .on("click", (_, step) => choose(step.number))
      .on("keydown", (event, step) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(step.number); } });
    this.boxes.append("rect").attr("width", (step) => this.at(step).width).attr("height", BOX.height).attr("rx", 6);
    this.boxes.append("text").attr("class", "number").attr("x", 7).attr("y", 19).text((step) => step.number + 1);
    this.boxes.append("text").attr("class", "name").attr("x", 30).attr("y", 19).text((step) => step.name);
    this.boxes.append("title").text((step) => `${step.number + 1}. ${step.name}: ${step.why}`);
    container.append(this.scroll);
  }

  curve(from, to) {
    const [a, b] = [this.at(from), this.at(to)];
    const [x0, y0, x1, y1] = [a.x + a.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
    const bend = Math.max((x1 - x0) / 2, 14);
    const over = from.lane === to.lane && to.round > from.round + 1 ? 30 : 0; // not behind what is between them
    return `M${x0},${y0}C${x0 + bend},${y0 - over} ${x1 - bend},${y1 - over} ${x1},${y1}`;
  }

  /** Mark a step, where what it needs comes from, and who needs what it gives. */
  mark(number) {
    const { plan } = this;
    const step = plan.steps[number];
    const causes = new Set(step.needs?.flatMap(([, sources]) => sources));
    const users = new Set(plan.users[number]?.map((user) => user.step).filter((user) => user !== null));
    this.boxes.attr("class", (one) => ["box", one === step && "chosen", causes.has(one.number) && "cause", users.has(one.number) && "user", !one.useful && "idle"].filter(Boolean).join(" "));
    this.boxes.attr("aria-current", (one) => (one === step ? "true" : null));
    this.links.selectAll(".causal").remove();
    const arcs = [...[...causes].map((from) => ["cause", plan.steps[from], step]), ...[...users].map((to) => ["user", step, plan.steps[to]])];
    this.links.selectAll(".causal").data(arcs.filter(([, from, to]) => from && to)).join("path").attr("class", ([kind]) => `causal ${kind}`).attr("d", ([, from, to]) => this.curve(from, to));
    if (step.round === undefined) return;
    const { x, width } = this.at(step);
    const { scrollLeft, clientWidth } = this.scroll;
    if (x < scrollLeft || x + width > scrollLeft + clientWidth) this.scroll.scrollLeft = x - clientWidth / 3;
  }
}
