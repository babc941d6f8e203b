"use strict";

/** One search, as its trace tells it: nodes by number, choices by node. */
class Search {
  constructor(data) {
    Object.assign(this, data);
    this.nodeById = new Map();
    for (const row of rows(data.nodes)) {
      const node = { ...row, id: row.node, kids: [] };
      this.nodeById.set(node.id, node);
      this.nodeById.get(node.parent)?.kids.push(node);
    }
    this.root = this.nodeById.get(0) ?? null;
    this.onPlan = new Set(data.plan.nodes.filter((id) => id !== null && this.nodeById.has(id)));
    for (const node of this.nodeById.values())
      node.kids.sort((a, b) => this.onPlan.has(b.id) - this.onPlan.has(a.id) || b.count - a.count || a.id - b.id);
    this.choiceRows = d3.group(data.choices, (row) => row[data.choiceColumns.indexOf("node")]);
    this.stepRows = rows(data.steps);
    this.last = this.stepRows.at(-1) ?? null;
    this.meanRange = d3.extent(this.nodeById.values(), (node) => node.mean);
  }

  get solved() {
    return this.status === "solved";
  }

  name(action) {
    return action < 0 ? "initial state" : this.names[action];
  }

  /** The sampled choices at a node, the oldest first; arms are unpacked when one of them is asked for. */
  choicesAt(id) {
    return this.choiceRows.get(id) ?? [];
  }

  choice(row) {
    const choice = record(row, this.choiceColumns);
    return { ...choice, arms: choice.arms.map((arm) => record(arm, this.armColumns)) };
  }

  /** The first node on the main way down at which the bandit had a choice; the root if there is none. */
  get firstChoice() {
    for (let node = this.root; node; node = node.kids[0]) if (this.choicesAt(node.id).length > 0) return node;
    return this.root;
  }

  /** The last score that was sampled for a node, with its round; null if there is none. */
  lastScore(node) {
    const row = this.choicesAt(node.parent).at(-1);
    if (!row) return null;
    const choice = this.choice(row);
    const arm = choice.arms.find((one) => one.node === node.id);
    return arm?.score == null ? null : { score: arm.score, round: choice.round };
  }

  /** Children of a node that the trace leaves out, and the leaves under them. */
  missing(node) {
    return {
      children: Math.max(node.children - node.kids.length, 0),
      leaves: Math.max(node.count - d3.sum(node.kids, (kid) => kid.count), 0),
    };
  }
}

function sigma(data) {
  return Math.sqrt(Math.max(data.variance, 0));
}

function rows(columns) {
  const keys = Object.keys(columns);
  return columns[keys[0]].map((_, i) => Object.fromEntries(keys.map((key) => [key, columns[key][i]])));
}

function record(row, columns) {
  return Object.fromEntries(columns.map((key, i) => [key, row[i]]));
}
