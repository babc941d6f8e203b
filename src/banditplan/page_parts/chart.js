"use strict";

const MARGIN = { top: 22, right: 14, bottom: 38, left: 50 };

/** An empty chart with axes and grid; returns the SVG and its plot, which is clipped to the frame. */
function frame(container, { width, height, x, y, xLabel, yLabel, label, yFormat = null, yTicks = 5 }) {
  container.replaceChildren();
  x.range([MARGIN.left, width - MARGIN.right]);
  y.range([height - MARGIN.bottom, MARGIN.top]);
  const svg = d3.select(container).append("svg").attr("width", width).attr("height", height);
  svg.attr("role", "img").attr("aria-label", label);
  const ticks = Math.max(Math.floor(width / 90), 3);
  svg.append("g").attr("class", "grid").attr("transform", `translate(${MARGIN.left},0)`)
    .call(d3.axisLeft(y).ticks(yTicks).tickSize(-(width - MARGIN.left - MARGIN.right)).tickFormat(""));
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - MARGIN.bottom})`)
    .call(d3.axisBottom(x).ticks(ticks).tickFormat(tick).tickSizeOuter(0));
  svg.append("g").attr("class", "axis").attr("transform", `translate(${MARGIN.left},0)`)
    .call(d3.axisLeft(y).ticks(yTicks).tickFormat(yFormat ? d3.format(yFormat) : tick).tickSizeOuter(0));
  svg.append("text").attr("class", "soft").attr("x", width - MARGIN.right).attr("y", height - 4).attr("text-anchor", "end").text(xLabel);
  svg.append("text").attr("class", "soft").attr("x", 4).attr("y", 12).text(yLabel);
  const plot = svg.append("svg").attr("x", 0).attr("y", 0).attr("width", width - MARGIN.right + 2).attr("height", height - MARGIN.bottom + 1);
  return { svg, plot };
}

function tick(value) {
  return minus(d3.format(Math.abs(value) < 10_000 ? "," : "~s")(value));
}

/** Curves of several searches or counters, with a key and a reading under the pointer. */
function lines(container, { series, height = 230, xLabel, yLabel, label, yFormat = null, yMost = null, step = false }) {
  const drawn = series.filter((one) => one.points.length > 0);
  if (drawn.length === 0) {
    container.append(element("p", { class: "soft" }, "The trace has no data for this."));
    return;
  }
  const box = element("div");
  container.append(box);
  if (drawn.length > 1) container.append(key(drawn));
  const all = drawn.flatMap((one) => one.points);
  responsive(box, (width) => {
    const x = d3.scaleLinear([Math.min(0, d3.min(all, (point) => point[0])), Math.max(1, d3.max(all, (point) => point[0]))], []);
    const y = d3.scaleLinear([0, yMost ?? Math.max(1, d3.max(all, (point) => point[1]) * 1.04)], []);
    const { svg, plot } = frame(box, { width, height, x, y, xLabel, yLabel, label, yFormat });
    const line = d3.line((point) => x(point[0]), (point) => y(point[1])).curve(step ? d3.curveStepAfter : d3.curveLinear);
    for (const one of drawn) {
      plot.append("path").attr("class", "curve").style("stroke", one.color).attr("d", line(one.points));
      if (one.points.length === 1) plot.append("circle").attr("r", 4).style("fill", one.color).attr("cx", x(one.points[0][0])).attr("cy", y(one.points[0][1]));
    }
    reading(svg, drawn, x, xLabel, yFormat);
  });
}

function key(series) {
  return element("div", { class: "key" }, ...series.map((one) => {
    const made = element("span", {}, one.name);
    made.style.setProperty("--mark", one.color);
    return made;
  }));
}

function reading(svg, series, x, xLabel, yFormat) {
  const bisect = d3.bisector((point) => point[0]).right;
  const value = yFormat ? d3.format(yFormat) : shown;
  svg.on("pointermove", (event) => {
    const at = x.invert(d3.pointer(event)[0]);
    const texts = series.map((one) => {
      const point = one.points[Math.max(bisect(one.points, at) - 1, 0)];
      return `${one.name}: ${value(point[1])}`;
    });
    tip.show(event, `${whole(Math.max(Math.round(at), 0))} ${xLabel}\n${texts.join("\n")}`);
  }).on("pointerleave", tip.hide);
}
