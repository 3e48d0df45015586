// The tests of the book, tested: each promise must notice a site that breaks it. node notices_test.mjs SITE makes a copy
// of the site, damages one page of it in one way at a time, and asks the promise.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { look_only_at, open_browser, require_site } from './browser.mjs';
import { promises } from './promises.mjs';

const page = '02_shared_memory.html';
const add = (html) => (text) => text.replace('</main>', () => `${html}</main>`);

// The promise, the damage as readers would see it, what does it to the page, and what the complaint must say.
const damages = [
  ['opens', 'a script that fails', add('<script>throw new Error("planted");</script>'), /planted/],
  ['opens', 'a style sheet from elsewhere', add('<link rel="stylesheet" href="http://127.0.0.1:9/a.css">'), /not part of the site/],
  ['opens', 'a file that is missing', add('<script src="nowhere.js"></script>'), /not loaded.*nowhere/],
  ['opens', 'an include left as it was', add('<p>{{#include gone.txt}}</p>'), /should have replaced/],
  ['opens', 'a heading as it is written', add('\n## Quiz {#quiz}\n'), /Markdown as it is written: ## Quiz/],
  ['listings', 'an empty listing', add('<pre><code class="language-text"></code></pre>'), /is empty/],
  ['figures', 'an image that is missing', add('<img src="nowhere.png" alt="a picture">'), /image not loaded/],
  ['figures', 'a drawing without words', add('<svg role="img" viewBox="0 0 9 9"></svg>'), /says nothing/],
  ['folds', 'an empty fold', add('<details><summary>Hint 9</summary></details>'), /Hint 9.*holds nothing/],
  ['keyboard', 'the way on leads astray', (text) => text.replaceAll('03_divergence.html', 'index.html'), /right arrow/],
  ['phones', 'a box of 700 pixels', add('<div style="width: 700px">wide</div>'), /reaches to pixel 7\d\d.*wide/],
  ['contrast', 'grey on white', add('<p style="color: #bbb; background: #fff">pale</p>'), /color-contrast/],
  ['stepper', 'data that is not there', (text) => text.replace('data-steps="02', 'data-steps="99'), /does not start/],
  ['stepper', 'a row of the table that is wrong',
    (text) => text.replace(/(<div class="stepper"[^]*?<td[^>]*>\d+<\/td><td><code>.*?<\/code><\/td><td>)/, '$19'), /adds up to/],
  ['models', 'an empty model', add('<div class="model"></div>'), /says nothing/],
  ['playground', 'a box of another chapter', (text) => text.replace('data-chapter="02_shared_memory"', 'data-chapter="03_divergence"'),
    /kernel 0, lockstep, says/],
  ['quizzes', 'a question that compares with another number',
    (text) => text.replace('data-answer="72"', 'data-answer="73"'), /compares with 73 and shows 72/],
  ['quizzes', 'a page that keeps nothing',
    (text) => text.replace('<head>', '<head><script>Storage.prototype.setItem = () => {};</script>'), /answers are forgotten/],
  ['reading', 'a line that cannot wrap', add('<pre><code class="language-text" style="white-space: pre !important">' +
    `${'word '.repeat(90)}</code></pre>`), /should wrap/],
];

async function main() {
  const [site] = process.argv.slice(2);
  require_site(site);
  const browser = await open_browser();
  const copy = mkdtempSync(join(tmpdir(), 'damaged-book-'));
  cpSync(site, copy, { recursive: true });
  const sound = readFileSync(join(copy, page), 'utf8');
  look_only_at(page.replace('.html', ''));
  let missed = 0;
  for (const [promise, damage, damaged, expected] of damages) {
    const text = damaged(sound);
    if (text === sound) throw new Error(`${damage}: this does not change ${page}`);
    writeFileSync(join(copy, page), text);
    const complaints = await promises[promise](browser, copy);
    const noticed = complaints.some((complaint) => expected.test(complaint));
    console.log(`${noticed ? 'noticed' : 'MISSED '}  ${promise}: ${damage}`);
    missed += noticed ? 0 : 1;
  }
  await browser.close();
  rmSync(copy, { recursive: true });
  return missed ? 1 : 0;
}

process.exit(await main());
// SPDX-License-Identifier: MIT
