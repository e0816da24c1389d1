import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { letPass } from '../../shared/test/let-pass.ts';
import { beginWithLibrary } from './begin-with-library.ts';
import { renderApp } from './render-app.tsx';

type Row = Record<string, unknown>;

/** How long a read may wait for others, after it was found outdated. */
export const READS_MS = 550;

/** Asked for every few seconds in any case; a test may take that long. */
const POLLED = ['GET shared_with', 'GET library_counts'];

/** Begins each test of a file with 'Estudos / Redes', one link in it, and a change feed that says what the test says. */
export function beginLive() {
  const library = beginWithLibrary(() =>
    Promise.all([
      import('../live/begin-live-updates.ts'),
      import('../pages/test-realtime-page.tsx'),
      import('../../features/links/components/form/link-dialog.tsx'),
      import('../../features/links/components/arrangement-bar.tsx'),
      import('../../features/links/components/ordering/link-ordering.tsx'),
    ]),
  );
  const live = {
    realtime: createFakeRealtime(),
    /** What was asked since the screen was opened: method and table. */
    requests: [] as string[],
    folder: {} as Row,
    category: {} as Row,
  };
  const link = (title: string, place = live.category): Row => ({
    title,
    url: `https://exemplo.com/${encodeURIComponent(title)}`,
    category_id: place['id'],
  });

  beforeEach(() => {
    live.realtime = createFakeRealtime();
    vi.stubGlobal('fetch', (...[input, init]: Parameters<typeof fetch>) => {
      const table = /\/rest\/v1\/(\w+)$/.exec(new URL(String(input)).pathname);
      // Whether the subscription counts is asked by itself, some time after the start.
      const called = /\/rest\/v1\/rpc\/(arranged_links)$/.exec(new URL(String(input)).pathname);
      if (called) live.requests.push(`POST ${called[1]}`);
      if (table) live.requests.push(`${init?.method ?? 'GET'} ${table[1]}`);
      return library.fetch(input as string, init);
    });
    vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
    vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
    live.folder = library.add('folders', { name: 'Estudos' });
    live.category = library.add('categories', {
      name: 'Redes',
      folder_id: live.folder['id'],
      is_public: false,
    });
    library.add('links', link('Roteador'));
  });

  // While it can still take back what waits for an idle moment.
  afterEach(cleanup);

  /**
   * Opens a screen and waits until it listens and has caught up.
   * @param restMs longer where a test counts reads: those of the start may still wait for others.
   */
  const open = async (path: string, restMs = 150) => {
    const app = renderApp(path, { auth: createFakeAuth(fakeSession()), realtime: live.realtime.source });
    await waitFor(() => expect(live.realtime.subscriptions().length).toBeGreaterThan(4));
    await act(() => letPass(restMs));
    live.requests = [];
    return { ...app, user: userEvent.setup() };
  };

  /** What another browser does: the service has it, and tells of it. */
  const elsewhere = {
    add: (table: string, row: Row) => {
      const stored = library.add(table, row);
      act(() => live.realtime.tell({ table, operation: 'INSERT', row: { ...stored } }));
      return stored;
    },
    change: (table: string, row: Row, change: Row) => {
      const before = { ...row };
      Object.assign(row, change, { updated_at: new Date(Date.UTC(2025, 6, 1)).toISOString() });
      act(() => live.realtime.tell({ table, operation: 'UPDATE', row: { ...row }, before }));
    },
    remove: async (table: string, row: Row) => {
      await library.fetch(`http://x/rest/v1/${table}?id=eq.${String(row['id'])}`, { method: 'DELETE' });
      act(() => live.realtime.tell({ table, operation: 'DELETE', before: { ...row } }));
    },
  };

  return {
    library,
    live,
    link,
    open,
    openCategory: (restMs?: number) => open(`/category/${String(live.category['id'])}`, restMs),
    elsewhere,
    inTree: (name: string) => screen.queryByRole('treeitem', { name }),
    findInTree: (name: string) => screen.findByRole('treeitem', { name }),
    counters: () => [...document.querySelectorAll('dd')].map((figure) => figure.textContent),
    reads: () => live.requests.filter((request) => request.startsWith('GET') && !POLLED.includes(request)),
  };
}
