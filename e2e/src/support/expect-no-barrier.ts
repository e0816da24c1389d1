import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Theme = 'light' | 'dark';

/** Both themes, one after the other: of the second only colours are looked at, because nothing else differs. */
export const THEMES = ['light', 'dark'] as const;

/** What axe asks by default of colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

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
    // Otherwise it opens a window of its own for each look, for frames of other origins, which our pages do not have.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (index > 0 ? axe.withRules(COLOUR_RULES) : axe).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
    expect(found, colorScheme).toEqual([]);
  }
}
