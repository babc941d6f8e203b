"use strict";

const MOST_CHIPS = 400;

/** The state of a node: what changed since its parent, all facts, and the landmarks that are past and future. */
function stateOf(search, node) {
  const facts = search.factsAt(node);
  const landmarks = search.landmarksAt(node);
  const parts = [];
  if (facts) {
    if (node.action >= 0) parts.push(changes(facts));
    parts.push(folded(`All ${count(facts.all.length, "fact")} that hold here`, node.action < 0 && facts.all.length <= 40, chips(facts.all, (fact) => (facts.added.includes(fact) ? "added" : ""))));
  }
  if (landmarks) parts.push(landmarkLists(landmarks));
  return parts;
}

function changes({ added, removed }) {
  if (added.length + removed.length === 0) return element("p", { class: "soft" }, "No fact that matters changed.");
  return chips([...added.map((fact) => `+ ${fact}`), ...removed.map((fact) => `− ${fact}`)], (text) => (text.startsWith("+") ? "added" : "removed"));
}

function landmarkLists({ past, future, reached, again, all }) {
  const mark = (one) => [reached.has(one.number) && "added", again.has(one.number) && "removed", one.goal && "goal"].filter(Boolean).join(" ");
  const ordered = (list, news) => [...list].sort((a, b) => news.has(b.number) - news.has(a.number) || a.name.localeCompare(b.name));
  const list = (many) => chips(many.map((one) => one.name), (_, i) => mark(many[i]));
  const news = reached.size ? `, ${whole(reached.size)} of them since the parent` : "";
  const lost = again.size ? `, ${whole(again.size)} of them again` : "";
  return element("div", { class: "landmarks" },
    folded(`Landmarks past: ${whole(past.length)} of ${whole(all)}${news}`, reached.size > 0 && past.length <= 12, list(ordered(past, reached))),
    folded(`Landmarks future: ${whole(future.length)}${lost}`, future.length > 0 && future.length <= 12, list(ordered(future, again))));
}

function folded(title, open, ...children) {
  return element("details", { open }, element("summary", {}, title), ...children);
}

function chips(texts, kind) {
  const made = texts.slice(0, MOST_CHIPS).map((text, i) => element("li", { class: kind(text, i) }, text));
  if (texts.length > MOST_CHIPS) made.push(element("li", {}, `… ${whole(texts.length - MOST_CHIPS)} more`));
  return element("ul", { class: "chips" }, ...made);
}
