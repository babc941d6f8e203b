"use strict";

/** An HTML element. Children that are texts stay texts: names come from PDDL and may look like anything. */
function element(kind, attributes = {}, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

function card(title, ...children) {
  return element("section", { class: "card" }, element("h2", {}, title), ...children);
}

const whole = d3.format(",");

/** A number as people read it: no more digits than tell something. */
function shown(value) {
  if (value == null) return "–";
  if (Number.isInteger(value)) return minus(whole(value));
  return minus(d3.format(Math.abs(value) >= 1000 ? ",.0f" : Math.abs(value) >= 100 ? ".1f" : Math.abs(value) < 0.01 ? ".1e" : ".2f")(value));
}

function minus(text) {
  return text.replace("-", "−");
}

function percent(part, all) {
  return all > 0 ? `${d3.format(".1f")((100 * part) / all)} %` : "–";
}

function count(number, singular, plural = `${singular}s`) {
  return `${whole(number)} ${number === 1 ? singular : plural}`;
}

function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(Math.floor(most) - 1, 1))}…`;
}

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'; // as in the style sheet
const MONO = 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** How wide a text will be in a picture. */
const textWidth = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, font, family = SANS) => ((context.font = `${font} ${family}`), context.measureText(text).width);
})();

/** Call `draw(width)` now and whenever the width of the container changes. */
function responsive(container, draw) {
  let last = 0;
  const redraw = () => {
    const width = Math.floor(container.clientWidth);
    if (width > 0 && width !== last) draw((last = width));
  };
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(container);
  redraw();
}

const tip = (() => {
  const box = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  return {
    show(event, text) {
      if (!box.isConnected) document.body.append(box);
      box.textContent = text;
      box.hidden = false;
      const left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 6);
      const below = event.clientY + 18;
      const top = below + box.offsetHeight > innerHeight ? event.clientY - box.offsetHeight - 10 : below;
      box.style.left = `${Math.max(left, 4)}px`;
      box.style.top = `${Math.max(top, 4)}px`;
    },
    hide() {
      box.hidden = true;
    },
  };
})();
