// Plays the traces of a page's kernels: <div class="stepper" data-steps="PAGE"> (book/stepper/stepper.py). Its data is a
// script beside the pages, loaded when the stepper comes near: pages stay small, and work from a file.
(function () {
  "use strict";
  const { lanes_of, unpack } = window.stepper_trace;
  const OUTPUT_BEGINS = 1 << 20; // as in book/stepper/compact.py
  const { make, choice, roving } = window.parts;
  const { moments, pace } = window.stepper_moments;
  const UNITS = { line: "line", access: "memory access", meeting: "barrier or shuffle", instruction: "PTX instruction" };
  const plural = (count, one, many) => `${count} ${count === 1 ? one : many || one + "s"}`;

  class Stepper {
    constructor(box, data) {
      this.box = box;
      this.kernels = data.kernels;
      this.lane = null;
      this.build();
      this.load();
    }

    build() {
      const own = this.kernels.length - 1;
      this.kernel_choice = choice("Kernel", this.kernels.map(({ title }, k) => [k, title]), own, () => this.load());
      this.schedule_choice = choice("Lanes run", [["lockstep", "together (lockstep)"],
        ["ascending", "one by one, lowest first"], ["descending", "one by one, highest first"]], "lockstep", () => this.load());
      this.warp_choice = choice("Warp", [], "0", () => this.filter());
      const units = Object.entries(UNITS).filter(([unit]) => unit !== "instruction" || "ptx" in this.box.dataset);
      this.unit_choice = choice("To the next", units, "line", () => this.pick());
      this.back = make("button", { type: "button", onclick: () => this.by(-1) }, "◀ Back");
      this.play_button = make("button", { type: "button", onclick: () => this.toggle() }, "Play");
      this.next = make("button", { type: "button", onclick: () => this.by(1) }, "Next ▶");
      this.slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "step", oninput: () => this.go(+this.slider.value) });
      this.count = make("span", { class: "count" });
      this.code = make("pre", { class: "lines", tabindex: 0, "aria-label": "source" });
      this.told = make("p", { class: "told", "aria-live": "polite" });
      this.lanes = Array.from({ length: 32 }, (_, lane) => make("span", { class: "cell", role: "option", "aria-selected": "false" }));
      this.lane_row = make("div", { class: "lanes", role: "listbox", "aria-label": "lanes of the warp" }, this.lanes);
      roving(this.lane_row, this.lanes, (lane) => this.point_at(lane));
      this.detail = make("p", { class: "detail" });
      this.memory = make("div", { class: "memory" });
      this.warps = make("div", { class: "warps" });
      const panel = make("div", { class: "panel", role: "group", "aria-label": "stepper" }, [
        make("div", { class: "choices" }, [this.kernel_choice.label, this.schedule_choice.label, this.warp_choice.label,
          this.unit_choice.label]),
        make("div", { class: "buttons" }, [this.back, this.play_button, this.next, this.slider, this.count]),
        this.code, this.told, this.lane_row, this.detail, this.memory, this.warps,
      ]);
      panel.addEventListener("keydown", (event) => event.stopPropagation()); // the arrows are ours: mdBook turns pages
      this.box.append(panel);
      this.box.classList.add("live");
    }

    load() {
      this.stop();
      this.kernel = this.kernels[+this.kernel_choice.select.value];
      const schedule = this.schedule_choice.select.value;
      this.is_cut = this.kernel.schedules[schedule].truncated;
      this.steps = unpack(this.kernel, schedule);
      this.moments = null;
      const warps = [...new Set(this.steps.map(({ warp }) => warp))].sort((a, b) => a - b);
      const before = this.warp_choice.select.value;
      this.warp_choice.select.replaceChildren(...warps.map((warp) => make("option", { value: warp }, `warp ${warp}`)),
        ...(warps.length > 1 ? [make("option", { value: "all" }, "all, as they ran")] : []));
      this.warp_choice.select.value = [...this.warp_choice.select.options].some(({ value }) => value === before) ? before : warps[0];
      this.all_warps = warps;
      this.show_source();
      this.filter();
    }

    // The moments of the chosen warp. A unit of which the kernel has none cannot be chosen.
    filter() {
      const warp = this.warp_choice.select.value, select = this.unit_choice.select;
      const places = this.steps.map((_, k) => k).filter((k) => warp === "all" || this.steps[k].warp === +warp);
      this.by_unit = moments(this.kernel, this.steps, places);
      for (const option of select.options) option.disabled = this.by_unit[option.value].length === 0;
      if (select.selectedOptions[0].disabled) select.value = "line";
      this.pick();
    }

    // The moments by the chosen unit.
    pick() {
      this.stop();
      const here = this.moments && this.moments[this.at].first;
      this.moments = this.by_unit[this.unit_choice.select.value];
      this.pace = pace(this.moments.length);
      this.slider.max = this.moments.length - 1;
      this.go(Math.max(0, this.moments.findIndex(({ last }) => last >= here))); // where the reader was, by the other unit
    }

    show_source() {
      this.line_of = new Map();
      const rows = [];
      this.kernel.sources.forEach(([name, parts], file) => {
        rows.push(make("span", { class: "file" }, name + "\n"));
        parts.forEach(([first, text], part) => {
          if (part) rows.push("\n");
          text.split("\n").forEach((line, k) => {
            const row = make("span", { class: "line" }, [make("span", { class: "number" }, String(first + k)), line + "\n"]);
            this.line_of.set(`${file}:${first + k}`, row);
            rows.push(row);
          });
        });
      });
      this.code.replaceChildren(...rows);
    }

    by(distance) {
      this.stop();
      this.go(this.at + distance);
    }

    go(at) {
      this.at = Math.max(0, Math.min(at, this.moments.length - 1));
      this.slider.value = this.at;
      this.render();
    }

    toggle() {
      if (this.timer) return this.stop();
      if (this.at === this.moments.length - 1) this.go(0);
      this.told.setAttribute("aria-live", "off"); // nobody can listen that fast
      this.play_button.textContent = "Pause";
      this.timer = setInterval(() => {
        this.go(this.at + this.pace.by);
        if (this.at === this.moments.length - 1) this.stop();
      }, 1000 * this.pace.seconds);
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.told.setAttribute("aria-live", "polite");
      this.play_button.textContent = "Play";
    }

    render() {
      const moment = this.moments[this.at], step = this.steps[moment.shown];
      const [place, op, kind, space, bytes] = this.kernel.instructions[step.instruction];
      const lanes = moment.lanes || lanes_of(step.mask);
      const mask = lanes.reduce((all, lane) => (all | (1 << lane)) >>> 0, 0);
      this.step = { ...step, mask, place, op, kind, space, bytes,
        lanes: lanes.map((lane, k) => ({ lane, address: step.values[k] })) };
      this.count.textContent = `${this.at + 1} of ${this.moments.length}`;
      this.slider.setAttribute("aria-valuetext", `step ${this.at + 1} of ${this.moments.length}`);
      this.back.disabled = this.at === 0;
      this.next.disabled = this.at === this.moments.length - 1;
      this.show_line(place);
      this.view = window.stepper_views.of(this.step, this.name_of.bind(this), moment);
      const ends = this.is_cut && this.at === this.moments.length - 1 ? " The kernel goes on; the trace ends here." : "";
      const begins = this.unit_choice.select.value === "instruction" ? `${op}: ` : this.current ? `Line ${place[1]}: ` : "";
      this.told.textContent = `${begins}${moment.lanes ? "" : `${plural(lanes.length, "lane")} of 32 `}${this.view.does}.${ends}`;
      this.lane_row.setAttribute("aria-label", `lanes of warp ${step.warp}`);
      this.lanes.forEach((cell, lane) => {
        const is_on = (mask >>> lane) & 1;
        cell.classList.toggle("on", Boolean(is_on));
        cell.textContent = this.view.marks.get(lane) ?? "";
        cell.setAttribute("aria-label", this.about(lane));
      });
      this.memory.replaceChildren(...this.view.parts);
      this.show_warps();
      this.point_at(this.lane);
    }

    show_line(place) {
      const row = place && this.line_of.get(place.join(":"));
      if (this.current) this.current.classList.remove("current");
      this.current = row || null;
      if (!row) return;
      row.classList.add("current");
      const top = row.offsetTop, bottom = top + row.offsetHeight;  // within the box, which is positioned
      if (top < this.code.scrollTop || bottom > this.code.scrollTop + this.code.clientHeight) {
        this.code.scrollTop = top - this.code.clientHeight / 2;
      }
    }

    name_of(address) {
      const [input, output] = this.kernel.arrays;
      return address >= OUTPUT_BEGINS ? [output, address - OUTPUT_BEGINS] : [input, address];
    }

    about(lane) {
      const is_on = (this.step.mask >>> lane) & 1;
      return `lane ${lane}, thread ${this.step.warp * 32 + lane}: ${is_on ? this.view.about.get(lane) || "on" : "off"}`;
    }

    point_at(lane) {
      this.lane = lane;
      this.lanes.forEach((cell, k) => cell.setAttribute("aria-selected", String(k === lane)));
      this.detail.textContent = lane === null ? "Point at a lane, or choose one with the arrow keys." : `${this.about(lane)}.`;
      const chosen = lane === null ? undefined : this.view.target.get(lane);
      this.memory.querySelectorAll("[data-target]").forEach((cell) => {
        cell.classList.toggle("chosen", chosen !== undefined && cell.dataset.target === String(chosen));
      });
    }

    // How many barriers each warp has come to, so far.
    show_warps() {
      const [x, y, z] = this.kernel.block, threads = x * y * z, here = this.moments[this.at].last;
      const arrivals = new Map(this.all_warps.map((warp) => [warp, 0])), begun = new Set(), left = new Map();
      for (let k = 0; k <= here; ++k) {
        const { warp, instruction, mask } = this.steps[k], kind = this.kernel.instructions[instruction][2];
        begun.add(warp);
        if (kind === "barrier") arrivals.set(warp, arrivals.get(warp) + lanes_of(mask).length);
        if (kind === "leave") left.set(warp, (left.get(warp) || 0) + lanes_of(mask).length);
      }
      const cells = this.all_warps.map((warp) => {
        const lanes = Math.min(32, threads - 32 * warp), came = arrivals.get(warp) / lanes;
        const least = Math.min(...this.all_warps.map((other) => {
          const size = Math.min(32, threads - 32 * other);
          return left.get(other) === size ? Infinity : arrivals.get(other) / size;
        }));
        const state = left.get(warp) === lanes ? "ended" : !begun.has(warp) ? "not begun" :
          Number.isInteger(came) && came > least ? "waits" : "runs";
        return make("span", { class: `warp ${state.replace(" ", "-")}` }, `warp ${warp}: ${plural(Math.floor(came), "barrier")}, ${state}`);
      });
      this.warps.replaceChildren(...cells);
    }
  }

  function start(box) {
    const page = box.dataset.steps;
    const begin = () => new Stepper(box, window.stepper_data[page]);
    if (window.stepper_data && window.stepper_data[page]) return begin();
    const script = make("script", { src: `steps/${page}.js` });
    script.addEventListener("load", begin);
    document.head.append(script);
  }

  const near = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    near.unobserve(entry.target);
    start(entry.target);
  }), { rootMargin: "600px" });
  document.querySelectorAll(".stepper[data-steps]").forEach((box) => near.observe(box));
})();
// SPDX-License-Identifier: MIT
