import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followMenu } from './follow-menu.ts';
import { layOutRest } from './lay-out-rest.ts';
import { paintFirstScreen } from './paint-first-screen.ts';
import { pickPictures } from './pick-pictures.ts';
import { prepareSite } from './prepare-site.ts';

const SESSION = JSON.stringify({ access_token: 'a', refresh_token: 'r', user: { id: 'u' } });

describe('before the first paint', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => localStorage.clear());

  function visit(address: string, stored: Record<string, string> = {}, open = () => localStorage) {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    const { pathname, search, hash } = new URL(address, 'https://links.example.com');
    const root = document.createElement('html');
    root.dataset['page'] = pathname === '/' ? 'front' : pathname.slice(1);
    const replace = vi.fn();
    const location = { pathname, search, hash, replace, reload: vi.fn() };
    const steps = new EventTarget();
    prepareSite({ root, location, steps, open });
    return { dataset: { ...root.dataset }, leftFor: replace.mock.calls.map(([to]) => to), location, steps };
  }

  test('who is signed in goes to the dashboard, and sees nothing of the page on the way', () => {
    const { dataset, leftFor } = visit('/', { 'sb-localhost-auth-token': SESSION });
    expect(leftFor).toEqual(['/dashboard']);
    expect(dataset['leaving']).toBe('');
  });

  test.each([
    ['no storage entry', {}],
    ['broken JSON', { 'sb-x-auth-token': '{"access_token":' }],
    ['nothing inside', { 'sb-x-auth-token': 'null' }],
    ['no refresh token', { 'sb-x-auth-token': '{"access_token":"a","refresh_token":"","user":{"id":"u"}}' }],
    ['nobody', { 'sb-x-auth-token': '{"access_token":"a","refresh_token":"r"}' }],
    ['half a sign-in', { 'sb-x-auth-token-code-verifier': SESSION }],
    ['another product’s', { 'other-auth-token': SESSION }],
  ])('%s is no sign-in, so nobody is sent around in circles', (_what, stored) => {
    expect(visit('/', stored as Record<string, string>)).toMatchObject({
      leftFor: [],
      dataset: { page: 'front' },
    });
  });

  test('the legal pages stay open for those who are signed in, and offer them the way back', () => {
    const { dataset, leftFor } = visit('/terms', { 'sb-localhost-auth-token': SESSION });
    expect([leftFor, dataset['member'], dataset['leaving']]).toEqual([[], '', undefined]);
  });

  test.each([
    '/?code=abc',
    '/#error=access_denied&error_code=otp_expired',
    '/?error=x',
    '/terms#access_token=a',
  ])('the answer of the auth service at %s is handed to the app', (address) => {
    const { leftFor } = visit(address, { 'sb-localhost-auth-token': SESSION });
    expect(leftFor).toEqual([`/login${address.replace(/^\/(terms)?/, '')}`]);
  });

  test('a step back into the app loads it; one within the page does not', () => {
    const { location, steps } = visit('/terms');
    steps.dispatchEvent(new Event('popstate'));
    expect(location.reload).not.toHaveBeenCalled();
    location.pathname = '/login';
    steps.dispatchEvent(new Event('popstate'));
    expect(location.reload).toHaveBeenCalledOnce();
  });

  test('other parameters are nobody’s answer', () => {
    expect(visit('/?utm_source=code&promocode=1#precos').leftFor).toEqual([]);
  });

  test('the theme that is fixed is there from the start; without storage the page is still read', () => {
    expect(visit('/', { 'linkoteca-theme': 'dark' }).dataset['theme']).toBe('dark');
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    expect(visit('/', {}, denied).leftFor).toEqual([]);
  });
});

