import type { Page } from '@playwright/test';

/** Everything that a finger or a pointer is meant to hit. */
const TARGETS = [
  'a[href]',
  'button',
  'input',
  'select',
  'textarea',
  'summary',
  ...['button', 'link', 'tab', 'menuitem', 'option', 'radio', 'checkbox', 'switch', 'treeitem', 'slider'].map(
    (role) => `[role="${role}"]`,
  ),
].join(',');

/**
 * The targets on the page that answer to less than a square of `least` pixels: measured by asking the browser what lies under
 * each pixel around a target's centre, so that a label or an extended area counts, and what covers a part does not.
 * A link in a sentence is as high as its line (WCAG 2.5.5 and 2.5.8 except it); what is disabled is nobody's target.
 */
export function findSmallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate(measure, { targets: TARGETS, least });
}

/** Runs in the page. */
function measure({ targets, least }: { targets: string; least: number }): string[] {
  const isInSentence = (element: Element) => {
    const around = element.closest('p, li, dd, label, [data-sentence]');
    return (
      element.matches('a, button') &&
      getComputedStyle(element).display === 'inline' &&
      around !== null &&
      (around.textContent ?? '').trim().length > (element.textContent ?? '').trim().length + 3
    );
  };
  const isOffered = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [aria-disabled="true"], [type="hidden"]') &&
    element.closest('[inert], [aria-hidden="true"], [data-base-ui-inert]') === null &&
    getComputedStyle(element).pointerEvents !== 'none';
  const labelsOf = (element: Element) =>
    element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];

  const extentOf = (element: Element) => {
    const own = [element, ...labelsOf(element)];
    const answers = (x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && own.some((part) => part.contains(hit));
    };
    // A hidden box or a small one is measured around what people see of it.
    const boxes = own.map((part) => part.getBoundingClientRect());
    const start = boxes
      .map((box) => [box.left + box.width / 2, box.top + box.height / 2] as const)
      .find(([x, y]) => answers(x, y));
    if (!start) return null;
    const [x, y] = start;
    const reach = (stepX: number, stepY: number) => {
      let length = 0;
      while (length < least && answers(x + stepX * (length + 1), y + stepY * (length + 1))) length += 1;
      return length;
    };
    return { width: reach(-1, 0) + 1 + reach(1, 0), height: reach(0, -1) + 1 + reach(0, 1) };
  };

  const small = new Set<string>();
  for (const element of document.querySelectorAll(targets)) {
    if (!element.isConnected || !isOffered(element) || isInSentence(element)) continue;
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const extent = extentOf(element);
    // Under a dialog, or for readers of the screen alone.
    if (extent === null || (extent.width >= least && extent.height >= least)) continue;
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
    const label = labelsOf(element)[0]?.textContent?.trim() ?? '';
    small.add(`${element.tagName.toLowerCase()} '${name || label}': ${extent.width} × ${extent.height}`);
  }
  return [...small];
}
