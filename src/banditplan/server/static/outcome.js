// What is known of a run: progress while it lasts, then plan, statistics and search report.

const $ = (id) => document.getElementById(id);
const MOST_STEPS = 2000; // shown; the file has all
const count = new Intl.NumberFormat("en").format;
const seconds = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
const megabytes = (kilobytes) => `${count(Math.round(kilobytes / 1024))} MB`;

let curve = [];
let shown = null; // the run whose result is on the page
let found = 0; // the plan of an anytime search that is on the page

export function clear() {
  curve = [];
  shown = null;
  found = 0;
  $("outcome").hidden = false;
  for (const id of ["curve", "excerpt", "report", "plan-page", "plans"]) $(id).hidden = true;
  document.querySelector(".found").hidden = true;
  $("progress").replaceChildren();
  $("warnings").replaceChildren();
  tell("starting …");
}

export function show(run) {
  tiles(run);
  warnings(run.warnings);
  improve(run);
  if (run.state === "waiting") return tell(run.position ? `waiting; ${run.position} ahead` : "waiting; next in line");
  if (run.state === "running") return tell(`${run.stage ?? "starting"} …${run.plans.length ? ` plan ${run.plans.length} costs ${count(run.plans.at(-1).cost)}` : ""}`);
  if (shown !== run.id) {
    shown = run.id;
    result(run);
  }
  frame("report", run.report, `/api/runs/${run.id}/report`);
  frame("plan-page", run.plan_page, `/api/runs/${run.id}/plan-page`);
}

// The plans of an anytime search as they come: all in a list, the steps of the last one.
async function improve({ id, plans, state }) {
  if (plans.length === 0) return;
  $("plans").hidden = false;
  $("plans").replaceChildren(...plans.map(({ number, length, cost, seconds: time }) => element("li", `plan ${number}: ${count(length)} steps, cost ${count(cost)}, after ${seconds(time)}`)).reverse());
  const { number } = plans.at(-1);
  if (state !== "running" || number === found) return;
  found = number;
  const answer = await fetch(`/api/runs/${id}/plan`);
  if (!answer.ok || number !== found || shown !== null) return;
  const steps = (await answer.text()).split("\n").filter((line) => line.startsWith("("));
  document.querySelector(".found").hidden = false;
  $("statistics").tBodies[0].replaceChildren();
  plan(steps);
}

export function tell(text, kind = "") {
  $("status").textContent = text;
  $("status").className = kind;
}

function tiles({ progress, result }) {
  if (!progress && !result) return;
  const evaluations = result?.evaluations ?? progress.evaluations;
  const best = result ? result.best_h : progress.best_h;
  const time = result?.seconds.total ?? progress.seconds;
  const searching = result?.seconds.search || progress?.seconds;
  const rate = evaluations / Math.max(searching ?? 0, 1e-3);
  const values = {
    "Best h": best ?? "–",
    Evaluations: count(evaluations),
    "Per second": searching ? count(Math.round(rate)) : "–",
    Memory: megabytes(result?.peak_memory_kb ?? progress.memory_kb),
    Time: seconds(time),
  };
  $("progress").replaceChildren(...Object.entries(values).map(([name, value]) => {
    const tile = document.createElement("div");
    tile.append(element("dt", name), element("dd", value));
    return tile;
  }));
  if (best !== null) draw(evaluations, best);
}

// Best h only falls, so a staircase is exact between the reports.
function draw(evaluations, best) {
  const last = curve.at(-1);
  if (last && last[0] === evaluations) return;
  curve.push([evaluations, best]);
  if (curve.length < 3) return;
  const [right, top] = [evaluations, curve[0][1] || 1];
  const x = (value) => (4 + (592 * value) / right).toFixed(1);
  const y = (value) => (84 - (78 * value) / top).toFixed(1);
  const steps = curve.map(([e, h]) => `H${x(e)}V${y(h)}`).join("");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", `M${x(0)} ${y(top)}${steps}`);
  const picture = $("curve").querySelector("svg");
  picture.replaceChildren(path);
  $("curve").querySelector("figcaption").textContent =
    `Best h over evaluations: ${top} → ${best} after ${count(evaluations)}`;
  $("curve").hidden = false;
}

