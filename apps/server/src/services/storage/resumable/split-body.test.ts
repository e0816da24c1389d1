import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type BodySource, splitBody } from './split-body.ts';

async function takeAll(source: BodySource, bytes: number): Promise<string[]> {
  const parts: string[] = [];
  while (await source.hasMore()) {
    let part = '';
    for await (const chunk of source.take(bytes)) part += chunk.toString();
    parts.push(part);
  }
  return parts;
}

const split = (chunks: readonly string[]) =>
  splitBody(Readable.from(chunks.map((text) => Buffer.from(text))));

describe('a body', () => {
  it.each<[readonly string[], number, readonly string[]]>([
    [['0123456789'], 4, ['0123', '4567', '89']],
    [['01', '23', '45'], 4, ['0123', '45']],
    [['0', '', '1234567', '8'], 4, ['0123', '4567', '8']],
    [['0123'], 4, ['0123']],
    [[], 4, []],
    [[''], 4, []],
  ])('of %j comes in parts of %i bytes at most', async (chunks, bytes, parts) => {
    const source = split(chunks);
    expect(await takeAll(source, bytes)).toEqual(parts);
    expect(source.failure).toBeUndefined();
  });

  it('that breaks off ends, with what came of it, and says why', async () => {
    const broken = new Error('gone');
    const source = splitBody(
      Readable.from(
        (async function* () {
          yield Buffer.from('012345');
          throw broken;
        })(),
      ),
    );
    expect(await takeAll(source, 4)).toEqual(['0123', '45']);
    expect(source.failure).toBe(broken);
  });
});
