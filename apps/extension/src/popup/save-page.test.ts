import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Place } from '../library/library.ts';
import { listCaptures, removeCaptures } from '../outbox/outbox-store.ts';
import { ownerOf } from '../session/session-store.ts';
import type { Request } from '../shared/messages.ts';
import { type Outcome, saveElsewhere, savePage } from './save-page.ts';

const CONNECTION = {
  installation: {
    origin: 'https://a.example',
    servicesUrl: 'https://a.example',
    anonKey: 'anon',
    clientId: null,
  },
  session: { kind: 'token', userId: 'ana', accessToken: 'acesso' },
  hasEnded: false,
} as const;
const OWNER = ownerOf(CONNECTION);
const HERE: Place = {
  id: 'entrada',
  name: 'Entrada',
  folder: '',
  folderId: 'minha',
  isInbox: true,
  ownerId: null,
};
const THERE: Place = { ...HERE, id: 'receitas', name: 'Receitas', isInbox: false, ownerId: 'clara' };
const SAVED: Extract<Outcome, { kind: 'saved' }> = {
  kind: 'saved',
  link: { id: 'pao', title: 'Pão', description: null, categoryId: HERE.id, tags: [] },
  places: [HERE, THERE],
  wasThere: false,
  found: {
    id: 'pao',
    url: 'https://b.example/pao',
    title: 'Pão',
    description: null,
    categoryId: null,
    tags: [],
  },
  tab: null,
};

async function emptyOutbox() {
  await removeCaptures(
    OWNER,
    (await listCaptures(OWNER)).map(({ place }) => place),
  );
}

beforeEach(async () => {
  // Nothing that is saved is seen again: the connection goes in between.
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await emptyOutbox();
});

test.each([
  { sent: true, undone: true, moved: null },
  { sent: true, undone: false, moved: 'both' },
  { sent: false, undone: true, moved: null },
  { sent: false, undone: false, moved: 'both' },
])(
  'what is not seen elsewhere is taken back there, or said to be in both: %o',
  async ({ sent, undone, moved }) => {
    const asked: Request[] = [];
    vi.stubGlobal('chrome', {
      alarms: { create: async () => undefined },
      runtime: {
        sendMessage: async (request: Request) => {
          asked.push(request);
          if (request.kind === 'send-outbox' && sent) await emptyOutbox();
          return { ok: request.kind === 'undo' ? undone : sent };
        },
      },
      storage: { local: { get: async () => ({ connection: CONNECTION }) } },
    });
    expect(await saveElsewhere(CONNECTION, SAVED, THERE)).toBe(moved);
    expect(asked.map(({ kind }) => kind)).toEqual(['send-outbox', 'undo']);
    expect(asked[1]).not.toMatchObject({ ids: [SAVED.link.id] });
  },
);

test.each([
  { url: 'chrome://settings', why: 'no_page' },
  { url: `https://b.example/${'x'.repeat(600)}`, why: 'too_long' },
  { url: undefined, why: 'no_page' },
])('why a page cannot be saved is known: $why', async ({ url, why }) => {
  vi.stubGlobal('chrome', {
    tabs: {
      query: async () => [{ id: 1, active: true, url, title: 'B' }],
      getCurrent: async () => undefined,
    },
    scripting: { executeScript: async () => [] },
  });
  expect(await savePage(CONNECTION)).toEqual({ kind: 'unsavable', why });
});
