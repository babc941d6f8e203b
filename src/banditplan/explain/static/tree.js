"use strict";

const AT_ONCE = 8; // children shown when a node is opened; as many more at each request
const BESIDE_THE_PLAN = 2;
const PLAN_LEVELS = 120;
const ROW = 42;
const LEVEL = [180, 280]; // between one depth and the next: least and most

/** The tree: opened and closed by click or key, moved by dragging, zoomed by wheel, pinch or buttons. */
class TreeView {
  constructor(container, search, select) {
    this.search = search;
    this.select = select; // called with the node that was chosen
    this.limits = new Map(); // open nodes, and how many of their children are shown
    this.color = d3.scaleSequential(search.meanRange, d3.interpolateViridis);
    const button = (text, label, act) => element("button", { "aria-label": label, title: label, onclick: act }, text);
    const bar = element("div", { class: "bar" }, element("h2", {}, "The tree"),
      search.onPlan.size > 0 ? button("Plan", planLabel(search), () => this.showPlan()) : null,
      button("Close all", "close all nodes but the root", () => this.closeAll()),
      button("−", "zoom out", () => this.zoomBy(1 / 1.5)),
      button("+", "zoom in", () => this.zoomBy(1.5)),
      button("Fit", "fit the tree into its frame", () => this.fit()));
    this.box = element("div", { class: "tree" });
    container.append(element("section", { class: "card" }, bar, this.box, element("p", { class: "soft" }, legend(search))));
    this.build();
    this.start();
  }

