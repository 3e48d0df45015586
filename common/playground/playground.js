// The simulated GPU of a page: what a box asks of it, and a worker that runs it. No element of a page is touched here.
// build/…/gpusim.js and boxes.js (made from gpusim.wasm and boxes.json) and a script for each chapter, with its PTX, add to it.
(function (root) {
  "use strict";
  const playground = (root.playground = { code: {} });

  // The sum of k mod 8 over n elements, which is what arrays begin with: whole numbers, so that every order adds up to the same.
  const total_of_small = (n) => Math.floor(n / 8) * 28 + (n % 8) * ((n % 8) - 1) / 2;

  // How many blocks a kernel gets for n, if nobody has chosen their number.
  playground.blocks_for = (kernel, n) => {
    if (kernel.blocks) return kernel.blocks;
    if (kernel.tile) return Math.max(1, Math.ceil(n / kernel.tile) ** 2);
    return Math.max(1, Math.ceil(n / kernel.elements));
  };

  // What run.h reads. `chosen`: {n, threads, blocks, schedule}; `code`: {ptx, sources} of the chapter, `which` of its kernels.
  playground.request = (table, chapter, which, chosen, code) => {
    const kernel = table.boxes[chapter].kernels[which], launch = table.launches[kernel.launch];
    const { n, threads, blocks } = chosen;
    const values = { n, blocks, 1: 1, "blocks + 1": blocks + 1, "n * n": n * n, "total of small": total_of_small(n) };
    const value = (word) => (word in values ? values[word] : word);
    const encoder = new TextEncoder(), parts = [];
    const line = (...words) => parts.push(encoder.encode(`${words.join(" ")}\n`));
    const text = (head, contents) => {
      const bytes = encoder.encode(contents);
      line(...head, bytes.length);
      parts.push(bytes);
    };
    line("kernel", kernel.kernel);
    line("grid", blocks, 1, 1);
    line("block", threads, kernel.thread_rows || 1, 1);
    line("schedule", chosen.schedule);
    line("checks", "all");
    launch.arrays.forEach(([name, type, count, contents]) => line("array", name, type, value(count), contents));
    launch.arguments.forEach((word) => line("argument", ...(launch.arrays.some(([name]) => name === word) ? ["array", word] : ["number", value(word)])));
    line("expect", ...launch.expect.map((word, k) => (k && !launch.arrays.some(([name]) => name === word) ? value(word) : word)));
    Object.entries(code.sources).forEach(([name, contents]) => text(["source", name], contents));
    text(["ptx"], code.ptx[which]);
    const request = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => (request.set(part, at), at + part.length), 0);
    return request;
  };

  // One run of the module, a WASI program that reads standard input and writes standard output: {answer} or {failed}. It is
  // also the text of the worker, so it uses nothing from outside.
  playground.run_module = function run_module(module, request) {
    let memory = null, read = 0;
    const written = { 1: [], 2: [] };
    const view = () => new DataView(memory.buffer);
    const pieces = (list, count) => Array.from({ length: count }, (_, k) => [view().getUint32(list + 8 * k, true), view().getUint32(list + 8 * k + 4, true)]);
    class Exit { constructor(status) { this.status = status; } }
    const kBadFile = 8, kSeekless = 70;
    const calls = {
      fd_read(file, list, count, result) {
        if (file !== 0) return kBadFile;
        let sum = 0;
        for (const [at, size] of pieces(list, count)) {
          const part = request.subarray(read, read + size);
          new Uint8Array(memory.buffer, at, size).set(part);
          read += part.length;
          sum += part.length;
        }
        view().setUint32(result, sum, true);
        return 0;
      },
      fd_write(file, list, count, result) {
        if (!written[file]) return kBadFile;
        let sum = 0;
        for (const [at, size] of pieces(list, count)) {
          written[file].push(new Uint8Array(memory.buffer.slice(at, at + size)));
          sum += size;
        }
        view().setUint32(result, sum, true);
        return 0;
      },
      fd_fdstat_get(file, result) {
        if (file > 2) return kBadFile;
        new Uint8Array(memory.buffer, result, 24).fill(0);
        view().setUint8(result, 2); // a terminal's kind of file: nothing seeks in it
        return 0;
      },
      fd_seek: () => kSeekless,
      fd_close: () => 0,
      environ_sizes_get(count, size) {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      clock_time_get(clock, precision, result) {
        view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      proc_exit(status) { throw new Exit(status); },
    };
    const text = (parts) => {
      const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
      return new TextDecoder().decode(all);
    };
    try {
      const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls });
      memory = instance.exports.memory;
      instance.exports._start();
    } catch (reason) {
      if (!(reason instanceof Exit) || reason.status !== 0) return { failed: text(written[2]) || String(reason.message || reason.status) };
    }
    return { answer: text(written[1]) };
  };

  playground.bytes_of = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

  // A worker that is made of this text, since a page from a file may not load one. `ask(request)` promises {answer} or {failed}.
  playground.start_worker = () => {
    const text = `"use strict"; const run = ${playground.run_module}; let module = null;
      onmessage = ({ data }) => {
        try {
          if (data.wasm) module = new WebAssembly.Module(data.wasm);
          postMessage(run(module, data.request));
        } catch (reason) { postMessage({ failed: String(reason.message || reason) }); }
      };`;
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    let wasm = playground.bytes_of(playground.gpusim);
    return {
      ask: (request) => new Promise((done) => {
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = (event) => done({ failed: event.message || "the worker does not start" });
        worker.postMessage(wasm ? { wasm, request } : { request });
        wasm = null; // it keeps the module
      }),
      stop: () => worker.terminate(),
    };
  };
})(typeof window === "undefined" ? globalThis : window);
// SPDX-License-Identifier: MIT
