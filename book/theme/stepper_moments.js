// A trace in moments, which is what readers step through. A moment is what a warp does at one line of the source, with at most one
// event: an access to shared or global memory, a barrier, a shuffle. A line with three accesses has three moments.
(function (root) {
  "use strict";
  const ACCESSES = ["load", "store", "atomic"], MEETINGS = ["barrier", "warp_sync", "shuffle"];
  const SECONDS_TO_PLAY = 25, SLOWEST = 0.4, FASTEST = 0.1; // seconds for a whole trace; between two moments

  const is_one = (mask) => (mask & (mask - 1)) === 0;

  // "access", "meeting" or "".
  function event_of([, , kind, space], values) {
    if (ACCESSES.includes(kind)) return (space === "shared" || space === "global") && values.length ? "access" : "";
    return MEETINGS.includes(kind) ? "meeting" : "";
  }

  // The moments of a list of steps (stepper_trace.unpack), of which the first and the last are given:
  // [{first, last, shown, event}], as places in `steps`. `shown` is the step that a moment shows: its event, else the last branch
  // at which lanes diverge, else its last step.
  function by_line(instructions, steps, places) {
    const moments = [];
    let now = null;
    for (const k of places) {
      const { warp, mask, taken, instruction, values } = steps[k], row = instructions[instruction];
      const line = row[0] ? row[0].join(":") : null, event = event_of(row, values), single = is_one(mask) ? mask : 0;
      const parts = row[2] === "branch" && taken !== 0 && taken !== mask;
      const goes_on = now && now.warp === warp && now.single === single && (!line || !now.line || now.line === line) &&
        !(event && now.event);
      if (!goes_on) moments.push(now = { first: k, warp, single, line: null, event: "", parts: false });
      now.last = k;
      now.line = now.line || line;
      if (event || (!now.event && (parts || !now.parts))) now.shown = k;
      now.event = now.event || event;
      now.parts = now.parts || parts;
    }
    return moments;
  }

  // Moments in which lanes take turns, one at a time: [{lane, begin, end}], as places in `moments`, until a lane has its turn again.
  function turns(moments, begin) {
    const found = [];
    for (let at = begin; at < moments.length && moments[at].single && moments[at].warp === moments[begin].warp; ++at) {
      const lane = 31 - Math.clz32(moments[at].single);
      if (found.length && found.at(-1).lane === lane) found.at(-1).end = at + 1;
      else if (found.some((turn) => turn.lane === lane)) break;
      else found.push({ lane, begin: at, end: at + 1 });
    }
    return found;
  }

  // Several turns as one moment: {…, lanes: [lane, …], model: lane, alike: how many run the same instructions as the model}.
  function summary(steps, moments, several, model) {
    const path = (turn) => {
      const own = moments.slice(turn.begin, turn.end);
      return own.flatMap(({ first, last }) => steps.slice(first, last + 1)).map(({ instruction }) => instruction).join();
    };
    const path_of_model = path(model);
    const all = several.flatMap(({ begin, end }) => moments.slice(begin, end));
    const has = (event) => all.some((moment) => moment.event === event);
    return {
      ...all.at(-1), first: all[0].first, lanes: several.map(({ lane }) => lane), model: model.lane,
      alike: several.filter((turn) => path(turn) === path_of_model).length,
      event: has("access") ? "access" : has("meeting") ? "meeting" : "",
    };
  }

  // Where lanes take turns: the lane with the most events in full, those before it and after it in one moment each.
  function summarised(steps, moments) {
    const found = [];
    for (let at = 0; at < moments.length;) {
      const all = turns(moments, at);
      if (all.length < 3) {
        const end = all.length ? all.at(-1).end : at + 1;
        found.push(...moments.slice(at, end));
        at = end;
        continue;
      }
      const events = ({ begin, end }) => moments.slice(begin, end).filter(({ event }) => event).length;
      const model = all.reduce((best, turn) => (events(turn) > events(best) ? turn : best));
      const place = all.indexOf(model), before = all.slice(0, place), after = all.slice(place + 1);
      if (before.length) found.push(summary(steps, moments, before, model));
      found.push(...moments.slice(model.begin, model.end));
      if (after.length) found.push(summary(steps, moments, after, model));
      at = all.at(-1).end;
    }
    return found;
  }

  // The moments of the steps at `places`, by each unit that the stepper can step by. (By instructions each step is a moment.)
  function moments(kernel, steps, places) {
    const line = summarised(steps, by_line(kernel.instructions, steps, places));
    return {
      line,
      access: line.filter(({ event }) => event === "access"),
      meeting: line.filter(({ event }) => event === "meeting"),
      instruction: places.map((k) => ({ first: k, last: k, shown: k, event: "" })),
    };
  }

  // How to play that many moments within SECONDS_TO_PLAY: {seconds between two, by: how many at once}.
  function pace(count) {
    const by = Math.max(1, Math.ceil((count * FASTEST) / SECONDS_TO_PLAY));
    return { seconds: Math.min(SLOWEST, (SECONDS_TO_PLAY * by) / count), by };
  }

  Object.assign(root, { moments, pace });
})(typeof module === "object" ? module.exports : (window.stepper_moments = {}));
// SPDX-License-Identifier: MIT
