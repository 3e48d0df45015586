// What the book's controls are made of.
(function () {
  "use strict";

  // An element with attributes (on…: listeners) and children.
  function make(name, attributes, children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value);
    }
    element.append(...[].concat(children === undefined ? [] : children));
    return element;
  }

  // A select with its label; options are pairs of value and text.
  function choice(name, options, chosen, on_change) {
    const select = make("select", { onchange: on_change, "aria-label": name }, options.map(([value, text]) => make("option", { value }, text)));
    select.value = chosen;
    return { label: make("label", {}, [`${name} `, select]), select };
  }

  // A number with its label. `value` lies between the limits; `complaint()` says what is wrong with what was typed, or "".
  function number(name, value, least, most, on_change, step) {
    const field = make("input", { type: "number", "aria-label": name, min: least, max: most, step: step || 1, value });
    const within = () => Math.max(least, Math.min(most, Math.round(Number(field.value)) || least));
    field.addEventListener("input", () => on_change());
    const text = (limit) => limit.toLocaleString("en");
    const complaint = () => (field.value !== "" && within() === Number(field.value) ? "" :
      `${name} must be a whole number from ${text(least)} to ${text(most)}.`);
    return { label: make("label", {}, [`${name} `, field]), field, complaint, get value() { return within(); } };
  }

  // One of many cells takes the focus, and the arrow keys move it. `choose` hears of the cell that is pointed at or has it.
  function roving(row, cells, choose) {
    let at = 0;
    const focus = (k) => {
      cells[at].tabIndex = -1;
      at = (k + cells.length) % cells.length;
      cells[at].tabIndex = 0;
    };
    cells.forEach((cell, k) => {
      cell.tabIndex = k ? -1 : 0;
      cell.addEventListener("mouseenter", () => choose(k));
      cell.addEventListener("focus", () => { focus(k); choose(k); });
    });
    row.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const place = event.key === "Home" ? 0 : event.key === "End" ? cells.length - 1 : step && at + step;
      if (place === undefined) return;
      event.preventDefault();
      focus(place);
      cells[at].focus();
    });
  }

  window.parts = { make, choice, number, roving };
})();
// SPDX-License-Identifier: MIT
