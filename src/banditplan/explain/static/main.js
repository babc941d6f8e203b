"use strict";

const searches = JSON.parse(document.getElementById("data").textContent).map((data) => new Search(data));
document.getElementById("made").textContent = `Made by banditplan from ${searches.length > 1 ? "traces" : "the trace"} of version ${[...new Set(searches.map((search) => search.version))].join(" and ")}.`;
if (searches.length === 1) report(searches[0]);
else comparison(searches);
document.documentElement.dataset.ready = "";
