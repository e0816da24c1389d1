import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPageCheck } from './create-page-check.ts';
import { followFilterKey } from './follow-filter-key.ts';
import { markMember } from './mark-member.ts';
import { openTopic } from './open-topic.ts';
import { replaceFailedIcons } from './replace-failed-icons.ts';

const content = (links: string) => `<title>Nova</title><main id="content">${links}</main>`;
const answer = (html: string, status = 200, etag = `"${html.length}"`) =>
  new Response(html, { status, headers: { etag } });

beforeEach(() => {
  document.body.innerHTML = '<main id="content"><a href="/a">A</a></main>';
  document.title = 'Antiga';
});
afterEach(() => {
  document.body.innerHTML = '';
  vi.useRealTimers();
});

describe('the look at the page', () => {
  test('exchanges what has changed, and leaves focus where it was', async () => {
    document.querySelector('a')?.focus();
    const check = createPageCheck({
      document,
      request: async () => answer(content('<a href="/b">B</a><a href="/a">A novo</a>')),
      leave: vi.fn(),
    });
    await check();
    expect(document.querySelector('main')?.textContent).toBe('BA novo');
    expect(document.activeElement?.textContent).toBe('A novo');
    expect(document.title).toBe('Nova');
  });

  test('touches nothing where nothing has changed', async () => {
    const before = document.querySelector('main');
    const check = createPageCheck({
      document,
      request: async () => answer(content('<a href="/a">A</a>')),
      leave: vi.fn(),
    });
    await check();
    await check();
    expect(document.querySelector('main')).toBe(before);
  });

  test('leaves when the category is no longer public', async () => {
    const leave = vi.fn();
    await createPageCheck({ document, request: async () => answer('', 404), leave })();
    expect(leave).toHaveBeenCalledOnce();
  });

  test.each([
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a server that fails', async () => answer(content(''), 503)],
    ['a page of somebody else', async () => answer('<p>Wi-Fi do hotel</p>')],
  ])('stays through %s', async (_what, request) => {
    const leave = vi.fn();
    await createPageCheck({ document, request, leave })();
    expect(leave).not.toHaveBeenCalled();
    expect(document.querySelector('main')?.textContent).toBe('A');
  });

  test('asks once at a time, and once more for what was asked meanwhile', async () => {
    const waiting: ((response: Response) => void)[] = [];
    const request = vi.fn(() => new Promise<Response>((resolve) => waiting.push(resolve)));
    const check = createPageCheck({ document, request, leave: vi.fn() });
    const looking = check();
    await Promise.all([check(), check()]);
    expect(request).toHaveBeenCalledTimes(1);
    waiting[0]?.(answer(content('<a href="/a">A</a>')));
    await waitFor(() => expect(request).toHaveBeenCalledTimes(2));
    waiting[1]?.(answer(content('B')));
    await looking;
    expect(document.querySelector('main')?.textContent).toBe('B');
  });
});

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 1;
  sent: unknown[][] = [];
  onopen = () => {};
  onmessage = (_event: { data: unknown }) => {};
  onclose = () => {};
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as unknown[]);
  }
  close() {
    this.readyState = 3;
    this.onclose();
  }
  hear(...message: unknown[]) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

describe('the topic of changes', () => {
  const topic = 'realtime:shared:1';
  const onChange = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    onChange.mockClear();
    openTopic({
      connect: () => new FakeSocket() as unknown as WebSocket,
      topic,
      heartbeatMs: 30_000,
      reconnectMs: [1_000, 2_000],
      onChange,
    });
  });
  const socket = (index = 0) => FakeSocket.all[index] as FakeSocket;

  test('is joined as a public one, and tells of changes of its own alone', () => {
    socket().onopen();
    expect(socket().sent[0]?.slice(0, 4)).toEqual(['1', '1', topic, 'phx_join']);
    expect(socket().sent[0]?.[4]).toMatchObject({ config: { private: true } });
    socket().hear('1', '1', topic, 'phx_reply', { status: 'ok', response: {} });
    // What changed before the join was not heard.
    expect(onChange).toHaveBeenCalledTimes(1);
    socket().hear(null, null, topic, 'broadcast', { event: 'changed', payload: {} });
    expect(onChange).toHaveBeenCalledTimes(2);
    socket().hear(null, null, 'realtime:shared:2', 'broadcast', {});
    socket().hear(null, '2', 'phoenix', 'phx_reply', { status: 'ok' });
    socket().onmessage({ data: 'not json' });
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  test('comes back after every loss, and closes what has died without a word', () => {
    socket().close();
    vi.advanceTimersByTime(999);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
    socket(1).onopen();
    vi.advanceTimersByTime(30_000);
    expect(socket(1).sent.at(-1)).toEqual([null, '2', 'phoenix', 'heartbeat', {}]);
    vi.advanceTimersByTime(32_000);
    expect(FakeSocket.all).toHaveLength(3);
  });

  test('a refused join is tried anew', () => {
    socket().hear('1', '1', topic, 'phx_reply', { status: 'error', response: {} });
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all).toHaveLength(2);
  });
});

