"use strict";

const AT_ONCE = 8; // children shown when a node is opened; as many more at each request
const BESIDE = 2; // other children that are shown beside the way to a node
const ABOVE = 2; // levels that are shown above a node to which one goes
const ROW = 42;
const GAP = 46; // between the labels of one depth and the dots of the next

/** The tree: opened and closed by click or key, moved by dragging, zoomed by wheel, pinch or buttons. */
class TreeView {
  constructor(container, search, select) {
    this.search = search;
    this.select = select; // called with the node that was chosen
    this.limits = new Map(); // open nodes, and how many of their children are shown
    this.top = search.root; // what is above it is in the trail only
    this.moment = null; // the step that is replayed, with what was there then
    this.color = d3.scaleSequential(search.meanRange, d3.interpolateViridis);
    const button = (text, label, act) => element("button", { "aria-label": label, title: label, onclick: act }, text);
    const bar = element("div", { class: "bar" }, element("h2", {}, "The tree"),
      button("Close all", "close all nodes but the root", () => this.closeAll()),
      button("−", "zoom out", () => this.zoomBy(1 / 1.5)),
      button("+", "zoom in", () => this.zoomBy(1.5)),
      button("Fit", "fit the tree into its frame", () => this.fit()));
    this.trail = element("nav", { class: "trail", "aria-label": "the way to what is shown" });
    this.box = element("div", { class: "tree" });
    const replay = new Replay(search, (moment) => this.replay(moment));
    container.append(element("section", { class: "card" }, bar, this.trail, this.box, replay.box, element("p", { class: "soft" }, legend(search))));
    this.build();
    this.start();
  }

