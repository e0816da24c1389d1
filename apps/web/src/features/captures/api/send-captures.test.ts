import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createFakeDatabase,
  type FakeAnswer,
  type FakeRequest,
} from '../../../shared/test/create-fake-database.ts';
import type { Capture } from '../model/capture.ts';
import { describeRefusedCapture } from '../model/describe-refused-capture.ts';
import {
  addCaptures,
  changeCaptures,
  editCapture,
  listCaptures,
  MOST_WAITING,
  OutboxFull,
  removeCaptures,
  watchOutbox,
} from './outbox-store.ts';
import { holdOutbox, sendCaptures } from './send-captures.ts';
import { settleCaptures } from './settle-captures.ts';
import { undoCaptures } from './undo-captures.ts';

const ANA = 'ana';
const BIA = 'bia';

const capture = (id: string, rest: Partial<Capture> = {}): Capture => ({
  id,
  url: `https://a.br/${id}`,
  title: id.toUpperCase(),
  description: null,
  categoryId: null,
  tags: [],
  ...rest,
});

/** A service that knows each link once, as capture_link does; `answer` may say something else first. */
function service() {
  const saved = new Map<string, Record<string, unknown>>();
  const asked: string[] = [];
  const control: { answer: (request: FakeRequest) => FakeAnswer | null } = { answer: () => null };
  const database = createFakeDatabase((request) => {
    const body = request.body as Record<string, unknown>;
    if (request.path === 'rpc/delete_links') {
      for (const id of body['link_ids'] as string[]) saved.delete(id);
      return { body: 1 };
    }
    asked.push(String(body['id']));
    const other = control.answer(request);
    if (other) return other;
    if (!saved.has(String(body['id']))) saved.set(String(body['id']), body);
    return { body: body['category_id'] ?? 'entrada' };
  });
  return { database, saved, asked, control };
}

let remote: ReturnType<typeof service>;
let savedHere: string[];
let wanted: boolean;
beforeEach(() => {
  remote = service();
  savedHere = [];
  wanted = true;
});
afterEach(async () => {
  for (const person of [ANA, BIA])
    await removeCaptures(
      person,
      (await listCaptures(person)).map(({ place }) => place),
    );
});

const send = (userId = ANA, rest: Partial<Parameters<typeof sendCaptures>[0]> = {}) =>
  sendCaptures({
    database: remote.database,
    userId,
    readTitle: async () => null,
    saveTags: async () => 'done',
    onSaved: ({ id }) => savedHere.push(id),
    isWanted: () => wanted,
    ...rest,
  });
const aMomentLater = () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
const idsOf = async (userId = ANA) => (await listCaptures(userId)).map(({ id }) => id);
const refusals = async () => (await listCaptures(ANA)).map(({ id, refusal }) => [id, refusal?.kind ?? null]);
const refuse = (code: string, hint = '', details = '') => ({
  status: 400,
  body: { code, hint, details, message: code },
});

