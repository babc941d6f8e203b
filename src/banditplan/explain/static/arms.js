"use strict";

const SPREAD = 3.2; // a Gaussian is drawn this many σ to either side

/** The arms of a node at a sampled choice: their distributions, why one was chosen, and their numbers. */
class ArmsView {
  constructor(container, search, open) {
    this.search = search;
    this.open = open; // called with the number of a node to go to
    this.heading = element("h2", { "aria-live": "polite" });
    this.facts = element("p", { class: "soft" });
    this.state = element("div", { class: "state" });
    this.slider = element("input", { type: "range", min: 0, "aria-label": "sampled choices at this node, in time", oninput: () => this.draw() });
    this.moment = element("output");
    this.time = element("label", {}, this.slider, this.moment);
    this.picture = element("div", { class: "arms" });
    this.reasons = element("div", { class: "why", "aria-live": "polite" });
    this.table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "the arms in numbers" });
    this.note = element("p", { class: "soft" });
    this.others = element("div", { class: "others" });
    container.append(element("section", { class: "card" }, this.heading, this.facts, this.state, this.time, this.picture, this.reasons, this.table, this.note, this.others));
    responsive(this.picture, (width) => ((this.width = width), this.arms && this.drawPicture()));
  }

  /** Show a node; its last sampled choice first. */
  show(node) {
    this.node = node;
    this.rows = this.search.choicesAt(node.id);
    this.time.hidden = this.rows.length < 2;
    this.slider.max = Math.max(this.rows.length - 1, 0);
    this.slider.value = this.slider.max;
    const what = this.search.bandit.name ? "Arms" : "Children";
    this.heading.textContent = node.action < 0 ? `${what} of the initial state` : `${what} after ${this.search.name(node.action)}`;
    this.facts.textContent = `In the end: ${details(this.search, node).join(", ")}.`;
    this.state.replaceChildren(...stateOf(this.search, node));
    this.draw();
  }

  draw() {
    const row = this.rows[Number(this.slider.value)];
    if (row) this.drawChoice(this.search.choice(row));
    else this.drawEnd();
    this.drawPicture();
  }

  drawChoice(choice) {
    const { sentences, chosen, runner } = why(this.search, choice);
    this.moment.textContent = `round ${whole(choice.round)}`;
    this.reasons.hidden = false;
    const sums = [chosen, runner].filter(Boolean).map((arm) => [arm, worked(this.search, choice, arm)]).filter(([, text]) => text);
    this.reasons.replaceChildren(element("p", {}, sentences[0]), element("p", { class: "soft" }, sentences.slice(1).join(" ")),
      ...sums.map(([arm, text]) => element("p", { class: "sum" }, `${this.search.name(arm.action)}: `, element("output", {}, text))));
    this.arms = choice.arms.map((arm) => ({ ...arm, role: arm === chosen ? "chosen" : arm === runner ? "runner" : arm.score === null ? "out" : "" }));
    this.arms.sort((a, b) => (a.score ?? Infinity) - (b.score ?? Infinity) || (b.role === "chosen") - (a.role === "chosen"));
    const { name, formula, score, estimate } = this.search.bandit;
    const rest = choice.children - choice.arms.length;
    this.note.textContent = [
      `Round ${whole(choice.round)}, T = ${whole(choice.total)} leaves under this node.`,
      formula ? `${name}: ${score} = ${formula}, with Ê ${estimate}; the lowest wins.` : `${name}: the lowest score wins.`,
      rest > 0 ? `… ${count(rest, "more child", "more children")} not in the trace.` : "",
    ].join(" ");
    this.drawTable();
    this.drawOthers(choice);
  }

  /** What the other bandits would do in the place of this one. */
  drawOthers(choice) {
    const some = choice.arms.length < choice.children ? ", among the arms that the trace has" : "";
    const table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "what other bandits would choose" }, othersTable(this.search, choice));
    this.others.replaceChildren(folded(`What other bandits would choose here${some}`, this.others.firstChild?.open ?? true, table));
  }

  /** No sampled round chose here: the children as they were in the end, without scores. */
  drawEnd() {
    const { node, search } = this;
    this.moment.textContent = "";
    this.reasons.hidden = true;
    this.others.replaceChildren();
    this.arms = node.kids.slice(0, 16).map((kid) => ({ ...kid, estimate: null, score: null, role: kid.locked ? "out" : "" }));
    const rest = node.children - this.arms.length;
    const why = search.bandit.name
      ? "No sampled round had a choice here, so there are no scores; this is how its children were in the end."
      : "This search has no bandits: these are the states that are reached from here, with what was found behind them.";
    this.note.textContent = node.children === 0
      ? `A leaf: it has no ${search.bandit.name ? "arms" : "children"}.`
      : `${why}${rest > 0 ? ` … ${count(rest, "more child", "more children")} ${search.missing(node).children >= rest ? "not in the trace" : "in the tree"}.` : ""}`;
    this.drawTable();
  }

  drawPicture() {
    this.picture.hidden = this.arms.length === 0;
    if (this.arms.length > 0 && this.width) drawArms(this.picture, this.width, this);
  }

  drawTable() {
    this.table.hidden = this.arms.length === 0;
    const { name, score } = this.search.bandit;
    const head = element("tr", {}, element("th", { class: "text", scope: "col" }, name ? "arm" : "action"), ...["n", "mean", "σ", "min", "h", ...(name ? [score] : []), ""].map((text) => element("th", { scope: "col" }, text)));
    const body = this.arms.map((arm, i) => element("tr", { class: arm.role, onpointerenter: () => this.light(i), onpointerleave: () => this.light(-1) },
      element("th", { class: "text", scope: "row", title: this.search.name(arm.action) }, this.link(arm)),
      ...[arm.count, arm.mean, sigma(arm), arm.minimum, arm.h, ...(name ? [arm.score] : [])].map((value) => element("td", {}, shown(value))),
      element("td", { class: "text" }, [arm.role === "chosen" && "chosen", arm.locked && "locked", arm.preferred && "preferred"].filter(Boolean).join(", "))));
    this.table.replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
  }

  /** The name of an arm; if the tree has its node, it leads there. */
  link(arm) {
    const name = this.search.name(arm.action);
    return this.search.nodeById.has(arm.node) ? element("button", { class: "link-like", onclick: () => this.open(arm.node) }, name) : name;
  }

  /** Mark an arm both in the picture and in the table. */
  light(index) {
    d3.select(this.picture).selectAll(".arm").classed("lit", (arm) => arm === this.arms[index]);
    d3.select(this.table).selectAll("tbody tr").classed("lit", (_, i) => i === index);
  }
}

