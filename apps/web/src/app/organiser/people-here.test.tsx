import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([import('./shared-folders/people-here.tsx'), import('../live/begin-live-updates.ts')]),
);
const userId = fakeSession().user.id;
let realtime: ReturnType<typeof createFakeRealtime>;

beforeEach(() => {
  localStorage.clear();
  realtime = createFakeRealtime();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
});
afterEach(() => {
  vi.useRealTimers();
  setVisibility('visible');
  // While it can still take back what waits for an idle moment.
  cleanup();
});

const OTHERS = [
  { person_id: 'bia', name: 'Bia Reis' },
  { person_id: 'caio', name: null },
  { person_id: 'duda', name: 'Duda Lima' },
];

/** Opens a category of one's own, in a folder of which these people may write. */
async function openOwn(plan: 'free' | 'pro', people: readonly Readonly<Record<string, unknown>>[]) {
  library.tables['subscribers'] = [{ user_id: userId, plan, subscription_status: 'active' }];
  library.tables['profiles'] = [{ id: userId, plan }];
  library.tables['category_people'] = [...people];
  const folder = library.add('folders', { name: 'Cozinha' });
  const { id } = library.add('categories', { name: 'Receitas', folder_id: folder['id'] });
  const app = renderApp(`/category/${String(id)}`, {
    auth: createFakeAuth(fakeSession()),
    realtime: realtime.source,
    connection: createFakeConnection(),
  });
  await screen.findByRole('heading', { level: 1, name: 'Receitas' });
  return { ...app, topic: `category:${String(id)}` };
}
const own = { person_id: userId, name: 'Ana Souza' };
const isListening = () =>
  waitFor(() => expect(realtime.subscriptions().map(({ name }) => name)).toContain('links'));
const gather = (topic: string, ...keys: readonly string[]) => act(() => realtime.gather(topic, ...keys));

function setVisibility(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('who looks at a category with one', () => {
  test('is named, and gone when they go', async () => {
    const { topic } = await openOwn('pro', [own, ...OTHERS]);
    await waitFor(() => expect(realtime.shownIn(topic)).toBe(userId));
    expect(screen.queryByText(/(está|estão) aqui/)).toBeNull();
    gather(topic, 'bia');
    expect(screen.getByText('Bia está aqui')).toBeTruthy();
    gather(topic, 'bia', 'caio', 'duda');
    expect(screen.getByText('Bia e mais 2 estão aqui').closest('[title]')?.getAttribute('title')).toBe(
      'Bia Reis, Usuário e Duda Lima',
    );
    gather(topic);
    expect(screen.queryByText(/(está|estão) aqui/)).toBeNull();
  });

  test('is nobody whom the service does not name: keys are what clients say of themselves', async () => {
    const { topic } = await openOwn('pro', [own, ...OTHERS]);
    await waitFor(() => expect(realtime.shownIn(topic)).toBe(userId));
    gather(topic, 'Sua senha expirou', 'bia');
    expect(screen.getByText('Bia está aqui')).toBeTruthy();
    expect(document.body.textContent).not.toContain('expirou');
  });

  test.each([
    ['whoever is the only one who may write', 'pro', [own]],
    ['whoever may not write any more', 'pro', OTHERS],
    ['a plan that shares nothing', 'free', [own, ...OTHERS]],
  ] as const)('is not asked for %s', async (_who, plan, people) => {
    const { topic } = await openOwn(plan, people);
    await isListening();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(realtime.shownIn(topic)).toBeUndefined();
  });

  test('is seen and shown while the page is looked at, and a minute longer', async () => {
    const { topic } = await openOwn('pro', [own, ...OTHERS]);
    await waitFor(() => expect(realtime.shownIn(topic)).toBe(userId));
    gather(topic, 'bia');
    vi.useFakeTimers();
    act(() => setVisibility('hidden'));
    act(() => vi.advanceTimersByTime(59_000));
    act(() => setVisibility('visible'));
    act(() => setVisibility('hidden'));
    act(() => vi.advanceTimersByTime(59_000));
    expect(realtime.shownIn(topic)).toBe(userId);
    act(() => vi.advanceTimersByTime(1_000));
    expect(realtime.shownIn(topic)).toBeUndefined();
    expect(screen.queryByText('Bia está aqui')).toBeNull();
    act(() => setVisibility('visible'));
    expect(realtime.shownIn(topic)).toBe(userId);
  });
});
