// What the boxes of the pages run: playground_test.mjs same|counters FOLDER GPUSIM_RUN SOLUTIONS
//   counters   each right kernel's counters are those that the chapter's program has for it
//   same       the simulated GPU in WebAssembly answers, byte for byte, as the one of this machine: every kernel of every box,
//              for several n, numbers of threads and schedules
// FOLDER has what common/playground makes; GPUSIM_RUN is common/gpusim/web/main.cpp, SOLUTIONS the folder of the programs.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

const SKIP = 77;
const [promise, folder, gpusim_run, solutions] = process.argv.slice(2);

runInThisContext(readFileSync(new URL('../../common/playground/playground.js', import.meta.url), 'utf8'));
const { playground } = globalThis;
playground.table = JSON.parse(readFileSync(new URL('../../common/playground/boxes.json', import.meta.url), 'utf8'));
const load = (name) => runInThisContext(readFileSync(join(folder, `${name}.js`), 'utf8'));
const complaints = [];
let compared = 0;

function native(request) {
  const done = spawnSync(gpusim_run, { input: request, maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${gpusim_run} ended with ${done.status}: ${done.stderr}`);
  return done.stdout.toString('utf8');
}

const chapters = Object.keys(playground.table.boxes);
chapters.forEach(load);

function same() {
  if (!existsSync(join(folder, 'gpusim.js'))) {
    console.log('skipped: there is no WebAssembly compiler: sh common/bootstrap.sh --playground');
    process.exit(SKIP);
  }
  load('gpusim');
  const module = new WebAssembly.Module(playground.bytes_of(playground.gpusim));
  for (const chapter of chapters) {
    const box = playground.table.boxes[chapter];
    box.kernels.forEach((kernel, which) => {
      const sizes = box.side ? [1, 32, 64, 67, 0] : [0, 1, 255, 256, 257, 1000, 5003];
      const cases = sizes.map((n) => [n, kernel.threads, 'lockstep']);
      for (const threads of [32, 64, 128, 512, 1024, 1025]) cases.push([box.n, threads, 'lockstep']);
      for (const schedule of ['ascending', 'descending']) cases.push([box.n, kernel.threads, schedule]);
      for (const [n, threads, schedule] of cases) {
        const chosen = { n, threads, schedule, blocks: playground.blocks_for(kernel, n) };
        const request = playground.request(playground.table, chapter, which, chosen, playground.code[chapter]);
        const wanted = native(request), got = playground.run_module(module, request);
        JSON.parse(wanted);
        ++compared;
        if (got.answer !== wanted)
          complaints.push(`${chapter} ${kernel.kernel} n ${n}, ${threads} threads, ${schedule}: WebAssembly answers ` +
            `${(got.answer || got.failed).slice(0, 300)}\ninstead of ${wanted.slice(0, 300)}`);
      }
    });
  }
}

// What a chapter's program has counted: an array of {kernel, grid, block, total}.
function launches_of(chapter, n, { blocks, threads }) {
  const path = join(tmpdir(), `playground_${process.pid}.json`);
  const size = playground.table.boxes[chapter].side ? ['--rows', n, '--columns', n] : ['--n', n];
  const grid = blocks ? ['--blocks', blocks] : chapter.startsWith('07') ? ['--threads', threads] : [];
  const done = spawnSync(join(solutions, chapter), [...size, ...grid, `--profile=${path}`].map(String), { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${chapter} ended with ${done.status}: ${done.stderr}`);
  const launches = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return launches;
}

function counters() {
  for (const chapter of chapters) {
    const box = playground.table.boxes[chapter];
    for (const n of box.side ? [64, 68] : [1000, 20000]) {
      box.kernels.forEach((kernel, which) => {
        if (kernel.wrong || n > kernel.most) return; // no program has it
        const blocks = playground.blocks_for(kernel, n);
        const chosen = { n, threads: kernel.threads, blocks, schedule: 'lockstep' };
        const answer = JSON.parse(native(playground.request(playground.table, chapter, which, chosen, playground.code[chapter])));
        const name = `${chapter} ${kernel.kernel}, n ${n}`;
        if (answer.refused || answer.fault || answer.findings.length || !answer.result.right) {
          complaints.push(`${name} is right, and the box says ${JSON.stringify(answer).slice(0, 300)}`);
          return;
        }
        // The chapter that the kernel is of has a program that runs it, with this grid, perhaps on fewer elements.
        const of = kernel.from.split('/')[1];
        const same = launches_of(of, n, kernel).filter((launch) => launch.kernel === answer.report.kernel &&
          String(launch.grid) === String(answer.report.grid) && String(launch.block) === String(answer.report.block));
        const total = JSON.stringify(answer.report.total);
        ++compared;
        if (!same.some((launch) => JSON.stringify(launch.total) === total))
          complaints.push(`${name}: the box counts ${total}\nand the program, of ${same.length} such launches, ${same.map((launch) => JSON.stringify(launch.total))}`);
      });
    }
  }
}

({ same, counters })[promise]();
console.log([...complaints, `${compared} answers compared, ${complaints.length} complaints`].join('\n'));
process.exit(complaints.length ? 1 : 0);
// SPDX-License-Identifier: MIT
