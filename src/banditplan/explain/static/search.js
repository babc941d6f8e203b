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
    this.leaves = new Map(data.rounds.round.map((round, i) => [round, data.rounds.leaf[i]]));
    this.last = this.stepRows.at(-1) ?? null;
    this.total = this.last ? { ...this.last, ...data.end, duplicates: data.end.generated + data.end.search - data.end.inserted } : data.end;
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

  /** Whether a node was there after a round; the nodes of a tree are numbered as they grow, those of a queue by states. */
  existed(node, step) {
    return this.bandit.name ? node.id < step.nodes : node.state < step.inserted;
  }

  /** The leaf that a round selected, if the trace tells. */
  leafOf(step) {
    return this.leaves.get(step.round);
  }

  /** The nodes from the root to a node. */
  way(node) {
    const nodes = [];
    for (let at = node; at; at = this.nodeById.get(at.parent)) nodes.unshift(at);
    return nodes;
  }

  /** What changed at a node since its parent, and all that holds there; null if the trace does not tell. */
  factsAt(node) {
    const { facts } = this;
    const way = this.way(node).slice(1);
    if (!facts || way.some((at) => !(at.id in facts.nodes))) return null;
    const true_ = new Set(facts.initial);
    for (const at of way) {
      const [added, removed] = facts.nodes[at.id];
      removed.forEach((fact) => true_.delete(fact));
      added.forEach((fact) => true_.add(fact));
    }
    const [added, removed] = facts.nodes[node.id] ?? [[], []];
    const names = (numbers) => numbers.map((fact) => facts.names[fact]).sort();
    return { added: names(added), removed: names(removed), all: names([...true_]) };
  }

  /** Landmarks along the way to a node: those that were true, those that are to come; null if the search has none. */
  landmarksAt(node) {
    const { landmarks } = this;
    const way = this.way(node).slice(1);
    if (!landmarks || way.some((at) => !(at.id in landmarks.nodes))) return null;
    const [past, future] = landmarks.initial.map((numbers) => new Set(numbers));
    for (const at of way) {
      const [reached, gone, come] = landmarks.nodes[at.id];
      reached.forEach((one) => past.add(one));
      gone.forEach((one) => future.delete(one));
      come.forEach((one) => future.add(one));
    }
    const last = landmarks.nodes[node.id] ?? [[], [], []];
    const name = (one) => landmarks.landmarks[one].facts.join(" or ");
    const of = (numbers) => [...numbers].map((one) => ({ name: name(one), goal: landmarks.landmarks[one].goal, number: one }));
    return { past: of(past), future: of(future), reached: new Set(last[0]), again: new Set(last[2]), all: landmarks.landmarks.length };
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
