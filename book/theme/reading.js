// How pages read: long lines wrap, what still scrolls says so, counters that do not differ fold, and paper shows all.
(function () {
  "use strict";
  const { make } = window.parts;

  // Text wraps, unless it is a table: then its columns would come apart.
  const is_table = (text) => /^-{8,}/m.test(text) || text.split("\n").filter((line) => /\S {2,}\S/.test(line.trim())).length > 2;
  document.querySelectorAll("main code.language-text, main code.language-diff").forEach((code) => {
    if (!is_table(code.textContent) || code.classList.contains("language-diff")) code.classList.add("wraps");
  });

  // What scrolls sideways must do so without a mouse too, and fades where it goes on.
  const boxes = document.querySelectorAll("main pre > code, main .table-wrapper");
  function look(box) {
    const left = box.scrollLeft > 2, right = box.scrollLeft + box.clientWidth < box.scrollWidth - 2;
    box.classList.toggle("more-left", left);
    box.classList.toggle("more-right", right);
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => look(target)));
  boxes.forEach((box) => {
    box.addEventListener("scroll", () => look(box), { passive: true });
    sizes.observe(box);
    look(box);
  });

  // In a table of counters, those that are the same in all columns fold behind a button.
  document.querySelectorAll("main .table-wrapper > table").forEach((table) => {
    if (!table.tHead || table.tHead.rows[0].cells[0].textContent !== "counter") return;
    const rows = [...table.tBodies[0].rows], same = rows.filter((row) => {
      const values = [...row.cells].slice(1).map((cell) => cell.textContent);
      return values.length > 1 && values.every((value) => value === values[0]);
    });
    if (same.length < 3 || same.length === rows.length) return;
    same.forEach((row) => row.classList.add("same"));
    const say = () => (table.classList.contains("folded") ? `Show the ${same.length} counters that are the same` : "Show only what differs");
    const button = make("button", { type: "button", class: "unfold", onclick: () => {
      table.classList.toggle("folded");
      button.textContent = say();
      button.setAttribute("aria-expanded", String(!table.classList.contains("folded")));
      look(table.parentElement);
    } });
    table.classList.add("folded");
    button.setAttribute("aria-expanded", "false");
    button.textContent = say();
    table.parentElement.after(button);
  });

  // Where to get the repository, if whoever made this site has said so: book.toml, git-repository-url.
  const repository = document.querySelector("#mdbook-menu-bar a[title='Git repository']");
  document.querySelectorAll(".clone").forEach((box) => {
    if (!repository) return;
    box.append(make("p", {}, "Get the repository first:"), make("pre", {}, make("code", { class: "language-sh hljs" }, `git clone ${repository.href}`)));
  });

  // On paper nothing can be opened.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("main details:not([open])")];
    opened.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => opened.splice(0).forEach((fold) => { fold.open = false; }));
})();
// SPDX-License-Identifier: MIT
