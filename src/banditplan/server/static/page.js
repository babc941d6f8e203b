// The page: two texts and a choice of search go to the server, what becomes of them comes back.

import { Editor } from "/static/editor.js";
import * as keep from "/static/keep.js";
import * as outcome from "/static/outcome.js";

const $ = (id) => document.getElementById(id);
const editors = {};
let events = null; // of the run under way
let current = null; // its id

for (const section of document.querySelectorAll(".editor")) {
  editors[section.dataset.file] = new Editor(section, load, () => {
    if (section.dataset.file !== "plan") $("example").value = "";
    save();
  });
}

// ---- what can be chosen

const [components, examples, server] = await Promise.all(
  ["components", "examples", "server"].map(async (name) => (await fetch(`/api/${name}`)).json()),
);

function fill(select, items, chosen) {
  select.replaceChildren(...items.map(({ name }) => new Option(name, name, name === chosen, name === chosen)));
}

fill($("search"), components.searches, components.default.search);
fill($("heuristic"), components.heuristics, components.default.heuristic);
for (const { name, summary } of examples) $("example").append(new Option(`${name}: ${summary}`, name));
$("preferred").checked = components.default.preferred;
$("deferred").checked = components.default.deferred;
$("time").max = server.time_limit;
$("time").value = Math.min(60, server.time_limit);
$("memory").max = Math.floor(server.memory_limit / 2 ** 20);
$("memory").value = $("memory").max;
$("server").textContent = `banditplan ${server.version}; ${server.jobs} at a time, up to ${server.time_limit} s each`;
const CHOICES = ["search", "heuristic", "seed", "time", "memory", "evaluations"];
const CHECKS = ["preferred", "deferred", "anytime"];
let before = null; // the heuristic that was chosen before A* asked for another one

$("search").addEventListener("change", () => { suit(); describe(); });
$("heuristic").addEventListener("change", () => { before = null; describe(); });
$("solve").addEventListener("input", save);
$("solve").addEventListener("change", save);
await restore();
describe();

// A* is there for cheapest plans: it gets a heuristic that never overestimates, until another search is chosen.
function suit() {
  if ($("search").value === "astar" && !chosenHeuristic().admissible) {
    before = $("heuristic").value;
    $("heuristic").value = "hmax";
  } else if (before !== null && $("search").value !== "astar") {
    $("heuristic").value = before;
    before = null;
  }
}

function chosenHeuristic() {
  return components.heuristics.find(({ name }) => name === $("heuristic").value);
}

function describe() {
  const search = components.searches.find(({ name }) => name === $("search").value);
  for (const option of ["heuristic", "preferred", "deferred"]) $(option).disabled = !search.options.includes(option);
  const heuristic = chosenHeuristic();
  $("search-summary").textContent = $("heuristic").disabled ? search.summary : `${search.summary}  ·  ${heuristic.summary}`;
  $("promise").className = "hint";
  $("promise").textContent = "";
  if (search.name === "astar" && heuristic.admissible) $("promise").textContent = `${heuristic.name} never overestimates: the plan will be a cheapest one.`;
  else if (search.name === "astar") {
    $("promise").classList.add("careful");
    $("promise").textContent = `${heuristic.name} may overestimate: the plan need not be a cheapest one. With hmax or blind it would be.`;
  }
}

// ---- over a reload, and in a link

function state() {
  const choices = Object.fromEntries(CHOICES.map((id) => [id, $(id).value]));
  const checks = Object.fromEntries(CHECKS.map((id) => [id, $(id).checked]));
  return { domain: editors.domain.value, problem: editors.problem.value, ...choices, ...checks };
}

function save() {
  keep.remember({ ...state(), plan: editors.plan.value, names: [editors.domain.name, editors.problem.name] });
}

function use(kept) {
  editors.domain.set(kept.domain, kept.names?.[0] ?? "domain.pddl");
  editors.problem.set(kept.problem, kept.names?.[1] ?? "problem.pddl");
  if (kept.plan) {
    editors.plan.set(kept.plan, "plan.txt");
    $("check").open = true;
  }
  for (const id of CHOICES) {
    if (typeof kept[id] !== "string") continue;
    const usual = $(id).value;
    $(id).value = kept[id];
    if (!$(id).checkValidity() || $(id).value !== kept[id]) $(id).value = usual; // of another version, or beyond the limits here
  }
  for (const id of CHECKS) if (typeof kept[id] === "boolean") $(id).checked = kept[id];
}

async function restore() {
  try {
    const given = await keep.shared();
    const kept = given ?? keep.remembered();
    if (kept) use(kept);
    if (given) {
      history.replaceState(null, "", location.pathname); // a reload keeps what was changed since
      $("said").textContent = "This task came with the link.";
      save();
    }
  } catch (error) {
    $("trouble").textContent = error.message;
  }
}

addEventListener("hashchange", async () => { await restore(); describe(); });

