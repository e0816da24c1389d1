import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Theme = 'light' | 'dark';

/** Both themes, one after the other: of the second only colours are looked at, because nothing else differs. */
export const THEMES = ['light', 'dark'] as const;

/**
 * Passes and doubts are counted, not described: nobody reads them, and describing them took longer than the search.
 */
const EVERY_RULE: RunOptions = { resultTypes: ['violations'] };

/** What axe asks by default of colours. */
const COLOUR_RULES: RunOptions = {
  ...EVERY_RULE,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/**
 * Expects that axe finds nothing on the page, in its theme or in each of those given. Without motion: colours that are
 * still fading in or out are nobody's to judge.
 */
export async function expectNoBarrier(page: Page, themes: readonly (Theme | undefined)[] = [undefined]) {
  for (const [index, colorScheme] of themes.entries()) {
    await page.emulateMedia({ reducedMotion: 'reduce', ...(colorScheme ? { colorScheme } : {}) });
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
    );
    expect(await findViolations(page, index > 0 ? COLOUR_RULES : EVERY_RULE), colorScheme).toEqual([]);
  }
}

/** Of what is no page of its own, a mail for one: only whether its colours can be read, in both themes. */
export async function expectEnoughContrast(page: Page) {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page, COLOUR_RULES), colorScheme).toEqual([]);
  }
}

/** Runs axe in the page. Its program goes there once a document, not for each look: reading it takes as long as a look. */
async function findViolations(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (wanted) => {
    const { violations } = await (window as unknown as { axe: typeof import('axe-core') }).axe.run(
      document,
      wanted,
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  }, options);
}
