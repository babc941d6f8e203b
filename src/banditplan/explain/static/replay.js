"use strict";

const ROWS = 26; // of the tree at a moment
const BRANCHES = 5; // of a node at a moment
const DEEPEST = 7;
const TICK = 120; // milliseconds from a step to the next
const LONGEST = 12_000; // milliseconds of a whole replay

/** The growth of the tree: a slider over the sampled rounds, and a button that moves it. */
class Replay {
  constructor(search, show) {
    this.search = search;
    this.show = show; // called with a moment, or null for the end
    this.steps = search.stepRows;
    this.slider = element("input", { type: "range", min: 0, max: this.steps.length, value: this.steps.length, "aria-label": "growth of the tree, in rounds", oninput: () => (this.stop(), this.draw()) });
    this.button = element("button", { onclick: () => (this.timer ? this.stop() : this.play()) }, "▶ Replay");
    this.moment = element("output", {}, "the end");
    this.box = element("div", { class: "bar replay" }, this.button, element("label", {}, this.slider), this.moment);
    this.box.hidden = this.steps.length < 2 || !search.root;
  }

  draw() {
    const step = this.steps[Number(this.slider.value)];
    this.moment.textContent = step ? `round ${whole(step.round)}: ${count(step.evaluations, "evaluation")}, best h ${shown(step.best_h)}` : "the end";
    this.show(step ? new Moment(this.search, step) : null);
  }

  play() {
    if (Number(this.slider.value) >= this.steps.length) this.slider.value = 0;
    const stride = Math.max(Math.ceil((this.steps.length * TICK) / LONGEST), 1);
    this.button.textContent = "❚❚ Pause";
    this.timer = setInterval(() => {
      this.slider.value = Number(this.slider.value) + stride;
      this.draw();
      if (Number(this.slider.value) >= this.steps.length) this.stop();
    }, TICK);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "▶ Replay";
  }
}

/** The tree after a round, as far as the trace shows it: its largest parts, and the way to the leaf of that round. */
class Moment {
  constructor(search, step) {
    this.sizes = new Map();
    const nodes = [...search.nodeById.values()].filter((node) => search.existed(node, step));
    for (const node of nodes.toReversed()) this.sizes.set(node, 1 + d3.sum(node.kids, (kid) => this.sizes.get(kid) ?? 0));
    const leaf = search.nodeById.get(search.leafOf(step));
    this.way = new Set(leaf && this.sizes.has(leaf) ? search.way(leaf) : []);
    this.opened = new Map();
    this.grow(search.root);
  }

  size(node) {
    return this.sizes.get(node) ?? 1;
  }

  children(node) {
    return this.opened.get(node) ?? [];
  }

  numbers(node) {
    const below = this.size(node) - 1;
    return `h ${whole(node.h)}${below ? ` · ${whole(below)} below` : ""}`;
  }

  /** Open the largest node that is closed, until there are enough rows. */
  grow(root) {
    const open = [[root, 0]];
    for (let rows = 1; rows < ROWS && open.length > 0; ) {
      const at = d3.maxIndex(open, ([node]) => this.size(node) + (this.way.has(node) ? 1e9 : 0));
      const [[node, depth]] = open.splice(at, 1);
      const kids = node.kids.filter((kid) => this.sizes.has(kid)).sort((a, b) => this.way.has(b) - this.way.has(a) || this.size(b) - this.size(a)).slice(0, BRANCHES);
      if (kids.length === 0 || depth >= DEEPEST) continue;
      this.opened.set(node, kids);
      rows += kids.length - 1;
      open.push(...kids.map((kid) => [kid, depth + 1]));
    }
  }
}
