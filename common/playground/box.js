// Boxes that run a kernel on the simulated GPU: <div class="model" data-model="run" data-chapter="02_shared_memory"></div>.
// Only a site that was built with them has this script (add_to_site.py); elsewhere the boxes are empty and not shown.
(function () {
  "use strict";
  const { make, choice, number } = window.parts;
  const playground = window.playground;
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const MOST_SECONDS = 30, MOST_LINES = 12;
  const text = (value, digits) => value.toLocaleString("en", { maximumFractionDigits: digits || 0 });
  const ratio = (a, b, digits) => (b ? text(a / b, digits) : "–");

  // A script of the site, once.
  const scripts = new Map();
  function load(name) {
    if (!scripts.has(name)) {
      scripts.set(name, new Promise((done, failed) => {
        document.head.append(make("script", { src: base + name, onload: () => done(), onerror: () => { scripts.delete(name); failed(new Error(`${name} is missing`)); } }));
      }));
    }
    return scripts.get(name);
  }

  // One worker for the page; a new one after it was stopped.
  let worker = null;
  async function ask(request) {
    worker = worker || playground.start_worker();
    const answer = await worker.ask(request);
    if (answer.failed) stop();
    return answer;
  }
  function stop() {
    if (worker) worker.stop();
    worker = null;
  }

  // What a box shows of a launch or of a line: of the counters that profiles have (reports/profile_text.cpp), those of these pages.
  function cells(c) {
    const requests = c["global.load.requests"] + c["global.store.requests"];
    const shared = c["shared.load.requests"] + c["shared.store.requests"];
    const excess = ["load", "store"].reduce((sum, kind) => sum + c[`shared.${kind}.wavefronts`] - c[`shared.${kind}.ideal_wavefronts`], 0);
    return {
      "warp instructions": text(c.warp_instructions),
      "active lanes": ratio(c.thread_instructions, c.warp_instructions, 1),
      "sectors per request": ratio(c["global.load.sectors"] + c["global.store.sectors"], requests, 1),
      "bank conflicts": shared ? text(excess) : "–",
    };
  }
  const more = (c) => ({
    "load requests": text(c["global.load.requests"]), "store requests": text(c["global.store.requests"]),
    atomics: text(c["global.atomics"]), barriers: text(c.barriers), "divergent branches": text(c.divergent_branches), shuffles: text(c.shuffles),
  });

  const row = (kind, words) => make("tr", {}, words.map((word) => make(kind, {}, word)));
  const table = (label, head, rows) => make("div", { class: "table-wrapper", tabindex: 0, role: "region", "aria-label": label },
    make("table", {}, [make("thead", {}, row("th", head)), make("tbody", {}, rows.map((words) => row("td", words)))]));
  const counters = (label, pairs) => table(label, Object.keys(pairs), [Object.values(pairs)]);

  // The source lines that cost something, by file, with their counters.
  function lines_of(report, sources) {
    const parts = [];
    for (const file of new Set(report.lines.map((line) => line.file))) {
      const source = (sources[file] || "").split("\n");
      const rows = report.lines.filter((line) => line.file === file && line.line)
        .map((line) => [String(line.line), ...Object.values(cells(line.counters)), make("code", {}, (source[line.line - 1] || "").trim() || " ")]);
      if (rows.length) parts.push(make("p", { class: "title" }, file), table(`counters of each line of ${file}`, ["line", ...Object.keys(cells(report.total)), "source"], rows));
    }
    return make("details", { class: "by-line" }, [make("summary", {}, "What each source line costs (this shows the kernel's source)"), ...parts]);
  }

  const plural = (count, word) => `${text(count)} ${word}${count === 1 ? "" : "s"}`;

  // What a check says, and the source lines that it quotes.
  function finding(complaint) {
    const [sentence, ...quoted] = complaint.split("\n");
    const lines = quoted.length ? [make("pre", { tabindex: 0, role: "region", "aria-label": "where" }, quoted.join("\n"))] : [];
    return make("div", { class: "finding" }, [make("p", {}, sentence), ...lines]);
  }

  // What a run has found, as a sentence and elements.
  function told(answer, kernel, chosen, sources, seconds) {
    if (answer.refused) return [`Refused: ${answer.refused}.`];
    const { report, fault, findings, proof, result } = answer;
    const found = findings.length ? `; ${plural(findings.length, "finding")}` : fault ? "" : "; nothing found";
    const verdict = fault ? "Stopped by a fault." : result.right ? `Right: ${result.text}.` : `Wrong: ${result.text}.`;
    const is_other_block = chosen.threads !== kernel.threads && (fault || !result.right);
    const reminder = is_other_block ? ` ${kernel.kernel} is written for ${kernel.threads} threads a block.` : "";
    const size = `${plural(chosen.blocks, "block")} of ${plural(chosen.threads * (kernel.thread_rows || 1), "thread")}`;
    const shown = findings.slice(0, MOST_LINES).map((finding) => finding.text);
    const complaints = [...(fault ? [fault] : []), ...shown];
    const left = findings.length - shown.length;
    if (left > 0) complaints.push(`… and ${plural(left, "finding")} more`);
    return [
      `${verdict}${reminder} ${size}, ${text(report.total.warp_instructions)} warp instructions${found}. ` +
        `Computed here in ${text(seconds, 2)} s.`,
      ...(proof ? [make("p", { class: "proof" }, `${proof.text[0].toUpperCase()}${proof.text.slice(1)}.`)] : []),
      counters("counters of the launch", cells(report.total)),
      counters("further counters of the launch", more(report.total)),
      ...(complaints.length ? [make("p", { class: "title" }, "What the checks say"), ...complaints.map(finding)] : []),
      ...(report.lines.length ? [lines_of(report, sources)] : []),
    ];
  }

  function build(box) {
    const chapter = box.dataset.chapter, offered = playground.table.boxes[chapter];
    if (!offered) return;
    const title = "Run a kernel on the simulated GPU, here in the page";
    const about = make("p", { class: "told", role: "status" }, "Choose, and press Run."), below = make("div", { class: "below" });
    const kernels = offered.kernels.map((k, at) => [at, k.wrong ? `${k.kernel}, wrong: ${k.wrong}` : k.note ? `${k.kernel}, ${k.note}` : k.kernel]);
    const at = { kernel: choice("Kernel", kernels, 0, () => begin_with()) };
    at.n = number(offered.side || "n", offered.n, 0, offered.most, () => {});
    at.threads = choice("Threads a block", [32, 64, 128, 256, 512, 1024].map((t) => [t, t]), offered.kernels[0].threads, () => {});
    if (offered.kernels[0].blocks) at.blocks = number("Blocks", offered.kernels[0].blocks, 1, 1024, () => {});
    at.schedule = choice("Schedule", [["lockstep", "lockstep"], ["ascending", "lanes ascending"], ["descending", "lanes descending"]], "lockstep", () => {});
    const kernel = () => offered.kernels[Number(at.kernel.select.value)];
    // A launch that fits the kernel; what the reader changes after that is the reader's.
    function begin_with() {
      const { threads, thread_rows, blocks } = kernel();
      at.threads.select.value = threads;
      at.threads.select.disabled = Boolean(thread_rows); // a block with two sides
      if (at.blocks && blocks) at.blocks.label.querySelector("input").value = blocks;
    }
    begin_with();
    const go = make("button", { type: "button", onclick: () => run() }, "Run");
    const halt = make("button", { type: "button", disabled: "", onclick: () => end_early("Stopped.") }, "Stop");
    let running = 0; // counts runs; whatever belongs to an earlier one is late

    function say(sentence, parts) {
      about.textContent = sentence;
      below.replaceChildren(...(parts || []));
    }
    function idle() {
      go.disabled = false;
      halt.disabled = true;
    }
    function end_early(sentence) {
      ++running;
      stop();
      idle();
      say(sentence);
      go.focus();
    }
    async function run() {
      const outside = [at.n, at.blocks].map((field) => field && field.complaint()).find(Boolean);
      if (outside) return say(outside);
      const mine = ++running;
      const chosen = { n: at.n.value, threads: Number(at.threads.select.value), schedule: at.schedule.select.value };
      chosen.blocks = at.blocks ? at.blocks.value : playground.blocks_for(kernel(), chosen.n);
      const of = kernel(), which = Number(at.kernel.select.value);
      say("Running …");
      go.disabled = true;
      halt.disabled = false;
      halt.focus();
      const late = setTimeout(() => mine === running && end_early(`Stopped after ${MOST_SECONDS} s: it takes longer than a page should. Choose a smaller n.`), MOST_SECONDS * 1000);
      try {
        await Promise.all([load("gpusim.js"), load(`${chapter}.js`)]);
        const code = playground.code[chapter], begin = performance.now();
        const { answer, failed } = await ask(playground.request(playground.table, chapter, which, chosen, code));
        if (mine !== running) return;
        const parts = failed ? [`This browser cannot run it: ${failed}.`] : told(JSON.parse(answer), of, chosen, code.sources, (performance.now() - begin) / 1000);
        say(parts[0], parts.slice(1));
      } catch (reason) {
        if (mine !== running) return;
        say(`This browser cannot run it: ${reason.message}.`);
      } finally {
        clearTimeout(late);
        if (mine === running) {
          const had_focus = document.activeElement === halt;
          idle();
          if (had_focus) go.focus();
        }
      }
    }

    box.append(make("p", { class: "heading" }, title), make("div", { class: "choices" }, [...Object.values(at).map(({ label }) => label), go, halt]), about, below);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", title);
    box.addEventListener("keydown", (event) => {
      event.stopPropagation(); // mdBook turns pages and searches
      if (event.key === "Enter" && event.target.matches("input") && !go.disabled) run();
    });
  }

  document.querySelectorAll('.model[data-model="run"]').forEach(build);
})();
// SPDX-License-Identifier: MIT
