import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import { createKeyring } from '../../../kernel/keyring.ts';
import { createApiService } from '../create-api-service.ts';
import type { PageText } from './page-text.ts';

const keyring = await createKeyring({ secrets: ['a-secret-of-enough-characters-for-hs256'] });
let database: ThrowawayDatabase;
let db: Database;
let app: FastifyInstance;
let person: string;
let authorization: string;

/** What pages say, and which were opened for whom. */
let says: PageText | undefined;
let opened: (readonly [person: string, url: string])[];

beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  ({ id: person } = await createUser(database.admin));
  const exp = Math.floor(Date.now() / 1000) + 600;
  authorization = `Token ${await keyring.signAccessToken({ sub: person, role: 'authenticated', exp })}`;
  app = Fastify();
  await app.register(
    createApiService({
      webFolder: '/nowhere',
      db,
      keyring,
      now: () => new Date(),
      settings: { siteUrl: 'https://links.test', oauthServerEnabled: false },
      readPage: async (...asked) => {
        opened.push(asked);
        return says;
      },
    }),
  );
});
beforeEach(() => {
  says = { title: 'Da página', description: 'O que ela diz' };
  opened = [];
});
afterAll(async () => {
  await app.close();
  await db.pool.end();
  await database.drop();
});

const address = () => `https://a.example/${randomUUID()}`;
const check = async (url: string) => {
  const query = { url };
  return (await app.inject({ url: '/api/bookmarks/check/', query, headers: { authorization } })).json();
};
const save = async (payload: object, query: Record<string, string> = {}) => {
  const asked = { method: 'POST', url: '/api/bookmarks/', query, payload } as const;
  return (await app.inject({ ...asked, headers: { authorization } })).json();
};

describe('the form of an extension', () => {
  it('is filled with what the page says, which is opened as the person', async () => {
    const url = address();
    expect(await check(url)).toEqual({
      bookmark: null,
      metadata: { url, title: 'Da página', description: 'O que ela diz', preview_image: null },
      auto_tags: [],
    });
    expect(opened).toEqual([[person, url]]);
  });

  it('is empty where the page says nothing', async () => {
    says = undefined;
    expect((await check(address())).metadata).toMatchObject({ title: null, description: null });
  });

  it('opens no page of a link that is there', async () => {
    const url = address();
    await save({ url, title: 'Meu' });
    expect((await check(url)).bookmark).toMatchObject({ title: 'Meu' });
    expect(opened).toEqual([]);
  });
});

describe('what is saved by an address alone', () => {
  it('is called as its page', async () => {
    const url = address();
    expect(await save({ url })).toMatchObject({ title: 'Da página', description: 'O que ela diz' });
    expect(opened).toEqual([[person, url]]);
  });

  it('keeps what was said beside it', async () => {
    expect(await save({ url: address(), description: 'Minha' })).toMatchObject({
      title: 'Da página',
      description: 'Minha',
    });
  });

  it('has its host for a title where the page says nothing, or shall not be opened', async () => {
    const scraped = await save({ url: address() }, { disable_scraping: '' });
    expect([scraped.title, opened]).toEqual(['a.example', []]);
    says = undefined;
    expect((await save({ url: address() })).title).toBe('a.example');
  });

  it('opens no page for one that is named or saved already', async () => {
    const url = address();
    await save({ url, title: 'Meu' });
    expect(await save({ url })).toMatchObject({ title: 'Meu' });
    expect(opened).toEqual([]);
  });
});

describe('a hostile program', () => {
  it('has no page opened with a token that opens nothing, or for a body that is none', async () => {
    const reply = await app.inject({
      url: '/api/bookmarks/check/',
      query: { url: address() },
      headers: { authorization: `Token lk_pat_${'a'.repeat(43)}` },
    });
    expect(reply.statusCode).toBe(401);
    await save({ title: '' });
    await save([]);
    expect((await check('')).url).toEqual(['Falta este campo']);
    expect(opened).toEqual([]);
  });
});

it('adds notes to what another device has written in the same moment', async () => {
  const url = address();
  const { id } = await save({ url, title: 'Meu', description: 'Antes' });
  const screen = await database.admin.connect();
  try {
    await screen.query('begin');
    await screen.query(`update public.links set description = 'Depois' where url = $1`, [url]);
    const noted = app
      .inject({
        method: 'PATCH',
        url: `/api/bookmarks/${id}/`,
        payload: { notes: 'Nota' },
        headers: { authorization },
      })
      .then((reply) => reply.json());
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await database.admin.query(waiting)).rowCount).toBe(1);
    await screen.query('commit');
    expect(await noted).toMatchObject({ description: 'Depois\n\nNota' });
  } finally {
    screen.release();
  }
});

it('a search for what somebody else shares finds and counts nothing', async () => {
  await save({ url: address(), title: 'Meu' });
  const reply = await app.inject({
    url: '/api/bookmarks/',
    query: { q: 'de:maria' },
    headers: { authorization },
  });
  expect(reply.json()).toEqual({ count: 0, next: null, previous: null, results: [] });
});
