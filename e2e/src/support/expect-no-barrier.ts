import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Theme = 'light' | 'dark';

/**
 * Expects that axe finds nothing on the page, in its theme or in each of those given. Without motion: colours that are
 * still fading in or out are nobody's to judge.
 */
export async function expectNoBarrier(page: Page, themes: readonly (Theme | undefined)[] = [undefined]) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ reducedMotion: 'reduce', ...(colorScheme ? { colorScheme } : {}) });
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
    );
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
    expect(found, colorScheme).toEqual([]);
  }
}
