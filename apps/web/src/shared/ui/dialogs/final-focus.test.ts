import { expect, test } from 'vitest';
import { finalFocusOf } from './final-focus.ts';

/** What a dialog that goes is told, by where the keyboard is. */
function tellFrom(markup: string) {
  document.body.innerHTML = markup;
  document.querySelector<HTMLElement>('button')?.focus();
  return finalFocusOf(() => true)();
}

test.each([
  ['nowhere', '', true],
  ['in a dialog that is seen to go', '<div role="dialog" data-closed><button></button></div>', true],
  ['in one that goes at once', '<div role="alertdialog"><button></button></div>', true],
  ['somewhere on the page', '<button></button>', false],
])('the keyboard is %s', (_where, markup, told) => {
  expect(tellFrom(markup)).toBe(told);
});

test('a place that the dialog names is where it goes: what it came from may be about to go', () => {
  document.body.innerHTML = '<a href="#goes"></a><a href="#stays"></a>';
  const [goes, stays] = document.querySelectorAll('a');
  goes?.focus();
  expect(finalFocusOf(() => stays ?? null)()).toBe(stays);
});
