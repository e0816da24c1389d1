import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findPage } from './find-page.ts';

const TAB = { id: 7, url: 'https://a.example/x', title: 'Da barra', active: true };
type Injection = { readonly target: { readonly tabId: number } };

/** A browser with these tabs, whose pages answer so. */
function browse(tabs: readonly object[], read: (injection: Injection) => Promise<unknown>, own?: object) {
  vi.stubGlobal('chrome', {
    tabs: { query: async () => tabs, getCurrent: async () => own },
    scripting: { executeScript: read },
  });
}
const say = (text: object) => async () => [
  { result: { title: '', description: '', selection: '', ...text } },
];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the page in front', () => {
  test('is what it says of itself, what is marked in it first, and where it is', async () => {
    browse([TAB], say({ title: 'Da página', description: 'Diz', selection: ' Marcado ' }));
    expect(await findPage()).toEqual({
      url: TAB.url,
      title: 'Da página',
      description: 'Marcado',
      tab: { id: 7, address: TAB.url },
    });
    browse([TAB], say({ description: 'Diz' }));
    expect(await findPage()).toMatchObject({ title: 'Da barra', description: 'Diz' });
  });

  test('is what the browser knows of one that may not be read', async () => {
    browse([TAB], () => Promise.reject(new Error('Cannot access contents of the page')));
    expect(await findPage()).toMatchObject({ url: TAB.url, title: 'Da barra' });
  });

  test('is so, too, of one that never answers: it is not waited for without end', async () => {
    browse([TAB], () => new Promise(() => undefined));
    const finding = findPage();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await finding).toMatchObject({ url: TAB.url, title: 'Da barra' });
  });

  test('is the tab behind the card, where that has a tab of its own', async () => {
    const card = { id: 9, active: true };
    const older = { ...TAB, id: 6, active: false, lastAccessed: 1, url: 'https://b.example/' };
    const read = vi.fn(say({}));
    browse([older, { ...TAB, active: false, lastAccessed: 2 }, card], read, card);
    expect(await findPage()).toMatchObject({ url: TAB.url });
    expect(read.mock.calls).toMatchObject([[{ target: { tabId: 7 } }]]);
  });

  test('is none where the browser tells no address', async () => {
    browse([{ id: 7, active: true }], say({}));
    expect(await findPage()).toBeNull();
  });
});