describe('what is captured', () => {
  test('waits in the order in which it came, and is sent in that order, each with its own place', async () => {
    await addCaptures(ANA, [capture('a'), capture('b', { categoryId: 'doces', description: 'Bom' })]);
    await addCaptures(ANA, [capture('c')]);
    expect(await idsOf()).toEqual(['a', 'b', 'c']);
    expect(await send()).toBe('done');
    expect(remote.asked).toEqual(['a', 'b', 'c']);
    expect(savedHere).toEqual(['a', 'b', 'c']);
    expect(await idsOf()).toEqual([]);
    expect(remote.saved.get('b')).toEqual({
      id: 'b',
      url: 'https://a.br/b',
      title: 'B',
      description: 'Bom',
      category_id: 'doces',
    });
    expect(remote.saved.get('a')).not.toHaveProperty('category_id');
  });

  test('stays where nobody answers, and is saved once although the first answer was lost', async () => {
    await addCaptures(ANA, [capture('a'), capture('b')]);
    remote.control.answer = ({ body }) => {
      const { id } = body as { id: string };
      // It is saved there, and the answer does not arrive.
      remote.saved.set(id, { id });
      throw new TypeError('Failed to fetch');
    };
    expect(await send()).toBe('away');
    expect(await idsOf()).toEqual(['a', 'b']);
    remote.control.answer = () => null;
    expect(await send()).toBe('done');
    expect([...remote.saved.keys()]).toEqual(['a', 'b']);
    expect(remote.saved.get('a')).toEqual({ id: 'a' });
    expect(await idsOf()).toEqual([]);
  });

  test('that was edited after its answer was lost is brought up to date, again where that is not answered', async () => {
    await addCaptures(ANA, [capture('a', { categoryId: 'doces' }), capture('b')]);
    for (const id of ['a', 'b']) remote.saved.set(id, { id });
    const [a] = await listCaptures(ANA);
    if (a) await editCapture(ANA, a, { title: 'Novo', description: 'Sobre' });
    const patched: unknown[] = [];
    let answer = { status: 503, body: { code: '', message: 'later' } as unknown };
    remote.control.answer = ({ method, path, query, body }) => {
      if (method !== 'PATCH') return null;
      patched.push([path, query.get('id'), body]);
      return answer;
    };
    expect(await send()).toBe('away');
    expect(await refusals()).toEqual([
      ['a', null],
      ['b', null],
    ]);
    answer = { status: 403, body: { code: '42501', message: 'x' } };
    expect(await send()).toBe('done');
    expect(await refusals()).toEqual([['a', 'category_gone']]);
    await changeCaptures(ANA, [a?.place ?? 0], { refusal: null });
    answer = { status: 200, body: [] };
    expect(await send()).toBe('done');
    expect(await idsOf()).toEqual([]);
    const update = { url: 'https://a.br/a', title: 'Novo', description: 'Sobre', category_id: 'doces' };
    expect(patched).toEqual(Array(3).fill(['links', 'eq.a', update]));
  });

  test('that is edited while it is sent is sent once more, as it was edited', async () => {
    await addCaptures(ANA, [capture('a', { title: null })]);
    const [a] = await listCaptures(ANA);
    const patched: unknown[] = [];
    remote.control.answer = ({ method, query, body }) => {
      if (method !== 'PATCH') return null;
      patched.push([query.get('id'), (body as { title: string }).title]);
      return { status: 200, body: [] };
    };
    const readTitle = async () => {
      if (a) await editCapture(ANA, a, { title: 'Novo' });
      return 'Pão';
    };
    expect(await send(ANA, { readTitle })).toBe('done');
    expect(patched).toEqual([['eq.a', 'Novo']]);
    expect(await idsOf()).toEqual([]);
  });

  test('that is edited once it has been sent is sent once more, and what came behind it stays', async () => {
    await addCaptures(ANA, [capture('a')]);
    const [a] = await listCaptures(ANA);
    await send();
    aMomentLater();
    await addCaptures(ANA, [capture('b')]);
    if (a) await editCapture(ANA, a, { title: 'Novo' });
    const patched: unknown[] = [];
    remote.control.answer = ({ method, query, body }) => {
      if (method !== 'PATCH') return null;
      patched.push([query.get('id'), (body as { title: string }).title]);
      return { status: 200, body: [] };
    };
    expect(await idsOf()).toEqual(['a', 'b']);
    expect(await send()).toBe('done');
    expect(patched).toEqual([['eq.a', 'Novo']]);
    expect(remote.saved.get('b')).toMatchObject({ title: 'B' });
  });

  test('that was refused is not in the place of another by then', async () => {
    await addCaptures(ANA, [capture('a')]);
    const [a] = await listCaptures(ANA);
    await removeCaptures(ANA, [a?.place ?? 0]);
    aMomentLater();
    await addCaptures(ANA, [capture('b')]);
    await changeCaptures(ANA, [a?.place ?? 0], { refusal: { kind: 'category_gone' } });
    await removeCaptures(ANA, [a?.place ?? 0]);
    expect(await refusals()).toEqual([['b', null]]);
  });

  test('that is taken out while it is sent takes nothing with it that came after', async () => {
    await addCaptures(ANA, [capture('a', { title: null })]);
    const places = (await listCaptures(ANA)).map(({ place }) => place);
    const readTitle = async () => {
      await removeCaptures(ANA, places);
      await addCaptures(ANA, [capture('b')]);
      return 'A';
    };
    expect(await send(ANA, { readTitle })).toBe('done');
    expect([...remote.saved.keys()]).toEqual(['a', 'b']);
  });

  test.each([503, 500, 429, 408])(
    'stays where the service says %i, which says nothing of it',
    async (status) => {
      await addCaptures(ANA, [capture('a')]);
      remote.control.answer = () => ({ status, body: { code: '', message: 'later' } });
      expect(await send()).toBe('away');
      expect(await refusals()).toEqual([['a', null]]);
    },
  );

  test('of another person is neither sent nor seen', async () => {
    await addCaptures(ANA, [capture('a')]);
    expect(await idsOf(BIA)).toEqual([]);
    expect(await send(BIA)).toBe('done');
    expect(remote.asked).toEqual([]);
    expect(await idsOf()).toEqual(['a']);
  });

  test('is not sent any more once its person has gone', async () => {
    await addCaptures(ANA, [capture('a'), capture('b')]);
    remote.control.answer = () => {
      wanted = false;
      return null;
    };
    expect(await send()).toBe('done');
    expect(remote.asked).toEqual(['a']);
    expect(await idsOf()).toEqual(['b']);
  });

  test('without a title gets the page’s, else its host', async () => {
    await addCaptures(ANA, [capture('a', { title: null }), capture('b', { title: null })]);
    await send(ANA, { readTitle: async (url) => (url.endsWith('a') ? 'Pão' : null) });
    expect([...remote.saved.values()].map(({ title }) => title)).toEqual(['Pão', 'a.br']);
  });

  test('keeps its tags until they are written', async () => {
    await addCaptures(ANA, [capture('a', { tags: ['doce'] })]);
    const saveTags = vi.fn(async () => 'away' as const);
    expect(await send(ANA, { saveTags })).toBe('away');
    expect(await idsOf()).toEqual(['a']);
    const written = vi.fn(async () => 'done' as const);
    expect(await send(ANA, { saveTags: written })).toBe('done');
    expect(written).toHaveBeenCalledExactlyOnceWith('a', ['doce']);
    expect(remote.saved.size).toBe(1);
  });

  test('of two tabs at once is saved once', async () => {
    await addCaptures(ANA, [capture('a'), capture('b')]);
    await Promise.all([send(), send()]);
    expect([...remote.saved.keys()]).toEqual(['a', 'b']);
    expect(await idsOf()).toEqual([]);
  });

  test('is sent under a lock, so that one tab sends at a time', async () => {
    const request = vi.fn((_name: string, run: () => unknown) => run());
    vi.stubGlobal('navigator', { ...navigator, locks: { request } });
    await send();
    await holdOutbox(BIA, async () => undefined);
    expect(request.mock.calls.map(([name]) => name)).toEqual([
      'linkoteca-outbox-ana',
      'linkoteca-outbox-bia',
    ]);
  });

  test('is bounded on a device, all or nothing', async () => {
    const many = Array.from({ length: MOST_WAITING }, (_, n) => capture(`n${n}`));
    await addCaptures(ANA, many);
    await expect(addCaptures(ANA, [capture('x')])).rejects.toBeInstanceOf(OutboxFull);
    expect(await idsOf()).toHaveLength(MOST_WAITING);
    await addCaptures(BIA, [capture('x')]);
  });

  test('is told of when it comes and goes, in other tabs as well', async () => {
    const here = vi.fn();
    const stop = watchOutbox(here);
    const elsewhere = new BroadcastChannel('linkoteca-outbox');
    const heard = new Promise<void>((resolve) => {
      elsewhere.onmessage = () => resolve();
    });
    await addCaptures(ANA, [capture('a')]);
    expect(here).toHaveBeenCalled();
    await heard;
    here.mockClear();
    elsewhere.postMessage(null);
    await vi.waitFor(() => expect(here).toHaveBeenCalledOnce(), 20_000);
    elsewhere.close();
    stop();
  });

  test('is told of in its own tab where the page may not speak to others', async () => {
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          throw new DOMException('denied', 'SecurityError');
        }
      },
    );
    const here = vi.fn();
    const stop = watchOutbox(here);
    await addCaptures(ANA, [capture('a')]);
    expect(here).toHaveBeenCalledOnce();
    stop();
  });
});