function warnings(texts) {
  $("warnings").replaceChildren(...texts.map((text) => element("li", `warning: ${text}`)));
}

function result(run) {
  if (run.problem) {
    const { excerpt, others } = run.problem;
    tell(run.state === "cancelled" ? "cancelled" : placed(run.problem), run.state === "cancelled" ? "" : "failed");
    $("excerpt").hidden = !excerpt;
    $("excerpt").textContent = [excerpt ?? "", ...others.map((other) => `${placed(other)}\n${other.excerpt}`)].join("\n\n");
    return;
  }
  if (run.check) return verdict(run.check);
  const { result: record } = run;
  if (!record) return tell("cancelled");
  tell(`${run.state === "cancelled" ? "cancelled" : record.status}: ${run.explanation}`, record.plan ? "solved" : "");
  document.querySelector(".found").hidden = false;
  plan(record.plan, record.reasons);
  statistics(record);
}

function placed({ file, line, column, message }) {
  return file ? `${file}:${line}:${column}: ${message}` : message;
}

function verdict({ valid, length, cost, reason }) {
  if (valid) tell(`valid: ${count(length)} steps, cost ${count(cost)}`, "solved");
  else tell(`not valid: ${reason}`, "failed");
}

function plan(steps, reasons) {
  const list = $("plan");
  for (const id of ["copy", "download"]) $(id).hidden = !steps;
  if (!steps) return list.replaceChildren(...["no plan", ...reasons].map((text) => element("li", text, "rest")));
  list.replaceChildren(...steps.slice(0, MOST_STEPS).map((step) => element("li", step)));
  if (steps.length === 0) list.append(element("li", "the goal holds already", "rest"));
  if (steps.length > MOST_STEPS) list.append(element("li", `… and ${count(steps.length - MOST_STEPS)} more: download`, "rest"));
  const text = steps.map((step) => `${step}\n`).join("");
  URL.revokeObjectURL($("download").href);
  $("download").href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  $("copy").hidden = !navigator.clipboard; // browsers offer it on this machine and over HTTPS only
  $("copy").onclick = async () => {
    await navigator.clipboard.writeText(text);
    $("copy").textContent = "Copied";
    setTimeout(() => { $("copy").textContent = "Copy"; }, 1500);
  };
}

function statistics(found) {
  const stages = Object.entries(found.seconds).filter(([name, value]) => value && name !== "total");
  const rows = {
    "Plan": found.plan && `${count(found.plan_length)} steps, cost ${count(found.plan_cost)}${found.valid ? ", checked" : ""}`,
    "Evaluated": count(found.evaluations),
    "Expanded": count(found.expansions),
    "Generated": count(found.generated),
    "Dead ends": count(found.dead_ends),
    "h at the start, best h": `${found.initial_h ?? "–"}, ${found.best_h ?? "–"}`,
    "Task": found.task && `${count(found.task.variables)} variables, ${count(found.task.facts)} facts, ${count(found.task.actions)} actions, ${count(found.task.axioms)} axioms`,
    "Seconds": stages.map(([name, value]) => `${name} ${value.toFixed(3)}`).concat(`total ${found.seconds.total.toFixed(3)}`).join(", "),
    "Peak memory": megabytes(found.peak_memory_kb),
    "Search": found.search,
    "Seed": found.seed,
    "Version": found.version,
  };
  $("statistics").tBodies[0].replaceChildren(...Object.entries(rows).filter(([, value]) => value !== null).map(([name, value]) => {
    const row = document.createElement("tr");
    const head = element("th", name);
    head.scope = "row";
    row.append(head, element("td", value));
    return row;
  }));
}

function frame(id, state, address) {
  const [section, link] = [$(id), $(id).querySelector(".alone")];
  const view = section.querySelector("iframe");
  const ready = state === "ready";
  section.hidden = state === "none";
  section.querySelector(".hint").hidden = ready;
  link.hidden = view.hidden = !ready;
  if (ready && view.getAttribute("src") !== address) view.src = link.href = address;
}

function element(kind, text, className = "") {
  const made = document.createElement(kind);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
