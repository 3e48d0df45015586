// What a step does, as the stepper shows it: {does, marks, about, target, parts}. marks: what stands in a lane's cell;
// about: what is said of it; target: the bank, sector or lane it reaches; parts: elements to show below.
(function () {
  "use strict";
  const { make } = window.parts;
  const { sectors, bank_use, SECTOR, BANKS, WORD } = window.memory_model;
  const plural = (count, one) => `${count} ${one}${count === 1 ? "" : one.endsWith("s") ? "es" : "s"}`;
  const verbs = { load: ["loads", "load"], store: ["stores", "store"], atomic: ["adds atomically", "add atomically"] };

  const empty = (does) => ({ does, marks: new Map(), about: new Map(), target: new Map(), parts: [] });

  // Cells with a number in each; `tell` is read to those who do not see them.
  function cells(title, tell, list) {
    return [make("p", { class: "title" }, title), make("div", { class: `grid of-${list.length === BANKS ? 32 : "any"}`, role: "img", "aria-label": tell },
      list.map(({ target, text, level, small }) => make("span", { class: `cell ${level}`, "data-target": target },
        small === undefined ? text : [make("small", {}, small), text])))];
  }

  function shared(step) {
    const view = empty(""), { lanes, bytes, kind } = step;
    const { groups, passes } = bank_use(lanes, bytes, kind === "load");
    const words = Array.from({ length: BANKS }, () => 0);
    for (const group of groups) for (const [bank, list] of group.words) words[bank] = Math.max(words[bank], list.length);
    for (const { lane, address } of lanes) {
      const bank = Math.floor(address / WORD) % BANKS;
      view.marks.set(lane, bank);
      view.target.set(lane, bank);
      view.about.set(lane, `byte ${address} of shared memory, which is in bank ${bank}`);
    }
    const taken = groups.length > 1 ? `, served in ${groups.length} groups` : "";
    view.does = `${verbs[kind][lanes.length === 1 ? 0 : 1]} ${plural(bytes, "byte")} of shared memory${lanes.length > 1 ? " each" : ""} in ` +
      `${plural(passes, "pass")}${taken}`;
    view.parts = cells("Banks of shared memory: words asked of each", `${words.filter(Boolean).length} banks are asked, at most for ${plural(Math.max(...words), "word")}`,
      words.map((count, bank) => ({ target: bank, small: bank, text: count || "", level: count > 1 ? "many" : count ? "one" : "" })));
    return view;
  }

  function global(step, name_of) {
    const view = empty(""), { lanes, bytes, kind } = step, touched = sectors(lanes, bytes);
    for (const { lane, address } of lanes) {
      const sector = Math.floor(address / SECTOR), [array, offset] = name_of(address);
      view.marks.set(lane, touched.indexOf(sector));
      view.target.set(lane, sector);
      view.about.set(lane, `byte ${offset} of ${array}, sector ${touched.indexOf(sector)} of this request`);
    }
    view.does = `${verbs[kind][lanes.length === 1 ? 0 : 1]} ${plural(bytes, "byte")} of global memory${lanes.length > 1 ? " each" : ""}, ` +
      `in ${plural(touched.length, "sector")}`;
    const lanes_in = (sector) => lanes.filter(({ address }) => address < (sector + 1) * SECTOR && address + bytes > sector * SECTOR).length;
    view.parts = cells("Sectors of global memory, 32 bytes each: lanes that each one serves", view.does,
      touched.map((sector, k) => ({ target: sector, small: k, text: lanes_in(sector), level: "one" })));
    return view;
  }

  function shuffle(step) {
    const view = empty(step.lanes.length === 1 ? "reads another lane's register" : "read each other's registers");
    for (const { lane, address: from } of step.lanes) {
      if (from === undefined) continue;
      view.marks.set(lane, from);
      view.about.set(lane, from === lane ? "keeps its own value" : `reads lane ${from}`);
    }
    return view;
  }

  // At a line of the source only lanes that diverge matter; at an instruction, whether they jump.
  function branch(step, is_at_line) {
    const jump = window.stepper_trace.lanes_of(step.taken);
    if (is_at_line && (!jump.length || jump.length === step.lanes.length)) {
      return empty(step.lanes.length === 1 ? "chooses its way" : "go the same way");
    }
    const one = step.lanes.length === 1;
    const view = empty(!jump.length ? `${one ? "goes" : "go"} on with the next instruction` : jump.length === step.lanes.length ?
      (one ? "jumps" : "jump") : `diverge: ${jump.length} jump, ${step.lanes.length - jump.length} go on`);
    for (const { lane } of step.lanes) {
      const jumps = (step.taken >>> lane) & 1;
      view.marks.set(lane, jumps ? "↷" : "↓");
      view.about.set(lane, jumps ? "jumps" : "goes on with the next instruction");
    }
    return view;
  }

  const plain = { // of one lane, of several
    barrier: ["comes to a barrier of the block", "come to a barrier of the block"],
    warp_sync: ["comes to a barrier of the warp", "come to a barrier of the warp"],
    vote: ["votes", "vote"], call: ["calls a function", "call a function"], leave: ["is done", "are done"],
    branch: ["branches", "branch"], instr: ["computes", "compute"],
  };

  // Lanes whose turns are summed up (stepper_moments).
  function summary({ lanes, model, alike }) {
    const view = empty(""), text = lanes.length === 1 ? `Lane ${lanes[0]} has its turn` :
      `Lanes ${lanes[0]} to ${lanes.at(-1)} have their turns, one after another`;
    const same = alike === lanes.length ? (alike === 1 ? "" : "all ") : `${alike} of them `;
    view.does = alike ? `${text}: ${same}${alike === 1 ? "runs" : "run"} the same instructions as lane ${model}` :
      `${text}; ${lanes.length === 1 ? "it takes" : "they take"} another way than lane ${model}`;
    return view;
  }

  function of(step, name_of, moment = {}) {
    if (moment.lanes) return summary(moment);
    const has_addresses = step.lanes.length > 0 && step.lanes[0].address !== undefined;
    if (step.kind === "shuffle") return shuffle(step);
    if (step.kind === "branch") return branch(step, "line" in moment);
    if (step.space === "shared" && has_addresses) return shared(step);
    if (step.space === "global" && has_addresses) return global(step, name_of);
    const one_or_many = step.lanes.length === 1 ? 0 : 1;
    if (step.space === "param") return empty(["reads a parameter of the kernel", "read a parameter of the kernel"][one_or_many]);
    return empty((plain[step.kind] || verbs[step.kind] || ["runs", "run"])[one_or_many]);
  }

  window.stepper_views = { of };
})();
// SPDX-License-Identifier: MIT
