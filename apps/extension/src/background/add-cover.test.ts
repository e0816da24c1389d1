import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addCaptures, listCaptures, removeCaptures } from '../outbox/outbox-store.ts';
import { holdOutbox } from '../outbox/send-captures.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';
import { addCover } from './add-cover.ts';

const CONNECTION: Connection = {
  installation: {
    origin: 'https://a.example',
    servicesUrl: 'https://a.example',
    anonKey: 'anon',
    clientId: null,
  },
  session: { kind: 'token', userId: 'ana', accessToken: 'acesso' },
  hasEnded: false,
};
const SEEN = { owner: ownerOf(CONNECTION), linkId: 'link' };
const COVER = new Blob(['capa'], { type: 'image/webp' });
const taken = Promise.resolve(COVER);
const LINK = {
  id: 'link',
  url: 'https://b.example/',
  title: 'B',
  description: null,
  categoryId: null,
  tags: [],
};

/** The services, and what they were sent: `METHOD path`. */
function serve({ stored = 200, connection = CONNECTION as Connection | null } = {}) {
  const sent: { readonly what: string; readonly headers: Headers; readonly body: unknown }[] = [];
  vi.stubGlobal('chrome', { storage: { local: { get: async () => (connection ? { connection } : {}) } } });
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, { method, headers, body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input));
    sent.push({ what: `${method} ${pathname}`, headers: new Headers(headers), body });
    if (!pathname.startsWith('/storage/')) return Response.json('2026-11-26T12:00:00Z');
    if (stored === 0) throw new TypeError('Failed to fetch');
    return Response.json({}, { status: stored });
  });
  return { sent, what: () => sent.map(({ what }) => what) };
}
const STORED = 'POST /storage/v1/object/arquivos/ana/covers/link';

beforeEach(async () => {
  const owner = ownerOf(CONNECTION);
  const all = await listCaptures(owner);
  await removeCaptures(
    owner,
    all.map(({ place }) => place),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a link’s cover', () => {
  test('is sent as its person’s file, and then the word that it is there', async () => {
    const { sent, what } = serve();
    await addCover(SEEN, taken);
    expect(what()).toEqual([STORED, 'POST /rest/v1/rpc/note_cover']);
    expect(sent[0]?.body).toBe(COVER);
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
      authorization: 'Bearer acesso',
      apikey: 'anon',
      'content-type': 'image/webp',
    });
    expect(JSON.parse(String(sent[1]?.body))).toEqual({ link_id: 'link', state: 'image' });
  });

  test('is not said to be there where it was refused, or nobody answered', async () => {
    for (const stored of [403, 409, 413, 500, 0]) {
      const { what } = serve({ stored });
      await addCover(SEEN, taken);
      expect(what()).toEqual([STORED]);
    }
  });

  test('is not sent while its link waits on the device', async () => {
    const { what } = serve();
    await addCaptures(ownerOf(CONNECTION), [LINK]);
    await addCover(SEEN, taken);
    expect(what()).toEqual([]);
    await addCover({ ...SEEN, linkId: 'outro' }, taken);
    expect(what()).toHaveLength(2);
  });

  test('is not sent while something else is sent or undone', async () => {
    const { what } = serve();
    const { adding, sent } = await holdOutbox(async () => {
      const begun = addCover(SEEN, taken);
      // Longer than it takes to look whether the link waits.
      for (let round = 0; round < 5; round += 1) await listCaptures(ownerOf(CONNECTION));
      return { adding: begun, sent: what().length };
    });
    expect(sent).toBe(0);
    await adding;
    expect(what()).toHaveLength(2);
  });

  test('is none of a page without a picture, and nobody’s where nobody is signed in or somebody else', async () => {
    const { what } = serve();
    await addCover(SEEN, Promise.resolve(null));
    expect(what()).toEqual([]);
    const other = { ...CONNECTION, session: { ...CONNECTION.session, userId: 'bia' } };
    for (const connection of [null, { ...CONNECTION, hasEnded: true }, other]) {
      const services = serve({ connection });
      await addCover(SEEN, taken);
      expect(services.what()).toEqual([]);
    }
  });
});