test('icons ask the next service when one fails, at last for a blank one, and cover the letter when they arrive', () => {
  document.body.innerHTML = '<img data-icon-of="https://exemplo.com.br/"><img src="x" alt="">';
  const [icon, other] = document.querySelectorAll('img') as unknown as [HTMLImageElement, HTMLImageElement];
  icon.src = 'https://www.google.com/s2/favicons?domain=exemplo.com.br&sz=32';
  replaceFailedIcons(document);
  const seen: string[] = [];
  for (let failures = 0; failures < 6; failures += 1) {
    seen.push(icon.src.slice(0, 22));
    icon.dispatchEvent(new Event('error'));
    other.dispatchEvent(new Event('error'));
  }
  expect(new Set(seen).size).toBe(5);
  expect(icon.src).toMatch(/^data:image\/gif/);
  icon.dispatchEvent(new Event('load'));
  expect(icon.dataset['shown']).toBeUndefined();
  icon.src = 'https://icon.horse/icon/exemplo.com.br';
  icon.dispatchEvent(new Event('load'));
  other.dispatchEvent(new Event('load'));
  expect(icon.dataset['shown']).toBe('');
  expect(other.dataset['shown']).toBeUndefined();
  expect(other.getAttribute('src')).toBe('x');
});

describe('before the first paint', () => {
  test.each([
    [
      { 'linkoteca-theme': 'dark', 'sb-localhost-auth-token': '{}' },
      { theme: 'dark', member: '' },
    ],
    [{ 'linkoteca-theme': '"><script>', 'sb-x-auth-token-code-verifier': '1' }, {}],
    [{}, {}],
  ])('%j is marked', (stored, marked) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    const root = document.createElement('html');
    markMember(root, () => localStorage);
    expect({ ...root.dataset }).toEqual(marked);
    localStorage.clear();
  });

  test.each(['light', 'dark'])(
    'the bar of a phone’s browser takes the colour of the theme that is fixed: %s',
    (theme) => {
      localStorage.setItem('linkoteca-theme', theme);
      const root = document.createElement('html');
      for (const name of ['light', 'dark']) {
        const bar = Object.assign(document.createElement('meta'), {
          name: 'theme-color',
          content: `${name} colour`,
        });
        bar.media = `(prefers-color-scheme: ${name})`;
        root.append(bar);
      }
      markMember(root, () => localStorage);
      expect([...root.querySelectorAll('meta')].map(({ content }) => content)).toEqual(
        Array(2).fill(`${theme} colour`),
      );
      localStorage.clear();
    },
  );

  test('a browser without storage shows the page to a visitor', () => {
    const root = document.createElement('html');
    markMember(root, () => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect({ ...root.dataset }).toEqual({});
  });
});

describe('the key F', () => {
  const press = (stored: string | null, held: KeyboardEventInit = {}) => {
    const own = document.implementation.createHTMLDocument();
    own.body.innerHTML = '<a data-key="f">Filtrar e ordenar</a>';
    const led = vi.fn();
    own.querySelector('a')?.addEventListener('click', led);
    followFilterKey(own, () => {
      if (stored === 'none') throw new Error('no storage');
      return { getItem: () => stored } as unknown as Storage;
    });
    own.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ...held }));
    return led.mock.calls.length;
  };

  test('leads to where the category is filtered, and stays the browser’s with Ctrl', () => {
    expect([press(null), press('on'), press('none')]).toEqual([1, 1, 1]);
    expect([press(null, { ctrlKey: true }), press(null, { key: 'g' })]).toEqual([0, 0]);
  });

  test('does nothing for whoever turned single keys off', () => {
    expect(press('off')).toBe(0);
  });
});
