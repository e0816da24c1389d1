import { hashAddress } from '@linkoteca/domain/address-hash';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
const KEPT = 'https://exemplo.com.br/';

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'pro' });
});
afterAll(() => database.drop());

async function ask(buckets: readonly (number | null)[], caller: TestCaller = mine.owner) {
  const text = 'select kept_addresses($1) as hashes';
  return (await queryAs<{ hashes: string[] }>(database, caller, text, [buckets])).rows[0]?.hashes;
}

describe('the hash of an address', () => {
  test.each([
    '',
    'a',
    'https://a.br',
    'https://ab.br',
    'https://www.exemplo.com.br/caminho/?b=2&a=1&utm_source=x#parte',
    'https://exemplo.com.br/ação?q=é',
    'https://exemplo.com.br/👍',
    'https://exemplo.com.br/a%c3%a7%C3%A3o/caf%C3%A9%20bom?q=p%C3%A3o+doce%2C+sim&b=%2f#/rota/%C3%A9',
    'https://exemplo.com.br/100%25?q=50%25',
    'https://exemplo.com.br/busca?q=a+b&lang=pt-BR&page=2',
    ...Array.from({ length: 14 }, (_, length) => `https://x.br/${'y'.repeat(length)}`),
    `https://longo.br/${'z'.repeat(480)}`,
  ])('is the database’s: %s', async (url) => {
    const { rows } = await database.admin.query<{ hash: string; bucket: number }>(
      `select hash::text, (hash >> 52)::integer as bucket
       from (select hashtextextended(private.address_key($1), 0) as hash) as h`,
      [url],
    );
    expect(hashAddress(url)).toEqual(rows[0]);
  });
});

describe('which pages are kept', () => {
  test('is answered for a bucket by what is kept in it, once each', async () => {
    const { hash, bucket } = hashAddress(KEPT);
    await queryAs(
      database,
      mine.owner,
      `insert into links (url, title, category_id) values ($1, 'De novo', $2)`,
      [`${KEPT}?utm_source=x`, mine.categoryId],
    );
    expect(await ask([bucket, bucket])).toEqual([hash]);
    expect(await ask([bucket === 0 ? 1 : 0])).toEqual([]);
    expect(await ask([])).toEqual([]);
  });

  test('has edges that belong to one bucket alone', async () => {
    const library = await createLibrary(database);
    const { id } = library.owner;
    await database.admin.query('delete from private.link_addresses where user_id = $1', [id]);
    const edges = [
      '-9223372036854775808',
      '-4503599627370496',
      '-1',
      '0',
      '4503599627370495',
      '9223372036854775807',
    ];
    for (const edge of edges)
      await database.admin.query(
        'insert into private.link_addresses values ($1, $2, now(), gen_random_uuid())',
        [id, edge],
      );
    const among = async (bucket: number) => (await ask([bucket], library.owner))?.sort();
    expect(await among(-2048)).toEqual(['-9223372036854775808']);
    expect(await among(-1)).toEqual(['-1', '-4503599627370496']);
    expect(await among(0)).toEqual(['0', '4503599627370495']);
    expect(await among(2047)).toEqual(['9223372036854775807']);
  });

  test('is nobody else’s to know', async () => {
    const { bucket } = hashAddress(KEPT);
    expect(await ask([bucket], await createUser(database.admin))).toEqual([]);
    expect(await readOutcome(database, 'anon', 'select kept_addresses($1)', [[bucket]])).toMatchObject({
      code: '42501',
    });
  });

  test('goes with the link', async () => {
    const library = await createLibrary(database);
    const { bucket, hash } = hashAddress(KEPT);
    expect(await ask([bucket], library.owner)).toEqual([hash]);
    await queryAs(database, library.owner, 'delete from links where id = $1', [library.linkId]);
    expect(await ask([bucket], library.owner)).toEqual([]);
  });

  test('is asked for no more than a hundred buckets, and none that there is not', async () => {
    expect(await ask([null, 2048, -2049])).toEqual([]);
    const many = Array.from({ length: 101 }, (_, bucket) => bucket);
    const outcome = await readOutcome(database, mine.owner, 'select kept_addresses($1)', [many]);
    expect(outcome).toMatchObject({ code: 'PT400' });
  });
});
