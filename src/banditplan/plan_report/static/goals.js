"use strict";

/** When each part of the goal holds: a bar per part, from step to step. */
function goalsOverTime(container, plan, choose) {
  const box = element("div", { class: "scroll-y", tabindex: 0, role: "region", "aria-label": "goals over time" });
  container.append(box);
  const taken = d3.max(plan.steps, (step) => (step.total === undefined ? 0 : step.number + 1)) ?? 0;
  responsive(box, (width) => {
    const row = 34;
    const x = d3.scaleLinear([0, Math.max(taken, 1)], [4, width - 8]);
    box.replaceChildren();
    const svg = d3.select(box).append("svg").attr("width", width).attr("height", plan.goals.length * row + 24).attr("role", "img");
    svg.attr("aria-label", plan.goals.map((goal) => `${goal.text} ${goal.holds ? "holds in the end" : "does not hold in the end"}`).join("; "));
    plan.goals.forEach((goal, i) => {
      const y = i * row;
      svg.append("text").attr("x", 4).attr("y", y + 13).attr("class", goal.holds ? "" : "failure").text(goal.holds ? goal.text : `${goal.text}: not reached`);
      svg.append("rect").attr("class", "track").attr("x", x(0)).attr("width", x(taken) - x(0)).attr("y", y + 18).attr("height", 9).attr("rx", 3);
      for (let k = 0; k < goal.changes.length; k += 2) {
        const [from, to] = [goal.changes[k], goal.changes[k + 1] ?? taken];
        svg.append("rect").attr("class", "held").attr("x", x(from)).attr("width", Math.max(x(to) - x(from), 3)).attr("y", y + 18).attr("height", 9).attr("rx", 3)
          .on("click", () => from > 0 && choose(from - 1))
          .append("title").text(`${goal.text} ${from ? `from step ${from}, ${plan.steps[from - 1]?.name}` : "from the start"}${goal.changes[k + 1] === undefined ? "" : `, until step ${to}`}`);
      }
    });
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${plan.goals.length * row})`).call(d3.axisBottom(x).ticks(Math.max(Math.floor(width / 90), 3), ",d").tickSizeOuter(0));
  });
  if (plan.allGoals > plan.goals.length) container.append(element("p", { class: "soft" }, `… ${whole(plan.allGoals - plan.goals.length)} more parts of the goal.`));
}

/** How many goals hold, and what has been spent, after each step. */
function goalCurve(container, plan) {
  const times = d3.range(plan.steps.filter((step) => step.total !== undefined).length + 1);
  const held = (time) => plan.goals.filter((goal) => goal.changes.filter((change) => change <= time).length % 2 === 1).length;
  lines(container, { series: [{ name: "goals that hold", color: "var(--plan)", points: times.map((time) => [time, held(time)]) }], step: true, height: 190, xLabel: "steps", yLabel: "goals that hold", label: `Goals over time, ${plan.goals.length} in all` });
}

function costCurve(container, plan) {
  const points = [[0, 0], ...plan.steps.filter((step) => step.total !== undefined).map((step) => [step.number + 1, step.total])];
  lines(container, { series: [{ name: "cost", color: "var(--accent)", points }], step: true, height: 190, xLabel: "steps", yLabel: "cost so far", label: `Cost over time, ${plan.cost} in all` });
}
