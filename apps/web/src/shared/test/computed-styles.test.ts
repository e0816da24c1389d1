import { afterEach, expect, test } from 'vitest';
import { compute, getComputedStyle } from './computed-styles.ts';

afterEach(() => {
  document.body.innerHTML = '';
});

/** All that decides whether an element is displayed, visible and to be pressed, and elements beside it that look alike. */
const PAGE = `
  <main><h1>a</h1><p>b <span>c</span> <a href="/">d</a></p><p hidden>e</p><br><svg><path d=""></path></svg></main>
  <div hidden><section><button>a</button></section></div>
  <details><summary>a</summary><p>b</p></details><details open><summary>a</summary><summary>b</summary></details>
  <dialog>a</dialog><dialog open><form><input><input type="hidden"><input type="checkbox"><textarea></textarea></form></dialog>
  <div popover>a</div><embed hidden><template></template><fieldset><legend>a</legend><select><option>b</option></select></fieldset>
  <table><thead hidden><tr><th>a</th></tr></thead><tbody><tr hidden><td><b>a</b></td></tr><tr><td>b</td></tr></tbody></table>
  <ul><li>a</li><li style="display: flex">b</li><li style="display: none"><i>c</i></li></ul>
  <div style="visibility: hidden"><p>a</p><p style="visibility: visible">b <i>c</i></p></div>
  <div style="pointer-events: none"><button>a</button><button style="pointer-events: auto">b</button></div>`;

const PROPERTIES = ['display', 'visibility', 'pointer-events'] as const;

const read = (style: CSSStyleDeclaration) => [
  ...PROPERTIES.map((name) => style.getPropertyValue(name)),
  style.display,
  style.visibility,
  style.pointerEvents,
  style.position,
];

test('each element has the style that jsdom computes, asked for the first time and again', () => {
  for (const _time of ['first', 'again']) {
    document.body.innerHTML = PAGE;
    for (const element of document.querySelectorAll('*'))
      expect(read(getComputedStyle(element)), element.outerHTML).toEqual(read(compute(element)));
  }
});

test('what changes is seen at once', () => {
  document.body.innerHTML = '<div><p>a</p></div>';
  const [around, inside] = [...document.querySelectorAll<HTMLElement>('div, p')] as [
    HTMLElement,
    HTMLElement,
  ];
  expect([getComputedStyle(inside).display, getComputedStyle(inside).visibility]).toEqual([
    'block',
    'visible',
  ]);
  inside.hidden = true;
  around.style.visibility = 'hidden';
  expect([getComputedStyle(inside).display, getComputedStyle(inside).visibility]).toEqual(['none', 'hidden']);
});

test('a style sheet counts', () => {
  document.body.innerHTML = '<style>.gone { display: none }</style><p class="gone">a</p>';
  expect(getComputedStyle(document.querySelector('p') as Element).display).toBe('none');
});
