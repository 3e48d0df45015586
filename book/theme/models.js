// Models to play with: <div class="model" data-model="memory|launch|tile" …>. Other data-… attributes are what it begins
// with. The arithmetic is in memory_model.js and launch_models.js.
(function () {
  "use strict";
  const { make, choice, number } = window.parts;
  const { devices, residency, waves, machines, tile_bounds } = window.launch_models;
  const text = (value, digits) => value.toLocaleString("en", { maximumFractionDigits: digits || 0 });
  const layouts = [["plain", "one after the other"], ["padded", "rows of 32, padded to 33"], ["swizzled", "rows of 32, swizzled"]];

  // A box with controls above and what they lead to below; `show` returns a sentence and elements.
  function build(box, title, controls, show) {
    const told = make("p", { class: "told", role: "status" }), below = make("div", { class: "below" });
    const update = () => {
      const [sentence, ...parts] = show();
      told.textContent = sentence;
      below.replaceChildren(...parts);
    };
    box.append(make("p", { class: "heading" }, title), make("div", { class: "choices" }, controls(update).map(({ label }) => label)), told, below);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", title);
    box.addEventListener("keydown", (event) => event.stopPropagation()); // mdBook turns pages and searches
    update();
  }

  // A row of names and a row of what they are.
  function table(columns) {
    const cells = (kind, texts) => make("tr", {}, texts.map((each) => make(kind, {}, String(each))));
    return make("div", { class: "table-wrapper", tabindex: 0, role: "region", "aria-label": "what follows" }, make("table", {}, [make("thead", {}, cells("th", columns.map(([name]) => name))),
      make("tbody", {}, cells("td", columns.map(([, value]) => value)))]));
  }

  function memory(box) {
    const from = box.dataset, at = {};
    const controls = (update) => Object.values(Object.assign(at, {
      space: choice("Memory", [["shared", "shared"], ["global", "global"]], from.space || "shared", update),
      bytes: choice("Bytes an element", [1, 2, 4, 8, 16].map((size) => [size, size]), from.bytes || "4", update),
      stride: number("Stride", from.stride || 1, 0, 64, update),
      offset: number("Offset", from.offset || 0, 0, 64, update),
      layout: choice("Elements lie", layouts, from.layout || "plain", update),
    }));
    build(box, "Lane l loads element offset + stride × l: which banks or sectors does a warp reach?", controls, () => {
      const bytes = Number(at.bytes.select.value), space = at.space.select.value;
      const lanes = window.memory_model.pattern({ stride: at.stride.value, offset: at.offset.value, bytes, layout: at.layout.select.value });
      const view = window.stepper_views.of({ kind: "load", space, bytes, lanes }, (address) => ["in", address]);
      const row = make("div", { class: "grid lanes", role: "img", "aria-label": "what each lane reaches" },
        lanes.map(({ lane }) => make("span", { class: "cell on", title: `lane ${lane}: ${view.about.get(lane)}` }, String(view.marks.get(lane)))));
      const what = space === "shared" ? "Lanes 0 to 31: the bank in which each begins" : "Lanes 0 to 31: the sector in which each begins";
      return [`32 lanes ${view.does}.`, make("p", { class: "title" }, what), row, ...view.parts];
    });
  }

  function launch(box) {
    const at = {};
    const controls = (update) => Object.values(Object.assign(at, {
      device: choice("Device", devices.map(({ name }, k) => [k, name]), 0, update),
      grid: number("Blocks", 2048, 1, 2147483647, update),
      threads: number("Threads a block", 256, 1, 1024, update),
      registers: number("Registers a thread", 32, 1, 255, update),
      shared: number("Shared bytes a block", 1024, 0, 232448, update),
    }));
    build(box, "How many blocks are on the device at once, and in how many waves does a grid run?", controls, () => {
      const device = devices[Number(at.device.select.value)], grid = at.grid.value;
      const fits = residency(device, { threads: at.threads.value, registers: at.registers.value, shared: at.shared.value });
      const { count, last } = waves(grid, fits.fill);
      if (!fits.blocks) return [`Not one such block fits on a multiprocessor: the limit is ${fits.limits.join(" and ")}.`];
      const fill = make("meter", { min: 0, max: fits.fill, value: last, "aria-label": "how full the last wave is" });
      return [
        `${text(fits.blocks)} blocks on a multiprocessor, ${text(fits.fill)} on the device; the limit is ${fits.limits.join(" and ")}. ` +
          `${text(grid)} blocks run in ${text(count)} ${count === 1 ? "wave" : "waves"}; the last is ${text(100 * last / fits.fill)} % full.`,
        table([["blocks by", "at most"], ...Object.entries(fits.by).map(([name, blocks]) => [name, text(blocks)]),
          ["warps there", `${fits.warps} of ${device.warps}`], ["occupancy", `${text(100 * fits.share)} %`]]),
        make("p", { class: "title" }, ["The last wave: ", fill]),
      ];
    });
  }

  function tile(box) {
    const at = {};
    const controls = (update) => Object.values(Object.assign(at, {
      machine: choice("Machine", machines.map(({ name }, k) => [k, name]), 0, update),
      rows: number("Rows", 128, 1, 1024, update),
      columns: number("Columns", 128, 1, 1024, update),
      depth: number("Depth", 8, 1, 256, update),
      sums: number("Sums a side", 8, 1, 32, update),
      tiles: number("Tiles at once", 2, 1, 8, update),
    }));
    build(box, "What does a tile of C ask of memory, shared memory and registers?", controls, () => {
      const m = machines[Number(at.machine.select.value)];
      const chosen = { rows: at.rows.value, columns: at.columns.value, depth: at.depth.value, sums: at.sums.value, tiles: at.tiles.value };
      if (chosen.rows % chosen.sums || chosen.columns % chosen.sums) return ["A thread's sums must divide both the rows and the columns."];
      const b = tile_bounds(m, chosen), waits = [];
      if (b.bandwidth > m.bandwidth) waits.push("memory");
      if (b.shared_words > m.shared_words) waits.push("shared memory");
      const verdict = !b.fits ? "It does not fit." : waits.length ? `It fits, and waits for ${waits.join(" and ")}.` : "It fits, and arithmetic is the limit.";
      return [`${text(b.threads)} threads. ${verdict}`, table([
        ["GB/s needed", `${text(b.bandwidth)} of ${text(m.bandwidth)}`], ["least side", text(b.least_side, 1)],
        ["shared words a clock", `${text(b.shared_words)} of ${m.shared_words}`], ["least sums", text(b.least_sums, 1)],
        ["shared bytes", `${text(b.shared)} of ${text(m.shared)}`], ["registers a thread", `${b.registers} of ${m.most}`]])];
    });
  }

  const kinds = { memory, launch, tile };
  // Boxes of the kind "run" are those of common/playground.
  document.querySelectorAll(".model[data-model]").forEach((box) => (kinds[box.dataset.model] || (() => {}))(box));
})();
// SPDX-License-Identifier: MIT