$("share").addEventListener("click", async () => {
  $("trouble").textContent = $("said").textContent = "";
  try {
    const address = await keep.link(state());
    try {
      await navigator.clipboard.writeText(address);
      $("said").textContent = `A link of ${address.length.toLocaleString("en")} characters with the whole task is copied; no server keeps it.`;
    } catch { // browsers offer the clipboard on this machine and over HTTPS only
      history.replaceState(null, "", address);
      $("said").textContent = "The address of this page is now a link with the whole task; no server keeps it.";
    }
  } catch (error) {
    $("trouble").textContent = error.message;
  }
});

// ---- texts

$("example").addEventListener("change", () => {
  const example = examples.find(({ name }) => name === $("example").value);
  if (!example) return;
  editors.domain.set(example.domain, `${example.name}/domain.pddl`);
  editors.problem.set(example.problem, `${example.name}/problem.pddl`);
  save();
});

async function load(files, target) {
  for (const file of files) {
    if (file.size > server.request_limit) {
      $("trouble").textContent = `${file.name} is larger than the ${server.request_limit / 2 ** 20} MB that the server takes`;
      continue;
    }
    const text = await file.text();
    const kind = text.match(/\(\s*define\s*\(\s*(domain|problem)\b/i)?.[1].toLowerCase();
    const editor = files.length > 1 || !target ? editors[kind ?? "problem"] : target;
    editor.set(text, file.name);
    if (editor !== editors.plan) $("example").value = "";
    save();
  }
}

let depth = 0; // of elements that a dragged file has entered
addEventListener("dragenter", () => { depth++; $("drop").hidden = false; });
addEventListener("dragleave", () => { if (--depth <= 0) $("drop").hidden = true; });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  depth = 0;
  $("drop").hidden = true;
  load([...event.dataTransfer.files], null);
});

// ---- a run

$("solve").addEventListener("submit", (event) => { event.preventDefault(); start(); });
$("cancel").addEventListener("click", cancel);
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !current) $("solve").requestSubmit();
});
addEventListener("pagehide", () => { if (current) fetch(`/api/runs/${current}`, { method: "DELETE", keepalive: true }); });

function chosenSearch() {
  const { name, admissible } = chosenHeuristic();
  const options = $("heuristic").disabled ? [] : [`heuristic=${($("search").value === "astar" && admissible) || name}`];
  for (const option of ["preferred", "deferred"]) if ($(option).checked && !$(option).disabled) options.push(`${option}=True`);
  return `${$("search").value}(${options.join(", ")})`;
}

function start() {
  ask({
    search: chosenSearch(),
    seed: Number($("seed").value),
    max_evaluations: $("evaluations").value ? Number($("evaluations").value) : null,
    anytime: $("anytime").checked,
  });
}

$("validate").addEventListener("click", () => ask({ plan: editors.plan.value }));

async function ask(wanted) {
  for (const editor of Object.values(editors)) editor.clear();
  $("trouble").textContent = $("said").textContent = "";
  busy(true);
  outcome.clear();
  reveal();
  try {
    const response = await fetch("/api/runs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        domain: editors.domain.value,
        problem: editors.problem.value,
        time_limit: Number($("time").value),
        memory_limit: Number($("memory").value) * 2 ** 20,
        report: true,
        ...wanted,
      }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(described(answer.detail, response.status));
    follow(answer);
  } catch (error) {
    $("outcome").hidden = true;
    $("trouble").textContent = error.message === "Failed to fetch" ? "the server does not answer" : error.message;
    busy(false);
  }
}

function described(detail, status) {
  if (Array.isArray(detail)) return detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join("; ");
  return detail ?? `the server answered with ${status}`;
}

function follow(run) {
  events?.close(); // of a run whose search report was not awaited
  current = run.id;
  $("cancel").disabled = false;
  outcome.show(run);
  events = new EventSource(`/api/runs/${run.id}/events`);
  events.addEventListener("run", ({ data }) => {
    const now = JSON.parse(data);
    outcome.show(now);
    if (now.state !== "finished" && now.state !== "cancelled") return;
    if (current) ended(now);
    if (now.report !== "pending" && now.plan_page !== "pending") events.close();
  });
  events.addEventListener("error", () => {
    if (!current) return;
    if (events.readyState !== EventSource.CLOSED) return outcome.tell("the server does not answer; trying again …", "failed");
    outcome.tell("the server does not know this run any more", "failed");
    finish();
  });
}

function ended({ problem }) {
  finish();
  if (!problem?.file) return reveal();
  const all = [problem, ...problem.others];
  const files = new Set(all.map(({ file }) => file));
  for (const name of [...files].reverse()) // the first problem is the one that is gone to
    editors[name.split(".")[0]].show(all.filter(({ file }) => file === name));
}

// On a phone the outcome is far below, and the buttons are always in sight.
function reveal() {
  if (matchMedia("(max-width: 760px)").matches) $("outcome").scrollIntoView();
}

function finish() {
  current = null;
  busy(false);
}

function cancel() {
  $("cancel").disabled = true;
  fetch(`/api/runs/${current}`, { method: "DELETE" }).catch(() => { $("cancel").disabled = false; });
}

function busy(running) {
  $("start").disabled = $("validate").disabled = running;
  $("cancel").hidden = !running;
  if (running) $("cancel").disabled = true; // until the run has an id
}

document.documentElement.dataset.ready = "true"; // for tests: everything listens now
