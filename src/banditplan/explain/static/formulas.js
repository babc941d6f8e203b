"use strict";

/** The bandits: their scores as numbers, and as formulas with the numbers put in. See docs/bandits.md.
 *  `at` has ln T (`log`), the rate c, and the range of the estimates of all arms. */
const BANDITS = {
  ucb1: {
    name: "UCB1",
    score: (arm, at) => arm.estimate - at.c * Math.sqrt((2 * at.log) / arm.count),
    text: (arm, at) => `${shown(arm.estimate)} − ${shown(at.c)} · √(2 · ${at.ln} / ${whole(arm.count)})`,
  },
  ucb1_01: {
    name: "UCB1-01",
    score: (arm, at) => arm.estimate - at.c * at.range * Math.sqrt((2 * at.log) / arm.count),
    text: (arm, at) => `${shown(arm.estimate)} − ${shown(at.c)} · ${shown(at.range)} · √(2 · ${at.ln} / ${whole(arm.count)})`,
  },
  ucb1_tuned: {
    name: "UCB1-Tuned",
    score: (arm, at) => arm.estimate - at.c * Math.sqrt((Math.min(0.25, arm.variance + Math.sqrt((2 * at.log) / arm.count)) * at.log) / arm.count),
    text: (arm, at) => `${shown(arm.estimate)} − ${shown(at.c)} · √(min(1/4, ${shown(arm.variance)} + √(2 · ${at.ln} / ${whole(arm.count)})) · ${at.ln} / ${whole(arm.count)})`,
  },
  ucb_v: {
    name: "UCB-V",
    score: (arm, at) => arm.estimate - sigma(arm) * Math.sqrt((2 * at.log) / arm.count) - (3 * at.c * at.log) / arm.count,
    text: (arm, at) => `${shown(arm.estimate)} − ${shown(sigma(arm))} · √(2 · ${at.ln} / ${whole(arm.count)}) − 3 · ${shown(at.c)} · ${at.ln} / ${whole(arm.count)}`,
  },
  normal: {
    name: "UCB1-Normal",
    score: (arm, at) => (at.fewest < Math.floor(8 * at.log) ? arm.count : arm.estimate - sigma(arm) * Math.sqrt((16 * at.log) / arm.count)),
    text: (arm, at) => (at.fewest < Math.floor(8 * at.log) ? `n, as some arm has fewer than ⌊8 · ${at.ln}⌋ leaves` : `${shown(arm.estimate)} − ${shown(sigma(arm))} · √(16 · ${at.ln} / ${whole(arm.count)})`),
  },
  normal2: {
    name: "UCB1-Normal2",
    score: (arm, at) => arm.estimate - sigma(arm) * Math.sqrt(2 * at.log),
    text: (arm, at) => `${shown(arm.estimate)} − ${shown(sigma(arm))} · √(2 · ${at.ln})`,
  },
  uniform: {
    name: "UCB1-Uniform",
    score: (arm, at) => arm.estimate - (arm.maximum - arm.minimum) * Math.sqrt(6 * arm.count * at.log),
    text: (arm, at) => `${shown(arm.estimate)} − (${shown(arm.maximum)} − ${shown(arm.minimum)}) · √(6 · ${whole(arm.count)} · ${at.ln})`,
  },
  greedy: { name: "greedy", score: (arm) => arm.estimate, text: (arm) => shown(arm.estimate) },
};

const DRAWS = 500; // of Thompson sampling, to tell what it does most often

/** What a bandit would do with the arms of a choice: the arm, its score, how many share that score; for Thompson
 *  sampling, the arm that it would choose most often and how often that is. */
function verdict(search, choice, key, c) {
  const arms = judged(search, choice, key);
  if (key === "ttts") return mostDrawn(arms);
  const at = setting(search, choice, key, c);
  const scores = arms.map((arm) => BANDITS[key].score(arm, at));
  const best = Math.min(...scores);
  const equal = arms.filter((_, i) => scores[i] - best <= 1e-9 * Math.max(Math.abs(best), 1));
  return { arm: equal.find((arm) => arm.node === choice.chosen) ?? equal[0], score: best, ties: equal.length };
}

/** The arms on offer, with the estimate that the bandit would get from the backup. */
function judged(search, choice, key) {
  return choice.arms.filter((arm) => arm.estimate !== null).map((arm) => ({ ...arm, estimate: estimateFor(search, arm, key) }));
}

function estimateFor(search, arm, key) {
  if (search.bandit.backup === "full_bellman") return arm.open_minimum;
  if (search.bandit.backup === "gaussian_minimum") return arm.estimate;
  return key === "uniform" ? (arm.minimum + arm.maximum) / 2 : arm.mean;
}

function setting(search, choice, key, c) {
  const estimates = choice.arms.map((arm) => estimateFor(search, arm, key)).filter((value) => value !== null);
  return {
    c,
    log: Math.log(choice.total),
    ln: `ln ${whole(choice.total)}`,
    range: d3.max(estimates) - d3.min(estimates),
    fewest: d3.min(choice.arms.filter((arm) => arm.estimate !== null), (arm) => arm.count),
  };
}

/** The score of an arm as its formula with the numbers put in; null if the bandit has none. */
function worked(search, choice, arm) {
  const { key, c } = search.bandit;
  if (arm.score === null || arm.estimate === null) return null;
  if (key === "ttts") return `a draw from N(${shown(arm.estimate)}, ${shown(arm.variance)} / ${whole(arm.count)}) = ${shown(arm.score)}`;
  if (!(key in BANDITS)) return null;
  return `${BANDITS[key].text(arm, setting(search, choice, key, c))} = ${shown(arm.score)}`;
}

/** Top-two Thompson sampling, played often with the same random numbers each time. */
function mostDrawn(arms) {
  const random = d3.randomLcg(0.5);
  const normal = d3.randomNormal.source(random)(0, 1);
  const draw = (but) => d3.least(arms.filter((arm) => arm !== but), (arm) => arm.estimate + Math.sqrt(Math.max(arm.variance, 0) / arm.count) * normal());
  const wins = new Map();
  for (let i = 0; i < DRAWS; i++) {
    const leader = draw(null);
    const arm = arms.length > 1 && random() < 0.5 ? draw(leader) : leader;
    wins.set(arm, (wins.get(arm) ?? 0) + 1);
  }
  const arm = d3.greatest(arms, (one) => wins.get(one) ?? 0);
  return { arm, share: wins.get(arm) / DRAWS };
}

/** A table of what each bandit would choose on the same arms, the one of the search first. */
function othersTable(search, choice) {
  const own = search.bandit.key;
  const keys = [...Object.keys(BANDITS), "ttts"].filter((key) => key !== own);
  const rows = keys.map((key) => [key === "ttts" ? "TTTS-Normal" : BANDITS[key].name, verdict(search, choice, key, 1)]);
  const body = rows.map(([name, { arm, score, ties, share }]) => {
    const same = arm.node === choice.chosen;
    const how = share === undefined ? `${shown(score)}${ties > 1 ? `, ${whole(ties)} alike` : ""}` : `in about ${percent(share, 1)} of ${whole(DRAWS)} draws`;
    return element("tr", { class: same ? "same" : "" },
      element("th", { class: "text", scope: "row" }, name),
      element("td", { class: "text" }, same ? "the same" : search.name(arm.action)),
      element("td", { class: "how" }, how));
  });
  const head = element("tr", {}, ...[["bandit", "text"], ["would choose", "text"], ["its score", ""]].map(([text, kind]) => element("th", { scope: "col", class: kind }, text)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}
