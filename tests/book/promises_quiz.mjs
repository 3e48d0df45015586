// What the book promises of its questions: an answer is given before one is shown, compared, scored and kept.
import { on_every_page, serve } from './browser.mjs';

export async function quizzes(browser, site) {
  const { pages, close } = await serve(site);
  const found = await on_every_page(browser, site, { served: pages }, look_at_questions);
  close();
  return found;
}

async function look_at_questions(tab, name) {
  const kinds = await tab.locator('.quiz').evaluateAll((boxes) => boxes.map((box) => box.dataset.quiz));
  if (kinds.length === 0) return /^\d\d_/.test(name) ? ['a chapter without questions'] : [];
  const found = [], must = (what, holds) => { if (!holds) found.push(`question: ${what}`); };
  const questions = tab.locator('.quiz .question');
  await tab.emulateMedia({ media: 'print' }); // before anything is answered
  must('an answer is missing on paper', (await tab.locator('.quiz .answer').evaluateAll((answers) => answers
    .every((each) => each.getBoundingClientRect().height > 10))));
  await tab.emulateMedia({ media: null });
  for (const question of await questions.all()) await answer(question, must);
  must('the score is not full after every right answer',
    (await tab.locator('.quiz .score').allInnerTexts()).every((score) => /^(\d+) of \1 right, \1 answered/.test(score)));
  must('answers are forgotten', await are_kept(tab, await questions.count()));
  return found;
}

// A browser writes what a page keeps a little later, and later still on a busy machine: asked again, for six seconds.
async function are_kept(tab, count) {
  for (let wait = 100; wait <= 3200; wait *= 2) {
    await tab.waitForTimeout(wait);
    await tab.reload();
    if (await tab.locator('.quiz .verdict.right').count() === count) return true;
  }
  return false;
}

// [what is typed, what the verdict must begin with]: thousands, powers, products, a decimal comma, and what is nearly right.
function ways_to_write(number) {
  const ways = [[number.toLocaleString('en', { maximumFractionDigits: 6 }), /^Right\. Exactly/], [`2 * ${number / 2}`, /^Right\. Exactly/]];
  if (number % 1 !== 0) ways.push([String(number).replace('.', ','), /^Right\. Exactly/]);
  if (Number.isInteger(Math.log2(number))) ways.push([`2^${Math.log2(number)}`, /^Right\. Exactly/]);
  if (number > 200) ways.push([String(Math.round(number * 1.004)), /^Right\. You said/], [String(Math.round(number * 1.2)), /^Not so\. You said/]);
  return ways;
}

// First nothing, then something wrong, then what is right.
async function answer(question, must) {
  const ask = (await question.locator('p').first().innerText()).slice(0, 50);
  const { right, answer: number } = await question.evaluate(({ dataset }) => ({ ...dataset }));
  const verdict = question.locator('.verdict'), shown = question.locator('.answer');
  const give = async (is_right) => {
    if (right === undefined) await question.getByLabel('Your number').fill(is_right ? number : String(3 * Number(number)));
    else await question.getByRole('radio').nth(is_right ? Number(right) : (Number(right) + 1) % 2).check();
    await question.getByRole('button', { name: 'Commit' }).click();
  };
  must(`"${ask}" shows its answer first`, !(await shown.isVisible()));
  await question.getByRole('button', { name: 'Commit' }).click();
  must(`"${ask}" takes no answer for one`, /please|first/.test(await verdict.innerText()) && !(await shown.isVisible()));
  await give(false);
  must(`"${ask}" takes a wrong answer: ${await verdict.innerText()}`, /^Not so\./.test(await verdict.innerText()));
  must(`"${ask}" shows no answer afterwards`, await shown.isVisible());
  if (number) {
    const told = (await shown.innerText()).match(/[\d,.]+\d|\d/)[0].replace(/,/g, '');
    must(`"${ask}" compares with ${number} and shows ${told}`, Number(told) === Number(number));
    must(`"${ask}" does not say how far off one is`, /3 times as much/.test(await verdict.innerText()));
  }
  await question.getByRole('button', { name: 'Try again' }).click();
  if (number) {
    for (const [written, expected] of ways_to_write(Number(number))) {
      await question.getByLabel('Your number').fill(written);
      await question.getByRole('button', { name: 'Commit' }).click();
      must(`"${ask}" says of ${written}: ${await verdict.innerText()}`, expected.test(await verdict.innerText()));
      await question.getByRole('button', { name: 'Try again' }).click();
    }
  }
  await give(true);
  must(`"${ask}" does not take the right answer: ${await verdict.innerText()}`, /^Right\./.test(await verdict.innerText()));
}
// SPDX-License-Identifier: MIT