  build() {
    this.svg = d3.select(this.box).append("svg");
    this.world = this.svg.append("g").attr("role", "tree").attr("aria-label", "search tree");
    this.zoom = d3.zoom().scaleExtent([0.002, 3])
      .filter((event) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button))
      .on("zoom", ({ transform }) => this.world.attr("transform", transform).style("--k", transform.k).classed("far", transform.k < 0.35));
    this.svg.call(this.zoom).on("dblclick.zoom", null);
    this.links = this.world.append("g").attr("aria-hidden", "true");
    this.dots = this.world.append("g").attr("role", "presentation");
  }

  start() {
    this.current = this.search.firstChoice;
    for (const node of this.search.way(this.current)) this.limits.set(node, AT_ONCE);
    this.lookFrom(this.current);
    if (this.current.kids.length > 0) this.limits.set(this.current.kids[0], 3);
    this.draw();
    let placed = false; // not before the page is seen: a frame may be hidden at first
    responsive(this.box, () => {
      this.draw();
      if (!placed) this.lookAtRoot();
      if (!placed) this.bringIntoView(this.current, false);
      placed = true;
    });
  }

  // ---- what is shown

  /** The visible tree as plain data; the rest of a node's children is one item that stands for all of them. */
  visible(node) {
    if (this.moment) return this.moment.children(node).map((kid) => ({ node: kid }));
    const limit = this.limits.get(node) ?? 0;
    const children = limit > 0 ? node.kids.slice(0, limit).map((kid) => ({ node: kid })) : [];
    const missing = this.search.missing(node);
    const hidden = node.kids.slice(limit);
    if (limit > 0 && hidden.length + missing.children > 0)
      children.push({ parent: node, more: hidden.length + missing.children, gone: hidden.length === 0, leaves: missing.leaves + d3.sum(hidden, (kid) => kid.count) });
    return children;
  }

  draw() {
    const root = d3.hierarchy({ node: this.top }, (item) => (item.node ? this.visible(item.node) : null));
    d3.tree().nodeSize([ROW, 1]).separation(() => 1)(root);
    this.place(root);
    this.items = root.descendants();
    this.order = [];
    root.eachBefore((item) => this.order.push(item));
    const id = (item) => (item.data.node ? item.data.node.id : `more-${item.data.parent.id}`);
    const path = d3.linkHorizontal((link) => link, (item) => item.x).x((item) => item.y).y((item) => item.x);
    path.source((link) => link.source).target((link) => link.target);
    this.links.selectAll("path").data(root.links(), (link) => id(link.target)).join("path")
      .attr("class", (link) => `link ${this.onPlan(link.source) && this.onPlan(link.target) ? "plan" : ""} ${this.moment?.way.has(link.target.data.node) ? "way" : ""}`).attr("d", path);
    this.dots.selectAll("g.node").data(this.items, id).join((enter) => this.enter(enter))
      .attr("class", (item) => this.classes(item))
      .attr("transform", (item) => `translate(${item.y},${item.x})`)
      .attr("tabindex", (item) => (this.isCurrent(item) ? 0 : -1))
      .attr("aria-level", (item) => item.depth + 1)
      .attr("aria-selected", (item) => this.isCurrent(item))
      .attr("aria-expanded", (item) => (item.data.node?.children > 0 ? this.limits.has(item.data.node) : null))
      .call((dots) => this.label(dots));
    this.drawTrail();
  }

  /** Depth by depth, each as far to the right as the labels before it need: none is cut, and none covers another. */
  place(root) {
    const widths = [];
    root.each((item) => {
      const { name, numbers } = this.texts(item);
      item.width = this.radius(item) + 5 + Math.max(textWidth(name, "600 12px"), textWidth(numbers, "11px"));
      widths[item.depth] = Math.max(widths[item.depth] ?? 0, item.width);
    });
    const left = [0];
    widths.forEach((width, depth) => left.push(left[depth] + width + GAP));
    root.each((item) => (item.y = left[item.depth]));
  }

  texts({ data }) {
    if (!data.node) return { name: this.moreText(data), numbers: "" };
    return { name: this.search.name(data.node.action), numbers: this.moment ? this.moment.numbers(data.node) : this.numbers(data.node) };
  }

  radius({ data }) {
    if (!data.node) return 3;
    if (this.moment) return 4 + 9 * Math.sqrt(this.moment.size(data.node) / this.moment.size(this.search.root));
    return 4 + 9 * Math.sqrt(data.node.count / Math.max(this.search.root.count, 1));
  }

  /** The steps from the initial state to what is drawn at the left, each of which can be gone back to. */
  drawTrail() {
    const way = this.search.way(this.top);
    this.trail.hidden = way.length < 2;
    const step = (node) => element("button", { class: "link-like", onclick: () => this.startAt(node) }, this.search.name(node.action));
    const shown = way.length > 4 ? [way[0], null, ...way.slice(-3)] : way;
    this.trail.replaceChildren(...shown.flatMap((node, i) => [i > 0 ? " › " : null, node ? step(node) : `${whole(way.length - 4)} more`]).filter(Boolean));
  }

  enter(enter) {
    const group = enter.append("g").attr("role", "treeitem")
      .on("click", (_, item) => this.click(item))
      .on("keydown", (event, item) => this.key(event, item));
    group.append("circle").attr("class", "ring");
    group.append("circle").attr("class", "dot");
    group.append("text").attr("class", "name").attr("dy", -2);
    group.append("text").attr("class", "soft").attr("dy", 12);
    group.append("title");
    return group;
  }

  label(dots) {
    const { search } = this;
    const said = (item) => (item.data.node ? spoken(search, item.data.node) : this.texts(item).name);
    dots.attr("aria-label", said);
    dots.select(".dot").attr("r", (item) => this.radius(item)).style("fill", (item) => (item.data.node ? this.color(this.moment ? item.data.node.h : item.data.node.mean) : "var(--other)"));
    dots.select(".ring").attr("r", (item) => this.radius(item) + 4);
    dots.select(".name").attr("x", (item) => this.radius(item) + 5).text((item) => this.texts(item).name);
    dots.select(".soft").attr("x", (item) => this.radius(item) + 5).text((item) => this.texts(item).numbers);
    dots.select("title").text(said);
  }

  numbers(node) {
    const last = this.search.lastScore(node);
    const parts = [`n ${whole(node.count)}`, `${shown(node.mean)} ± ${shown(sigma(node))}`, `min ${shown(node.minimum)}`];
    if (last) parts.push(`${this.search.bandit.score} ${shown(last.score)}`);
    if (node.locked) parts.push("locked");
    return parts.join(" · ");
  }

  moreText(item) {
    const text = `… ${count(item.more, "more child", "more children")}, ${count(item.leaves, "leaf", "leaves")}`;
    return item.gone ? `${text}: not in the trace` : text;
  }

  classes(item) {
    const { node } = item.data;
    if (!node) return `node more ${item.data.gone ? "gone" : ""}`;
    return ["node", this.onPlan(item) && "plan", node.locked && !this.moment && "locked", this.isCurrent(item) && "selected"].filter(Boolean).join(" ");
  }

  onPlan(item) {
    return item.data.node !== undefined && this.search.onPlan.has(item.data.node.id);
  }

  isCurrent(item) {
    return item.data.node === this.current;
  }

  // ---- what a person does

  click(item) {
    const { node } = item.data;
    if (!node) return this.more(item.data);
    if (this.moment) return this.choose(node);
    if (!this.limits.has(node)) this.open(node);
    else if (node === this.current) this.limits.delete(node);
    this.choose(node);
  }

  more(item) {
    if (item.gone) return;
    this.limits.set(item.parent, this.limits.get(item.parent) + AT_ONCE);
    this.draw();
  }

  open(node) {
    if (node.children > 0) this.limits.set(node, AT_ONCE);
  }

  choose(node, focus = true) {
    this.current = node;
    this.draw();
    this.bringIntoView(node, focus);
    this.select(node);
  }

  key(event, item) {
    const { node } = item.data;
    const at = this.order.indexOf(item);
    const step = (to) => this.order.slice(at)[to]?.data.node;
    const nodes = this.order.filter((one) => one.data.node).map((one) => one.data.node);
    const index = nodes.indexOf(node);
    const acts = {
      ArrowDown: () => nodes[index + 1],
      ArrowUp: () => nodes[index - 1],
      Home: () => nodes[0],
      End: () => nodes.at(-1),
      ArrowRight: () => (this.limits.has(node) ? step(1) : (this.open(node), node)),
      ArrowLeft: () => (this.limits.delete(node) ? node : this.above(node)),
      Enter: () => (this.limits.delete(node) || this.open(node), node),
      " ": () => (this.limits.delete(node) || this.open(node), node),
      "+": () => (this.limits.has(node) && this.limits.set(node, this.limits.get(node) + AT_ONCE), node),
    };
    if (this.moment || !node || !(event.key in acts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = acts[event.key]();
    if (next) this.choose(next);
  }

  /** The parent, which is shown then. */
  above(node) {
    const parent = this.search.nodeById.get(node.parent);
    if (parent && node === this.top) this.lookFrom(parent);
    return parent;
  }

  /** Open the way to a node and choose it; far down, from a little above it. */
  reveal(id) {
    const node = this.search.nodeById.get(id);
    if (!node) return;
    const way = this.search.way(node);
    way.forEach((at, i) => {
      if (i > 0) this.limits.set(way[i - 1], Math.max(this.limits.get(way[i - 1]) ?? BESIDE, way[i - 1].kids.indexOf(at) + 1));
    });
    if (!this.limits.has(node)) this.limits.set(node, AT_ONCE);
    this.lookFrom(node);
    this.choose(node, false);
  }

  /** Draw the tree from a little above a node, if that is not drawn yet or is far to the right. */
  lookFrom(node) {
    const way = this.search.way(node);
    if (!way.includes(this.top) || way.length - way.indexOf(this.top) > ABOVE + 2) this.top = way[Math.max(way.length - 1 - ABOVE, 0)];
    for (const at of way.slice(way.indexOf(this.top), -1)) if (!this.limits.has(at)) this.limits.set(at, BESIDE);
  }

  startAt(node) {
    this.top = node;
    if (!this.limits.has(node)) this.open(node);
    this.choose(node, false);
    this.lookAtRoot();
  }

  closeAll() {
    this.limits.clear();
    this.top = this.search.root;
    this.choose(this.search.root, false);
    this.fit();
  }

  /** Show the tree as it was then; null: as it is in the end. */
  replay(moment) {
    if (this.moment && !moment) this.current = this.before.current;
    if (!this.moment && moment) this.before = { top: this.top, current: this.current };
    this.moment = moment;
    this.top = moment ? this.search.root : this.before.top;
    this.draw();
    this.fit(true);
  }

  // ---- where one looks

  zoomBy(factor) {
    this.move((selection) => selection.call(this.zoom.scaleBy, factor));
  }

  /** All of it, labels too. */
  fit(still = false) {
    const [width, height] = this.size();
    if (width === 0) return;
    const [top, bottom] = d3.extent(this.items, (item) => item.x);
    const scale = this.scale();
    const to = d3.zoomIdentity.translate(20, height / 2 - (scale * (top + bottom)) / 2).scale(scale);
    this.move((selection) => selection.call(this.zoom.transform, to), still);
  }

  /** At which all of it is in sight. */
  scale() {
    const [width, height] = this.size();
    const [top, bottom] = d3.extent(this.items, (item) => item.x);
    return Math.min(1, (width - 40) / d3.max(this.items, (item) => item.y + item.width), (height - 8) / (bottom - top + ROW));
  }

  /** At first the labels can be read, and what does not fit is a drag away. */
  lookAtRoot() {
    const [, height] = this.size();
    const scale = Math.min(0.9, Math.max(0.55, this.scale()));
    this.svg.call(this.zoom.transform, d3.zoomIdentity.translate(22, height / 2).scale(scale));
  }

  bringIntoView(node, focus) {
    const item = this.items.find((one) => one.data.node === node);
    const [width, height] = this.size();
    if (width === 0) return;
    const transform = d3.zoomTransform(this.svg.node());
    const [x, y] = transform.apply([item.y, item.x]);
    if (x < 14 || x + Math.min(item.width * transform.k, width - 40) > width || y < 20 || y > height - 20)
      this.move((selection) => selection.call(this.zoom.translateTo, item.y + (width / 2 - 60) / transform.k, item.x));
    if (focus) this.dots.selectAll("g.node").filter((one) => one === item).node().focus({ preventScroll: true });
  }

  move(act, still = matchMedia("(prefers-reduced-motion: reduce)").matches) {
    act(still ? this.svg.interrupt() : this.svg.transition().duration(250));
  }

  size() {
    return [this.box.clientWidth, this.svg.node().clientHeight];
  }
}

function legend(search) {
  const [low, high] = search.meanRange;
  return `A dot is as large as the leaves under it are many (n) and as bright as their mean h is high (${shown(low)} to ${shown(high)}); mean ± σ. ` +
    `${search.onPlan.size ? "Green: the plan’s way. " : ""}Dashed: locked. Click opens and closes; drag to move, Ctrl + wheel or pinch to zoom; arrow keys walk, + shows more children.`;
}
