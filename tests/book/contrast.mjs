// What axe-core finds on a page: contrast, names of controls, structure. Folds are open.
//
// Rules about structure see the whole page, once: a theme changes nothing but colours. Rules about colours look, in every
// theme, at one of each kind of text: those that have the same colours, sizes and grounds, and so have all that they stand
// in. (A page has thousands of coloured words, and some fifty kinds; most of them stand on an earlier page, too.)
import { axe_source, desk, on_every_page, themes } from './browser.mjs';
import { show_findings } from './promises_playground.mjs';

// One thing is mdBook's own: its sidebar's switch is a label that says whether it is expanded.
const exclude = ['#mdbook-sidebar-toggle'];
const rules_of_colour = ['color-contrast', 'link-in-text-block'];
const all_but_colour = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
  rules: Object.fromEntries(rules_of_colour.map((rule) => [rule, { enabled: false }])),
};
const only_colour = { runOnly: { type: 'rule', values: rules_of_colour } };
// axe would look at all that stands in an element as well.
const marked = { rules: [{ id: 'color-contrast', selector: '[data-kind]' }, { id: 'link-in-text-block', selector: 'a[href][data-kind]' }] };

export async function contrast(browser, site) {
  const source = await axe_source();
  const looked_at = new Map(themes.map((theme) => [theme, new Set()]));
  return on_every_page(browser, site, { theme: themes[0], viewport: desk }, async (tab) => {
    await tab.addStyleTag({ content: '* { transition: none !important; }' });
    const found = await show_findings(tab);
    await tab.evaluate(() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; }));
    found.push(...(await start_steppers(tab)));
    await tab.evaluate(source);
    found.push(...(await violations(tab, 'any theme', { exclude }, all_but_colour)));
    await tab.evaluate((rules) => { axe.configure(rules); }, marked);
    for (const theme of themes) {
      await tab.evaluate((name) => document.getElementById(`mdbook-theme-${name}`).click(), theme);
      const kinds = looked_at.get(theme), more = await tab.evaluate(mark_one_of_each_kind, [...kinds]);
      if (!more.length) continue;
      more.forEach((kind) => kinds.add(kind));
      found.push(...(await violations(tab, theme, { exclude }, only_colour)));
    }
    return found;
  });
}

// A stepper builds itself when it comes into view. Returns a complaint for each that does not.
export async function start_steppers(tab) {
  const found = [];
  for (const box of await tab.locator('.stepper[data-steps]').all()) {
    await box.scrollIntoViewIfNeeded();
    await box.locator('.panel').waitFor({ timeout: 5000 }).catch(() => found.push('a stepper does not start'));
  }
  return found;
}

async function violations(tab, theme, where, which) {
  const result = await tab.evaluate(([context, options]) => axe.run(context, {
    preload: false, resultTypes: ['violations'], ...options,
  }), [where, which]);
  return result.violations.map(({ id, nodes }) => `${theme}: ${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 90)} ` +
    `(${nodes[0].any[0]?.message || nodes[0].failureSummary})`);
}

// Runs in the page. Marks with data-kind, and returns the kinds that it has marked: none of `known`.
function mark_one_of_each_kind(known) {
  const kinds = new Map([[null, '']]), first = new Map(known.map((kind) => [kind, null]));
  const kind_of = (element) => {
    if (!kinds.has(element)) {
      const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, fill } = getComputedStyle(element);
      kinds.set(element, [kind_of(element.parentElement), element.tagName, color, backgroundColor, backgroundImage, opacity,
        fontSize, fontWeight, fill].join());
    }
    return kinds.get(element);
  };
  document.querySelectorAll('[data-kind]').forEach((element) => element.removeAttribute('data-kind'));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.closest('script, style') || !element.checkVisibility()) continue;
    if (!first.has(kind_of(element))) first.set(kind_of(element), element);
  }
  const more = [...first].filter(([, element]) => element);
  more.forEach(([, element]) => element.setAttribute('data-kind', ''));
  return more.map(([kind]) => kind);
}
// SPDX-License-Identifier: MIT