describe('pictures', () => {
  const draw = (theme?: string) => {
    const page = document.implementation.createHTMLDocument();
    if (theme) page.documentElement.dataset['theme'] = theme;
    page.body.innerHTML = `<picture>
      <source data-theme="dark" media="(max-width: 47.99rem) and (prefers-color-scheme: dark)">
      <source data-theme="light" media="(max-width: 47.99rem) and (prefers-color-scheme: light)">
      <source data-theme="dark" media="(min-width: 48rem) and (prefers-color-scheme: dark)"></picture>`;
    pickPictures(page);
    return [...page.querySelectorAll('source')].map(({ media }) => media);
  };

  test('follow the theme that is fixed, whatever the system’s', () => {
    expect(draw('dark')).toEqual(['(max-width: 47.99rem)', 'not all', '(min-width: 48rem)']);
    expect(draw('light')).toEqual(['not all', '(max-width: 47.99rem)', 'not all']);
  });

  test('follow the system where none is', () => {
    expect(draw()[0]).toBe('(max-width: 47.99rem) and (prefers-color-scheme: dark)');
  });
});

describe('the menu of narrow screens', () => {
  function openMenu() {
    document.body.innerHTML =
      '<button id="b"></button><nav id="m"><a href="#x"><b>X</b></a></nav><main></main><footer></footer>';
    const [button, menu, ...behind] = [...document.body.children] as [HTMLElement, HTMLElement, HTMLElement];
    const hide = vi.fn();
    menu.hidePopover = hide;
    const wide = new EventTarget() as MediaQueryList;
    followMenu({ menu, button, behind, wide });
    const turn = (newState: string) => menu.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
    return { button, menu, behind, hide, wide, turn };
  }
  afterEach(() => {
    document.body.innerHTML = '';
  });

  test('tells readers its state, and keeps focus out of what lies behind', () => {
    const { button, behind, turn } = openMenu();
    expect(button.getAttribute('aria-expanded')).toBe('false');
    turn('open');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(behind.map(({ inert }) => inert)).toEqual([true, true]);
    turn('closed');
    expect(behind.map(({ inert }) => inert)).toEqual([false, false]);
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(button);
  });

  test('goes when one of its links was followed, and when the window becomes wide; not for less', () => {
    const { menu, hide, wide } = openMenu();
    menu.click();
    wide.dispatchEvent(Object.assign(new Event('change'), { matches: false }));
    expect(hide).not.toHaveBeenCalled();
    menu.querySelector('b')?.click();
    expect(hide).toHaveBeenCalledTimes(1);
    wide.dispatchEvent(Object.assign(new Event('change'), { matches: true }));
    expect(hide).toHaveBeenCalledTimes(2);
  });
});

test('what lies below is laid out a section at a time, and in the end all of it', () => {
  document.body.innerHTML = '<section class="below x"></section><section class="below"></section>';
  const idle: (() => void)[] = [];
  const late = () => document.querySelectorAll('.below').length;
  layOutRest(document, (next) => idle.push(next));
  expect(late()).toBe(2);
  idle.shift()?.();
  expect([late(), idle.length]).toEqual([1, 1]);
  idle.shift()?.();
  expect([late(), idle.length]).toEqual([0, 0]);
  document.body.innerHTML = '';
});

describe('the first screen of the front page', () => {
  function open(page: string, visit: string | undefined, hash = '') {
    const root = document.createElement('html');
    root.dataset['page'] = page;
    const painted: (() => void)[] = [];
    paintFirstScreen({ root, visit, hash, whenPainted: (show) => painted.push(show) });
    return { root, painted };
  }

  test('is painted alone, and the rest after it', () => {
    const { root, painted } = open('front', 'navigate');
    expect(root.dataset['first']).toBe('');
    for (const show of [...painted, ...painted]) show();
    expect(root.dataset['first']).toBeUndefined();
    expect(painted).toHaveLength(1);
  });

  test.each([
    ['who comes back', 'front', 'back_forward', ''],
    ['who loads it again', 'front', 'reload', ''],
    ['who comes to a place further down', 'front', 'navigate', '#precos'],
    ['browsers that do not say how one came', 'front', undefined, ''],
    ['readers of a long text', 'legal', 'navigate', ''],
  ])('holds nothing back from %s', (_who, page, visit, hash) => {
    const { root, painted } = open(page, visit, hash);
    expect([root.dataset['first'], painted.length]).toEqual([undefined, 0]);
  });
});