  build() {
    this.svg = d3.select(this.box).append("svg");
    this.world = this.svg.append("g").attr("role", "tree").attr("aria-label", "search tree");
    this.zoom = d3.zoom().scaleExtent([0.03, 3])
      .filter((event) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button))
      .on("zoom", ({ transform }) => this.world.attr("transform", transform).style("--k", transform.k).classed("far", transform.k < 0.35));
    this.svg.call(this.zoom).on("dblclick.zoom", null);
    this.links = this.world.append("g").attr("aria-hidden", "true");
    this.dots = this.world.append("g").attr("role", "presentation");
  }

  start() {
    this.current = this.search.firstChoice;
    for (let node = this.current; node; node = this.search.nodeById.get(node.parent)) this.limits.set(node, AT_ONCE);
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
    const limit = this.limits.get(node) ?? 0;
    const children = limit > 0 ? node.kids.slice(0, limit).map((kid) => ({ node: kid })) : [];
    const missing = this.search.missing(node);
    const hidden = node.kids.slice(limit);
    if (limit > 0 && hidden.length + missing.children > 0)
      children.push({ parent: node, more: hidden.length + missing.children, gone: hidden.length === 0, leaves: missing.leaves + d3.sum(hidden, (kid) => kid.count) });
    return children;
  }

  draw() {
    const root = d3.hierarchy({ node: this.search.root }, (item) => (item.node ? this.visible(item.node) : null));
    this.level = Math.min(Math.max(this.box.clientWidth / 2, LEVEL[0]), LEVEL[1]);
    d3.tree().nodeSize([ROW, this.level]).separation(() => 1)(root);
    this.items = root.descendants();
    this.order = [];
    root.eachBefore((item) => this.order.push(item));
    const id = (item) => (item.data.node ? item.data.node.id : `more-${item.data.parent.id}`);
    const path = d3.linkHorizontal((link) => link, (item) => item.x).x((item) => item.y).y((item) => item.x);
    path.source((link) => link.source).target((link) => link.target);
    this.links.selectAll("path").data(root.links(), (link) => id(link.target)).join("path")
      .attr("class", (link) => `link ${this.onPlan(link.source) && this.onPlan(link.target) ? "plan" : ""}`).attr("d", path);
    this.dots.selectAll("g.node").data(this.items, id).join((enter) => this.enter(enter))
      .attr("class", (item) => this.classes(item))
      .attr("transform", (item) => `translate(${item.y},${item.x})`)
      .attr("tabindex", (item) => (this.isCurrent(item) ? 0 : -1))
      .attr("aria-level", (item) => item.depth + 1)
      .attr("aria-selected", (item) => this.isCurrent(item))
      .attr("aria-expanded", (item) => (item.data.node?.children > 0 ? this.limits.has(item.data.node) : null))
      .call((dots) => this.label(dots));
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
    const total = Math.max(search.root.count, 1);
    const radius = (item) => (item.data.node ? 4 + 9 * Math.sqrt(item.data.node.count / total) : 3);
    const name = (item) => (item.data.node ? search.name(item.data.node.action) : this.moreText(item.data));
    dots.attr("aria-label", (item) => (item.data.node ? spoken(search, item.data.node) : name(item)));
    dots.select(".dot").attr("r", radius).style("fill", (item) => (item.data.node ? this.color(item.data.node.mean) : "var(--other)"));
    dots.select(".ring").attr("r", (item) => radius(item) + 4);
    dots.select(".name").attr("x", (item) => radius(item) + 5).text((item) => item.data.node ? cut(name(item), this.level / 7.2) : name(item));
    dots.select(".soft").attr("x", (item) => radius(item) + 5).text((item) => (item.data.node ? cut(this.numbers(item.data.node), this.level / 5.4) : ""));
    dots.select("title").text((item) => (item.data.node ? spoken(search, item.data.node) : name(item)));
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
    return ["node", this.onPlan(item) && "plan", node.locked && "locked", this.isCurrent(item) && "selected"].filter(Boolean).join(" ");
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
      ArrowLeft: () => (this.limits.delete(node) ? node : this.search.nodeById.get(node.parent)),
      Enter: () => (this.limits.delete(node) || this.open(node), node),
      " ": () => (this.limits.delete(node) || this.open(node), node),
      "+": () => (this.limits.has(node) && this.limits.set(node, this.limits.get(node) + AT_ONCE), node),
    };
    if (!node || !(event.key in acts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = acts[event.key]();
    if (next) this.choose(next);
  }

  /** Open the way to a node and choose it. */
  reveal(id) {
    const node = this.search.nodeById.get(id);
    if (!node) return;
    for (let at = node; at.parent >= 0; ) {
      const parent = this.search.nodeById.get(at.parent);
      this.limits.set(parent, Math.max(this.limits.get(parent) ?? BESIDE_THE_PLAN, parent.kids.indexOf(at) + 1));
      at = parent;
    }
    this.choose(node, false);
  }

  showPlan() {
    const way = [...this.search.onPlan].slice(0, PLAN_LEVELS).map((id) => this.search.nodeById.get(id));
    this.limits.clear();
    for (const node of way) this.limits.set(node, BESIDE_THE_PLAN);
    this.draw();
    this.fit();
  }

  closeAll() {
    this.limits.clear();
    this.choose(this.search.root, false);
    this.fit();
  }

  // ---- where one looks

  zoomBy(factor) {
    this.move((selection) => selection.call(this.zoom.scaleBy, factor));
  }

  fit() {
    const [width, height] = this.size();
    const [top, bottom] = d3.extent(this.items, (item) => item.x);
    const right = d3.max(this.items, (item) => item.y) + this.level;
    const scale = Math.max(0.03, Math.min(1, (width - 44) / right, height / (bottom - top + 2 * ROW)));
    const to = d3.zoomIdentity.translate(22, height / 2 - (scale * (top + bottom)) / 2).scale(scale);
    this.move((selection) => selection.call(this.zoom.transform, to));
  }

  /** At first the labels can be read, and what does not fit is a drag away. */
  lookAtRoot() {
    const [, height] = this.size();
    this.svg.call(this.zoom.transform, d3.zoomIdentity.translate(22, height / 2).scale(0.9));
  }

  bringIntoView(node, focus) {
    const item = this.items.find((one) => one.data.node === node);
    const [width, height] = this.size();
    if (width === 0) return;
    const transform = d3.zoomTransform(this.svg.node());
    const [x, y] = transform.apply([item.y, item.x]);
    if (x < 20 || x > width - 160 || y < 20 || y > height - 20)
      this.move((selection) => selection.call(this.zoom.translateTo, item.y + 0.2 * (width / transform.k), item.x));
    if (focus) this.dots.selectAll("g.node").filter((one) => one === item).node().focus({ preventScroll: true });
  }

  move(act) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    act(still ? this.svg : this.svg.transition().duration(250));
  }

  size() {
    return [this.box.clientWidth, this.svg.node().clientHeight];
  }
}

function planLabel(search) {
  return search.onPlan.size > PLAN_LEVELS ? `open the tree along the first ${PLAN_LEVELS} steps of the plan` : "open the tree along the plan";
}

function legend(search) {
  const [low, high] = search.meanRange;
  return `A dot is as large as the leaves under it are many (n) and as bright as their mean h is high (${shown(low)} to ${shown(high)}); mean ± σ. ` +
    `${search.onPlan.size ? "Green: the plan’s way. " : ""}Dashed: locked. Click opens and closes; drag to move, Ctrl + wheel or pinch to zoom; arrow keys walk, + shows more children.`;
}
