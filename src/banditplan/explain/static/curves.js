"use strict";

/** Best h over evaluations, of one search or of several. */
function bestH(container, searches, colors) {
  const series = searches.map((search, i) => {
    const points = search.stepRows.filter((step) => step.best_h !== null).map((step) => [step.evaluations, step.best_h]);
    if (search.initialH !== null) points.unshift([0, search.initialH]);
    return { name: search.algorithm, color: colors[i], points };
  });
  lines(container, { series, step: true, xLabel: "evaluations", yLabel: "best h so far", label: bestLabel(searches) });
}

function bestLabel(searches) {
  return searches.map((search) => `${search.algorithm}: best h from ${shown(search.initialH)} to ${shown(search.total.best_h)} in ${whole(search.total.evaluations)} evaluations`).join("; ");
}

/** Dead ends, duplicates and plateaus as shares of what could have been one; some are known of sampled rounds only. */
const SHARES = [
  { name: "dead ends among evaluations", color: "var(--chosen)", of: (step) => [step.dead_ends, step.evaluations] },
  { name: "duplicates among successors", color: "var(--accent)", of: (step) => [step.duplicates, step.inserted + step.duplicates - 1] },
  { name: "plateaus among expansions", color: "var(--plan)", of: (step) => [step.plateaus, step.expansions], sampled: true },
];

function shares(container, search) {
  const series = SHARES.map(({ name, color, of }) => ({
    name: search.last ? `${name}: ${percent(...of(search.last))}` : name,
    color,
    points: search.stepRows.map((step) => [step.evaluations, ratio(...of(step))]),
  }));
  lines(container, { series, yMost: 1, yFormat: ".0%", xLabel: "evaluations", yLabel: "share so far", label: series.map((one) => one.name).join("; ") });
}

function ratio(part, all) {
  return all > 0 ? Math.min(part / all, 1) : 0;
}

/** How deep the selected leaves were, in time: a cell is as dark as many of the sampled rounds went there. */
function depthProfile(container, search) {
  const steps = search.stepRows;
  if (steps.length === 0) {
    container.append(element("p", { class: "soft" }, "The trace has no rounds."));
    return;
  }
  const box = element("div");
  container.append(box);
  const deepest = d3.max(steps, (step) => step.depth);
  const label = `Depth of the selected leaves over evaluations; the deepest is ${deepest}, their mean ${shown(d3.mean(steps, (step) => step.depth))}`;
  responsive(box, (width) => {
    const x = d3.scaleLinear([0, Math.max(search.last.evaluations, 1)], []);
    const y = d3.scaleLinear([0, deepest + 1], []);
    const { svg, plot } = frame(box, { width, height: 230, x, y, xLabel: "evaluations", yLabel: "depth of the leaf", label });
    const cells = heat(steps, Math.max(Math.min(Math.floor(width / 12), 60), 8), Math.min(deepest + 1, 30), x.domain()[1], deepest + 1);
    const most = d3.max(cells, (cell) => cell.count);
    const color = (cell) => `color-mix(in oklab, var(--heat-low), var(--heat-high) ${Math.round(20 + (80 * cell.count) / most)}%)`;
    plot.selectAll("rect").data(cells).join("rect")
      .attr("x", (cell) => x(cell.x0)).attr("width", (cell) => Math.max(x(cell.x1) - x(cell.x0) - 0.5, 1))
      .attr("y", (cell) => y(cell.y1)).attr("height", (cell) => Math.max(y(cell.y0) - y(cell.y1) - 0.5, 1))
      .style("fill", color);
    svg.on("pointermove", (event) => {
      const [px, py] = d3.pointer(event);
      const cell = cells.find((one) => px >= x(one.x0) && px < x(one.x1) && py >= y(one.y1) && py < y(one.y0));
      if (!cell) return tip.hide();
      const depths = cell.y1 - cell.y0 > 1 ? `depth ${Math.ceil(cell.y0)} to ${Math.ceil(cell.y1) - 1}` : `depth ${Math.floor(cell.y0)}`;
      tip.show(event, `${depths}\n${count(cell.count, "sampled round")}\n${whole(Math.round(cell.x0))} to ${whole(Math.round(cell.x1))} evaluations`);
    }).on("pointerleave", tip.hide);
  });
}

function heat(steps, columns, bands, xMost, yMost) {
  const cells = new Map();
  for (const step of steps) {
    const i = Math.min(Math.floor((step.evaluations / xMost) * columns), columns - 1);
    const j = Math.min(Math.floor((step.depth / yMost) * bands), bands - 1);
    const id = i * bands + j;
    const cell = cells.get(id) ?? { count: 0, x0: (i * xMost) / columns, x1: ((i + 1) * xMost) / columns, y0: (j * yMost) / bands, y1: ((j + 1) * yMost) / bands };
    cell.count += 1;
    cells.set(id, cell);
  }
  return [...cells.values()];
}

/** h along the plan: where it stays or rises, the heuristic was no help. */
function planCurve(container, search) {
  const points = search.plan.numbers.map((number, i) => [number, search.nodeById.get(search.plan.nodes[i])?.h]).filter((point) => point[1] !== undefined);
  const series = [{ name: "h", color: "var(--plan)", points }];
  lines(container, { series, height: 180, xLabel: "steps of the plan", yLabel: "h of the state", label: `h along the plan of ${search.plan.length} steps` });
}
