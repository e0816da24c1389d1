import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FilesBench, type Person, startFiles } from './test-support/start-files.ts';

let bench: FilesBench;
let ana: Person;
beforeAll(async () => {
  bench = await startFiles();
  ana = await bench.createPerson();
});
afterAll(() => bench.stop());
afterEach(() => vi.restoreAllMocks());

const path = (name: string, bucket = 'arquivos') => `/object/${bucket}/${ana.id}/${name}`;
const put = (name: string, body: string) => bench.ask('PUT', path(name), { as: ana, body });
const get = async (name: string, bucket?: string) => {
  const answer = await bench.ask('GET', path(name, bucket), { as: ana });
  const text = await answer.text();
  return answer.ok ? text : answer.status;
};
const rename = (way: 'move' | 'copy', from: string, to: string, destinationBucket = 'publico') =>
  bench.ask('POST', `/object/${way}`, {
    as: ana,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      bucketId: 'arquivos',
      sourceKey: `${ana.id}/${from}`,
      destinationKey: `${ana.id}/${to}`,
      destinationBucket,
    }),
  });

describe('a file whose record is kept while the connection to the database breaks', () => {
  it.each([
    ['an upload', 'novo.txt', 'arquivos', () => put('novo.txt', 'conteúdo')],
    ['a copy', 'copia.txt', 'publico', () => rename('copy', 'fonte.txt', 'copia.txt')],
    ['a move', 'levado.txt', 'publico', () => rename('move', 'fonte.txt', 'levado.txt')],
  ] as const)('has its bytes, although %s was refused', async (_what, name, bucket, write) => {
    await put('fonte.txt', 'conteúdo');
    loseAnswer();
    expect((await write()).status).toBe(503);
    expect(await get(name, bucket)).toBe('conteúdo');
  });

  /** The next record is committed; that it was is never heard. */
  function loseAnswer(): void {
    const query = pg.Client.prototype.query as (this: pg.Client, statement: unknown) => Promise<unknown>;
    let [isWritten, isLost] = [false, false];
    const queryAndLose = async function (this: pg.Client, statement: string | { readonly name?: string }) {
      const answer = await query.call(this, statement);
      const name = typeof statement === 'string' ? statement : statement.name;
      if (/^storage_(insert|upsert|move)_object$/.test(name ?? '')) isWritten = true;
      if (name === 'rollback') isWritten = false;
      if (name !== 'commit' || !isWritten || isLost) return answer;
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    };
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(queryAndLose as never);
  }
});

describe('while the bytes of a move into another bucket are copied', () => {
  /** When they are there, and before the record follows. */
  function meanwhile(act: () => Promise<unknown>): void {
    const copy = bench.blobs.copy.bind(bench.blobs);
    vi.spyOn(bench.blobs, 'copy').mockImplementationOnce(async (from, to) => {
      await copy(from, to);
      await act();
    });
  }

  it('a file that is written over is not moved, and nothing of it is lost', async () => {
    await put('nota.txt', 'um');
    const blobs = await bench.countBlobs();
    meanwhile(() => put('nota.txt', 'dois'));
    const moved = await rename('move', 'nota.txt', 'nota.txt');
    expect(await moved.json()).toMatchObject({ statusCode: '423', code: 'ResourceLocked' });
    expect([await get('nota.txt'), await get('nota.txt', 'publico')]).toEqual(['dois', 400]);
    expect(await bench.countBlobs()).toBe(blobs);
  });

  it('a file that is moved elsewhere is there, and only there', async () => {
    await put('carta.txt', 'um');
    const blobs = await bench.countBlobs();
    meanwhile(() => rename('move', 'carta.txt', 'gaveta.txt', 'arquivos'));
    const moved = await rename('move', 'carta.txt', 'carta.txt');
    expect(await moved.json()).toMatchObject({ code: 'NoSuchKey' });
    expect([await get('gaveta.txt'), await get('carta.txt', 'publico')]).toEqual(['um', 400]);
    expect(await bench.countBlobs()).toBe(blobs);
  });
});
