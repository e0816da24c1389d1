import { expect, test } from 'vitest';
import { rememberComputedStyles } from './remember-computed-styles.ts';

const PAGE = `
  <div><p>text <b>bold</b> <svg><text>drawn</text></svg></p><button>press</button><input><input type="hidden"></div>
  <div hidden><p>inside</p></div><div hidden="until-found"><p>inside</p></div><embed hidden>
  <p hidden style="display: block">shown all the same</p><p style="display: none">gone</p>
  <div style="visibility: hidden"><p>unseen <b style="visibility: visible">seen</b></p></div>
  <div style="pointer-events: none"><button>no<b style="pointer-events: auto">yes</b></button></div>
  <table><tbody><tr hidden><td>a</td></tr><tr><td>b</td></tr></tbody></table>
  <ul><li>one</li></ul><select><option>one</option></select>
  <details><summary>first</summary><summary>second</summary><p>more</p></details>
  <dialog>closed</dialog><dialog open>open</dialog><div popover>over</div><noscript>none</noscript><template>t</template>`;

/** A window of its own, which jsdom answers for. */
function openWindow(): Window {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error('a frame without a window');
  contentWindow.document.body.innerHTML = PAGE;
  return contentWindow;
}

/** What a window says of each of its elements, by every way to ask. */
function ask(window: Window): readonly string[] {
  return [...window.document.querySelectorAll('*')].map((element) => {
    const style = window.getComputedStyle(element);
    const byName = ['display', 'visibility', 'pointer-events', 'color', 'margin-top'].map((name) =>
      style.getPropertyValue(name),
    );
    const { display, visibility, pointerEvents, color } = style;
    return [element.localName, ...byName, display, visibility, pointerEvents, color].join(' ');
  });
}

test('answers are those of jsdom, also once the page has changed', () => {
  const [plain, remembering] = [openWindow(), openWindow()];
  rememberComputedStyles(remembering);
  const changes: ((page: Document) => void)[] = [
    () => undefined,
    (page) => page.querySelector('div')?.setAttribute('hidden', ''),
    (page) => page.querySelector('div')?.style.setProperty('visibility', 'collapse'),
    (page) => page.querySelector('dialog')?.setAttribute('open', ''),
    (page) => page.querySelector('input')?.setAttribute('type', 'hidden'),
    (page) => page.querySelector('ul')?.append(page.createElement('li')),
    (page) => {
      const sheet = page.createElement('style');
      sheet.textContent = 'p { display: flex; visibility: hidden } li { pointer-events: none }';
      page.head.append(sheet);
    },
    (page) => page.querySelector('style')?.remove(),
  ];
  let before: readonly string[] = [];
  for (const change of changes) {
    for (const { document: page } of [plain, remembering]) change(page);
    const answers = ask(plain);
    expect(answers).not.toEqual(before);
    expect(ask(remembering)).toEqual(answers);
    before = answers;
  }
});

test('an element of another document is answered for as well', () => {
  const [plain, remembering] = [openWindow(), openWindow()];
  rememberComputedStyles(remembering);
  const [element] = plain.document.querySelectorAll('[hidden]');
  if (element === undefined) throw new Error('nothing hidden');
  plain.document.head.innerHTML = '<style>[hidden] { display: grid !important }</style>';
  expect(remembering.getComputedStyle(element).display).toBe(plain.getComputedStyle(element).display);
  expect(remembering.getComputedStyle(element).display).toBe('grid');
});