describe('what is refused', () => {
  const FULL = refuse('P0001', 'plan_limit_links', '{"max":20,"plan":"free"}');

  test('for a full plan stays with all behind it, which are not even sent', async () => {
    await addCaptures(ANA, [capture('a'), capture('b'), capture('c')]);
    remote.control.answer = ({ body }) => ((body as { id: string }).id === 'a' ? null : FULL);
    expect(await send()).toBe('done');
    expect(remote.asked).toEqual(['a', 'b']);
    expect((await listCaptures(ANA)).map(({ id, refusal }) => [id, refusal])).toEqual([
      ['b', { kind: 'link_limit', max: 20 }],
      ['c', { kind: 'link_limit', max: 20 }],
    ]);
  });

  test('for a full plan of whoever shares a folder holds up what goes into that folder alone', async () => {
    const inside = { categoryId: 'receitas', sharedFolderId: 'cozinha' };
    await addCaptures(ANA, [
      capture('a', inside),
      capture('b'),
      capture('c', { ...inside, categoryId: 'bolos' }),
      capture('d', { categoryId: 'outra', sharedFolderId: 'outra' }),
    ]);
    remote.control.answer = ({ body }) => ((body as { id: string }).id === 'a' ? FULL : null);
    expect(await send()).toBe('done');
    expect(remote.asked).toEqual(['a', 'b', 'd']);
    const waiting = await listCaptures(ANA);
    expect(waiting.map(({ id, refusal }) => [id, refusal])).toEqual([
      ['a', { kind: 'folder_full', max: 20 }],
      ['c', { kind: 'folder_full', max: 20 }],
    ]);
    expect(waiting[0]?.refusal && describeRefusedCapture(waiting[0].refusal)).toBe(
      'O plano de quem compartilha esta pasta guarda até 20 links, e está cheio.',
    );
  });

  test('for one’s own full plan holds up nothing that goes into a folder of somebody else’s', async () => {
    await addCaptures(ANA, [capture('a'), capture('b', { categoryId: 'x', sharedFolderId: 'cozinha' })]);
    remote.control.answer = ({ body }) => ((body as { id: string }).id === 'a' ? FULL : null);
    await send();
    expect(await refusals()).toEqual([['a', 'link_limit']]);
    expect([...remote.saved.keys()]).toEqual(['b']);
  });

  test('is not sent again by itself, but when the person asks', async () => {
    await addCaptures(ANA, [capture('a')]);
    remote.control.answer = () => FULL;
    await send();
    remote.control.answer = () => null;
    await send();
    expect(remote.asked).toEqual(['a']);
    const [waiting] = await listCaptures(ANA);
    if (waiting) await editCapture(ANA, waiting, { title: 'Outro' });
    await send();
    expect(remote.saved.get('a')).toMatchObject({ title: 'Outro' });
    expect(await idsOf()).toEqual([]);
  });

  test('holds up nobody behind it who may hear something else', async () => {
    await addCaptures(ANA, [
      capture('mau', { url: 'x' }),
      capture('b', { categoryId: 'ida' }),
      capture('c', { categoryId: 'ida' }),
      capture('d'),
    ]);
    remote.control.answer = ({ body }) => {
      const { id, category_id } = body as { id: string; category_id?: string };
      if (id === 'mau')
        return {
          status: 400,
          body: { code: '23514', message: 'violates check constraint "links_url_is_http"' },
        };
      return category_id
        ? { status: 404, body: { code: 'PT404', message: 'Categoria não encontrada' } }
        : null;
    };
    expect(await send()).toBe('done');
    expect(remote.asked).toEqual(['mau', 'b', 'd']);
    expect(await refusals()).toEqual([
      ['mau', 'invalid'],
      ['b', 'category_gone'],
      ['c', 'category_gone'],
    ]);
    const [bad] = await listCaptures(ANA);
    expect(bad?.refusal).toEqual({
      kind: 'invalid',
      words: 'Dados inválidos para criação de link: URL inválida',
    });
  });

  test('for want of a place for the inbox leaves alone what has a category', async () => {
    await addCaptures(ANA, [capture('a'), capture('b', { categoryId: 'doces' }), capture('c')]);
    remote.control.answer = ({ body }) =>
      (body as { category_id?: string }).category_id
        ? null
        : refuse('P0001', 'plan_limit_categories', '{"max":5,"plan":"free"}');
    await send();
    expect(await refusals()).toEqual([
      ['a', 'category_limit'],
      ['c', 'category_limit'],
    ]);
    expect([...remote.saved.keys()]).toEqual(['b']);
  });

  test.each([
    ['a lost session', 401, 'PGRST303'],
    ['a closed account', 403, '42501'],
  ])('for %s waits for the person to be back', async (_what, status, code) => {
    await addCaptures(ANA, [capture('a'), capture('b')]);
    remote.control.answer = () => ({ status, body: { code, message: 'x' } });
    expect(await send()).toBe('done');
    expect(remote.asked).toEqual(['a']);
    expect(await refusals()).toEqual([
      ['a', 'signed_out'],
      ['b', 'signed_out'],
    ]);
  });

  test('that was saved before under this id counts as saved', async () => {
    await addCaptures(ANA, [capture('a')]);
    remote.control.answer = () => ({
      status: 409,
      body: { code: '23505', message: 'duplicate key value violates unique constraint "links_pkey"' },
    });
    expect(await send()).toBe('done');
    expect(savedHere).toEqual(['a']);
    expect(await idsOf()).toEqual([]);
  });
});

describe('whoever captured', () => {
  test('hears what still waits once nothing is due', async () => {
    const captures = [capture('a'), capture('b')];
    await addCaptures(ANA, captures);
    const settled = settleCaptures(ANA, captures, null);
    remote.control.answer = ({ body }) =>
      (body as { id: string }).id === 'a' ? null : refuse('P0001', 'plan_limit_links', '{"max":1}');
    await send();
    expect((await settled).map(({ id }) => id)).toEqual(['b']);
  });

  test('takes back what is saved and what waits, also where an answer was lost', async () => {
    const captures = [capture('a'), capture('b')];
    await addCaptures(ANA, captures);
    remote.control.answer = ({ body }) => {
      const { id } = body as { id: string };
      if (id === 'a') return null;
      remote.saved.set(id, { id });
      throw new TypeError('Failed to fetch');
    };
    expect(await send()).toBe('away');
    await undoCaptures(remote.database, ANA, captures);
    expect([...remote.saved.keys()]).toEqual([]);
    expect(await idsOf()).toEqual([]);
  });
});
