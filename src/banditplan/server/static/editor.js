// A text field with line numbers, into which files can be loaded, and which shows where something is wrong.

const PADDING = 8; // above the first line, as in the style sheet

export class Editor {
  #text; #gutter; #marks; #problem; #name; #wrong = new Set(); #height; #lines = 1;

  // `load` gets files that were picked; `edited` is called when the text was changed by hand.
  constructor(section, load, edited) {
    this.#text = section.querySelector("textarea");
    this.#gutter = section.querySelector(".gutter");
    this.#marks = section.querySelector(".marks");
    this.#problem = section.querySelector(".problem");
    this.#name = section.querySelector(".name");
    this.#height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--line-height"));
    this.#text.addEventListener("input", () => {
      this.clear();
      this.#name.textContent = section.dataset.file === "plan" ? "plan.txt" : `${section.dataset.file}.pddl`;
      edited();
    });
    this.#text.addEventListener("scroll", () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.#text);
    const picker = section.querySelector("input[type=file]");
    picker.addEventListener("change", () => {
      load([...picker.files], this);
      picker.value = "";
    });
    section.addEventListener("dragover", () => section.classList.add("over"));
    for (const type of ["dragleave", "drop"]) section.addEventListener(type, () => section.classList.remove("over"));
    this.#draw();
  }

  get value() { return this.#text.value; }
  get name() { return this.#name.textContent; }

  set(text, name) {
    this.#text.value = text;
    this.#name.textContent = name;
    this.#text.scrollTop = this.#text.scrollLeft = 0;
    this.clear();
  }

  clear() {
    this.#wrong.clear();
    this.#lines = this.#text.value.split("\n").length;
    this.#problem.replaceChildren();
    this.#text.removeAttribute("aria-invalid");
    this.#draw();
  }

  // All that is wrong in this text, the first of which is gone to.
  show(problems) {
    this.#wrong = new Set(problems.map(({ line }) => line));
    this.#problem.replaceChildren(...problems.map(({ line, column, message }) => {
      const place = document.createElement("button");
      place.type = "button";
      place.textContent = `line ${line}, column ${column}`;
      place.addEventListener("click", () => this.goTo(line, column));
      const problem = document.createElement("p");
      problem.append(place, message);
      return problem;
    }));
    this.#text.setAttribute("aria-invalid", "true");
    this.goTo(problems[0].line, problems[0].column);
  }

  goTo(line, column) {
    const lines = this.#text.value.split("\n");
    const begin = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    const length = (lines[line - 1]?.slice(column - 1).match(/^([()]|[^\s();]+)/)?.[0].length) ?? 1;
    this.#text.focus({ preventScroll: true });
    this.#text.setSelectionRange(begin, begin + length);
    this.#text.scrollTop = Math.max(0, (line - 1) * this.#height - this.#text.clientHeight / 2);
    this.#text.closest("section").scrollIntoView({ block: "nearest" });
    this.#draw();
  }

  // Only the numbers that are seen: a file may have a million lines.
  #draw() {
    const top = this.#text.scrollTop;
    const first = Math.max(1, Math.floor((top - PADDING) / this.#height) + 1);
    const last = Math.min(this.#lines, first + Math.ceil(this.#text.clientHeight / this.#height) + 1);
    const numbers = [];
    for (let line = first; line <= last; line++) {
      const number = document.createElement("span");
      number.textContent = line;
      number.style.top = `${this.#top(line)}px`;
      if (this.#wrong.has(line)) number.className = "wrong";
      numbers.push(number);
    }
    this.#gutter.replaceChildren(...numbers);
    this.#marks.replaceChildren(...[...this.#wrong].map((line) => {
      const mark = document.createElement("div");
      mark.className = "mark";
      mark.style.top = `${this.#top(line)}px`;
      return mark;
    }));
  }

  #top(line) { return PADDING + (line - 1) * this.#height - this.#text.scrollTop; }
}
