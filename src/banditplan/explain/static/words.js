"use strict";

/** Arms that had a score, the best first; the chosen one leads those with the same score. */
function ranking(choice) {
  const scored = choice.arms.filter((arm) => arm.score !== null);
  return scored.sort((a, b) => a.score - b.score || (b.node === choice.chosen) - (a.node === choice.chosen));
}

/** Why this arm: sentences, from the numbers of the choice alone. */
function why(search, choice) {
  const ranked = ranking(choice);
  const chosen = choice.arms.find((arm) => arm.node === choice.chosen);
  const runner = ranked.find((arm) => arm.node !== choice.chosen) ?? null;
  const sentences = [];
  if (initialPulls(search, ranked)) {
    sentences.push(`${search.name(chosen.action)} was chosen for one of its initial pulls: ${count(chosen.count, "leaf", "leaves")} so far, and no arm has fewer.`);
  } else if (chosen.score === null) {
    sentences.push(`${search.name(chosen.action)} was chosen; the trace has no score of it.`);
  } else {
    sentences.push(`${search.name(chosen.action)} was chosen: lowest ${search.bandit.score} ${shown(chosen.score)} (${facts(chosen)}).`);
    if (runner) sentences.push(`The runner-up, ${search.name(runner.action)}, had ${shown(runner.score)} (${facts(runner)}).`);
    sentences.push(...tie(ranked, chosen), ...weighing(search, chosen, runner));
  }
  sentences.push(...offer(choice));
  return { sentences, chosen, runner };
}

function facts(arm) {
  const parts = [`mean ${shown(arm.mean)}`, `σ ${shown(sigma(arm))}`, `n ${whole(arm.count)}`];
  if (arm.estimate !== null && Math.abs(arm.estimate - arm.mean) > 1e-6 * Math.abs(arm.mean)) parts.unshift(`estimate ${shown(arm.estimate)}`);
  return parts.join(", ");
}

/** UCB1-Normal scores arms by their counts until each was pulled often enough. */
function initialPulls(search, ranked) {
  return search.bandit.key === "normal" && ranked.length > 0 && ranked.every((arm) => arm.score === arm.count);
}

function tie(ranked, chosen) {
  const equal = ranked.filter((arm) => arm.score === chosen.score).length;
  return equal > 1 ? [`${whole(equal)} of the arms shown had this score; chance chose among them.`] : [];
}

function weighing(search, chosen, runner) {
  if (!runner || search.bandit.score !== "bound" || runner.score === chosen.score) return [];
  const bonus = (arm) => arm.estimate - arm.score;
  const larger = `its bonus for exploration is larger: ${shown(bonus(chosen))} against ${shown(bonus(runner))}${cause(chosen, runner)}.`;
  if (chosen.estimate > runner.estimate) return [`Its estimate is worse by ${shown(chosen.estimate - runner.estimate)}, but ${larger}`];
  if (chosen.estimate === runner.estimate) return [`Their estimates are equal; ${larger}`];
  if (bonus(chosen) > bonus(runner)) return [`The chosen one was ahead both ways: by its estimate and by its bonus for exploration${cause(chosen, runner)}.`];
  return ["Its estimate decided; its bonus for exploration is no larger than the runner-up’s."];
}

function cause(chosen, runner) {
  const causes = [];
  if (sigma(chosen) > sigma(runner)) causes.push(`σ ${shown(sigma(chosen))} against ${shown(sigma(runner))}`);
  if (chosen.count < runner.count) causes.push(`n ${whole(chosen.count)} against ${whole(runner.count)}`);
  return causes.length ? ` (${causes.join("; ")})` : "";
}

function offer(choice) {
  const rest = choice.children - choice.offered;
  return rest > 0 ? [`Of ${count(choice.children, "child", "children")}, ${whole(choice.offered)} could be chosen; the others were locked or not preferred.`] : [];
}

/** A node in words, for those who do not see the picture. */
function spoken(search, node) {
  return [search.name(node.action), ...details(search, node)].join(", ");
}

function details(search, node) {
  const parts = [`depth ${whole(node.g)}`, `h ${whole(node.h)}`, count(node.count, "leaf", "leaves")];
  parts.push(`mean ${shown(node.mean)}`, `σ ${shown(sigma(node))}`, `minimum ${shown(node.minimum)}`);
  const last = search.lastScore(node);
  if (last) parts.push(`${search.bandit.score} ${shown(last.score)} in round ${whole(last.round)}`);
  if (node.locked) parts.push("locked: nothing under it can be selected");
  if (search.onPlan.has(node.id)) parts.push("on the plan’s way");
  return parts;
}
