// The page: two texts and a choice of search go to the server, what becomes of them comes back.

import { Editor } from "/static/editor.js";
import * as outcome from "/static/outcome.js";

const $ = (id) => document.getElementById(id);
const editors = {};
let events = null; // of the run under way
let current = null; // its id

for (const section of document.querySelectorAll(".editor")) {
  editors[section.dataset.file] = new Editor(section, load, () => { $("example").value = ""; });
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
$("search").addEventListener("change", describe);
$("heuristic").addEventListener("change", describe);
describe();

function describe() {
  const of = (select, items) => items.find(({ name }) => name === $(select).value);
  const search = of("search", components.searches);
  for (const option of ["heuristic", "preferred", "deferred"]) $(option).disabled = !search.options.includes(option);
  $("search-summary").textContent = `${search.summary}  ·  ${of("heuristic", components.heuristics).summary}`;
}

// ---- texts

$("example").addEventListener("change", () => {
  const example = examples.find(({ name }) => name === $("example").value);
  if (!example) return;
  editors.domain.set(example.domain, `${example.name}/domain.pddl`);
  editors.problem.set(example.problem, `${example.name}/problem.pddl`);
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
    $("example").value = "";
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
  const options = $("heuristic").disabled ? [] : [`heuristic=${$("heuristic").value}`];
  for (const option of ["preferred", "deferred"]) if ($(option).checked && !$(option).disabled) options.push(`${option}=True`);
  return `${$("search").value}(${options.join(", ")})`;
}

async function start() {
  for (const editor of Object.values(editors)) editor.clear();
  $("trouble").textContent = "";
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
        search: chosenSearch(),
        seed: Number($("seed").value),
        time_limit: Number($("time").value),
        memory_limit: Number($("memory").value) * 2 ** 20,
        max_evaluations: $("evaluations").value ? Number($("evaluations").value) : null,
        report: true,
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
    if (now.report !== "pending") events.close();
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
  if (problem?.file) editors[problem.file.replace(".pddl", "")].show(problem);
  else reveal();
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
  $("start").disabled = running;
  $("cancel").hidden = !running;
  if (running) $("cancel").disabled = true; // until the run has an id
}

document.documentElement.dataset.ready = "true"; // for tests: everything listens now