/** Beliefs as curves over h: Gaussians, boxes for a bandit that assumes uniform values, spikes where nothing varies. */
function drawArms(container, width, view) {
  const { arms, search } = view;
  const height = 250;
  const domain = domainOf(arms);
  const x = d3.scaleLinear(domain, []).nice();
  const peaks = arms.map((arm) => peak(arm, search)).filter((value) => value > 0);
  const y = d3.scaleLinear([0, peaks.length ? Math.min(d3.max(peaks), 3 * d3.median(peaks)) * 1.08 : 1], []);
  const described = arms.map((arm) => `${search.name(arm.action)}: mean ${shown(arm.mean)}, σ ${shown(sigma(arm))}, ${search.bandit.score} ${shown(arm.score)}`);
  const { plot } = frame(container, { width, height, x, y, xLabel: "h", yLabel: "density", label: `Distributions of the arms. ${described.join("; ")}`, yTicks: 4, yFormat: "~g" });
  const bottom = height - MARGIN.bottom;
  const group = plot.selectAll("g").data(arms).join("g").attr("class", (arm) => `arm ${arm.role}`);
  group.sort((a, b) => order(a) - order(b));
  group.append("path").attr("class", "shape").attr("d", (arm) => shape(arm, search, x, y));
  const scored = group.filter((arm) => arm.score !== null);
  const at = (arm) => Math.max(x(arm.score), MARGIN.left);
  scored.append("line").attr("class", "bound").attr("x1", at).attr("x2", at).attr("y1", bottom).attr("y2", (arm) => bottom - (arm.role === "chosen" ? 0.62 : arm.role === "runner" ? 0.46 : 0.16) * (bottom - MARGIN.top));
  scored.append("path").attr("class", "foot").attr("transform", (arm) => `translate(${at(arm)},${bottom - 5})`)
    .attr("d", (arm) => (x(arm.score) < MARGIN.left ? "M-1,0L8,-5V5Z" : "M0,5L-5,-4H5Z"));
  scored.filter((arm) => arm.role === "chosen" || arm.role === "runner").append("text")
    .attr("x", (arm) => at(arm) + 5).attr("y", (arm) => bottom - (arm.role === "chosen" ? 0.56 : 0.4) * (bottom - MARGIN.top))
    .style("fill", (arm) => `var(--${arm.role})`).text((arm) => shown(arm.score));
  group.on("pointermove", (event, arm) => (view.light(arms.indexOf(arm)), tip.show(event, `${search.name(arm.action)}\n${facts(arm)}\n${search.bandit.score} ${shown(arm.score)}`)));
  group.on("pointerleave", () => (view.light(-1), tip.hide()));
}

/** Those that matter are drawn last, over the others. */
function order(arm) {
  return arm.role === "chosen" ? 2 : arm.role === "runner" ? 1 : 0;
}

/** All distributions, and the bounds as far as they leave room for them. */
function domainOf(arms) {
  const low = d3.min(arms, (arm) => Math.min(arm.mean - SPREAD * sigma(arm), arm.estimate ?? Infinity));
  const high = d3.max(arms, (arm) => Math.max(arm.mean + SPREAD * sigma(arm), arm.estimate ?? -Infinity));
  const room = Math.max(high - low, 1);
  const scores = arms.flatMap((arm) => (arm.score === null ? [] : [arm.score]));
  return [Math.min(low, Math.max(d3.min(scores) ?? low, low - room)) - 0.03 * room, Math.max(high, Math.min(d3.max(scores) ?? high, high + room)) + 0.03 * room];
}

function peak(arm, search) {
  if (search.bandit.key === "uniform") return arm.maximum > arm.minimum ? 1 / (arm.maximum - arm.minimum) : 0;
  return sigma(arm) > 0 ? 1 / (sigma(arm) * Math.sqrt(2 * Math.PI)) : 0;
}

function shape(arm, search, x, y) {
  const high = peak(arm, search);
  const [floor, top] = y.range();
  if (high === 0) return `M${x(arm.mean)},${floor}V${top}`;
  if (search.bandit.key === "uniform") return `M${x(arm.minimum)},${floor}V${y(high)}H${x(arm.maximum)}V${floor}`;
  const points = d3.range(-SPREAD, SPREAD + 0.01, 0.1).map((z) => [x(arm.mean + z * sigma(arm)), y(high * Math.exp((-z * z) / 2))]);
  return d3.line()(points);
}
