import { randomUUID } from 'node:crypto';
import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let mine: Library;
let stranger: Library;
let clientId: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  clientId = randomUUID();
  await database.admin.query(
    `insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
     values ($1, 'manual', 'https://programa.test/', 'authorization_code', 'none', 'public')`,
    [clientId],
  );
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'plus' });
  stranger = await createLibrary(database, { plan: 'plus' });
});

type Program = { readonly user: TestUser; readonly session: string };
async function letIn(scopes: string, user = mine.owner): Promise<Program> {
  const session = randomUUID();
  await database.admin.query(
    'insert into auth.sessions (id, user_id, oauth_client_id, scopes) values ($1, $2, $3, $4)',
    [session, user.id, clientId, scopes],
  );
  return { user, session };
}

type Wish = { readonly method?: string; readonly path?: string; readonly bucket?: string };
const pathOf = (name: string) => `/storage/v1/object/arquivos/${name}`;
const nameOf = ({ owner, linkId } = mine) => `${owner.id}/covers/${linkId}`;
const SMALL = { size: COVER_LIMITS.fileBytes, mimetype: 'image/webp' };
const INSERT = `insert into storage.objects (bucket_id, name, owner_id, metadata) values ($1, $2, $3, $4)`;
const UPSERT = `${INSERT} on conflict (bucket_id, name) do update set metadata = excluded.metadata`;

/** What a statement comes to for a program's request: how many rows, or why it was refused. */
async function attempt(
  { user, session }: Program,
  statement: string,
  values: readonly unknown[],
  { method = 'POST', path = '' }: Wish = {},
): Promise<number | string | null> {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
         set_config('request.method', $2, true), set_config('request.path', $3, true),
         set_config('storage.allow_delete_query', 'true', true)`,
      [
        JSON.stringify({ ...claimsOf(user), session_id: session, iat: Math.floor(Date.now() / 1000) }),
        method,
        path,
      ],
    );
    const { rowCount } = await client.query(statement, [...values]);
    await client.query('commit');
    return rowCount;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError) return error.code ?? null;
    throw error;
  } finally {
    client.release();
  }
}
const write = (
  program: Program,
  { name = nameOf(), metadata = SMALL as object | null, statement = INSERT, ...wish }: WriteWish = {},
) =>
  attempt(program, statement, [wish.bucket ?? 'arquivos', name, program.user.id, metadata], {
    path: pathOf(name),
    ...wish,
  });
type WriteWish = Wish & {
  readonly name?: string;
  readonly metadata?: object | null;
  readonly statement?: string;
};
const note = (program: Program, linkId = mine.linkId) =>
  attempt(program, 'select public.note_cover($1, $2)', [linkId, 'image']);
const countFiles = async () =>
  (await database.admin.query('select from storage.objects where name = $1', [nameOf()])).rowCount;

describe('a program that may change links', () => {
  test('gives a link its cover, writes over it, and its owner sees it', async () => {
    const program = await letIn('links:read links:write');
    // Before the bytes are there: what was announced of them, or nothing.
    expect(await write(program, { metadata: null })).toBe(1);
    expect(await write(program, { statement: UPSERT, method: 'PUT' })).toBe(1);
    expect(await note(program)).toBe(1);
    const { rows } = await queryAs(database, mine.owner, 'select state, path from category_covers($1, $2)', [
      mine.categoryId,
      [mine.linkId],
    ]);
    expect(rows).toEqual([{ state: 'image', path: nameOf() }]);
  });

  test('does so within the person’s plan', async () => {
    const program = await letIn('links:write');
    await database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       select 'arquivos', $1 || '/a.bin', $1, jsonb_build_object('size', (l.storage_megabytes::bigint) * 1048576)
       from profiles p join private.plan_limits l on l.plan = p.plan where p.id = $2`,
      [mine.owner.id, mine.owner.id],
    );
    expect(await write(program)).toBe('42501');
    expect(await note(program)).toBe('PT404');
  });

  test.each([
    ['what is larger than a cover', { size: COVER_LIMITS.fileBytes + 1, mimetype: 'image/webp' }],
    ['what says that it will be', { contentLength: COVER_LIMITS.fileBytes + 1 }],
    ['a page', { size: 10, mimetype: 'text/html' }],
    ['a drawing', { size: 10, mimetype: 'image/svg+xml' }],
  ])('writes no other file there: %s', async (_what, metadata) => {
    const program = await letIn('links:write');
    expect(await write(program, { metadata })).toBe('42501');
    expect(await write(program)).toBe(1);
    expect(await write(program, { metadata, statement: UPSERT })).toBe('42501');
  });

  test('writes nothing in another place', async () => {
    const program = await letIn('links:read links:write share');
    const { owner, linkId } = mine;
    for (const name of [
      `${owner.id}/avatar/a.webp`,
      `${owner.id}/covers/${randomUUID()}`,
      `${owner.id}/covers/${mine.categoryId}`,
      `${owner.id}/covers/${linkId}/x`,
      `${owner.id}/covers/${linkId.toUpperCase()}`,
      `${owner.id}/${linkId}`,
      nameOf(stranger),
      `${owner.id}/covers/${stranger.linkId}`,
      `${stranger.owner.id}/covers/${linkId}`,
    ]) {
      expect(await write(program, { name }), name).toBe('42501');
      // Nor by saying that it writes the cover.
      expect(await write(program, { name, path: pathOf(nameOf()) }), name).toBe('42501');
    }
    await database.admin.query(
      `insert into storage.buckets (id, name) values ('outro', 'outro') on conflict do nothing`,
    );
    expect(await write(program, { bucket: 'outro' })).toBe('42501');
  });

  test.each([
    ['another path', { path: '/storage/v1/object/copy' }],
    ['one that only ends so', { path: '/storage/v1/object/sign/object/arquivos/NAME' }],
    ['one that goes on', { path: '/storage/v1/object/arquivos/NAME/x' }],
    ['a signed address', { path: '/storage/v1/object/upload/sign/arquivos/NAME' }],
    ['an upload in pieces', { path: '/storage/v1/upload/resumable' }],
    ['S3', { path: '/storage/v1/s3/arquivos/NAME', method: 'PUT' }],
    ['none', { path: '' }],
    ['reading', { method: 'GET' }],
    ['deleting', { method: 'DELETE' }],
    ['no method', { method: '' }],
  ])('writes nothing by %s', async (_how, wish: Wish) => {
    const program = await letIn('links:write');
    const path = (wish.path ?? pathOf(nameOf())).replace('NAME', nameOf());
    expect(await write(program, { ...wish, path })).toBe('42501');
    expect(await countFiles()).toBe(0);
  });

  test('reads, lists, moves and deletes no file', async () => {
    const program = await letIn('links:read links:write share');
    await database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata) values ('arquivos', $1, $2, '{"size": 9}'), ('arquivos', $3, $2, '{"size": 9}')`,
      [nameOf(), mine.owner.id, `${mine.owner.id}/a.txt`],
    );
    const asked = `/storage/v1/object/authenticated/arquivos/${nameOf()}`;
    for (const wish of [
      { method: 'GET', path: pathOf(nameOf()) },
      { method: 'GET', path: asked },
      { method: 'HEAD', path: asked },
      { method: 'POST', path: '/storage/v1/object/list/arquivos' },
      { method: 'DELETE', path: pathOf(nameOf()) },
      { method: 'POST', path: '/storage/v1/object/move' },
    ]) {
      expect(await attempt(program, 'select name from storage.objects', [], wish)).toBe(0);
      expect(await attempt(program, `update storage.objects set name = $1`, [nameOf()], wish)).toBe(0);
      expect(await attempt(program, 'delete from storage.objects', [], wish)).toBe(0);
    }
    // While it writes the one it sees that one alone, and takes it nowhere.
    const writing = { method: 'POST', path: pathOf(nameOf()) };
    expect(await attempt(program, 'select name from storage.objects', [], writing)).toBe(1);
    expect(
      await attempt(program, 'update storage.objects set name = $1', [`${mine.owner.id}/b.txt`], writing),
    ).toBe('42501');
  });

  test('gives none to a link that is gone', async () => {
    const program = await letIn('links:write');
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    expect(await write(program)).toBe('42501');
    expect(await note(program)).toBe('PT404');
  });
});

describe('nobody else', () => {
  test.each(['', 'email', 'links:read', 'share', 'links:writer'])(
    'a program that was let do %j writes and notes none',
    async (scopes) => {
      const program = await letIn(scopes);
      expect(await write(program)).toBe('42501');
      await database.admin.query(INSERT, ['arquivos', nameOf(), mine.owner.id, SMALL]);
      expect(await write(program, { statement: UPSERT })).toBe('42501');
      expect(await note(program)).toBe('PT404');
    },
  );

  test('another person’s program, and the other person, write and note none', async () => {
    const other = await letIn('links:write', stranger.owner);
    expect(await write(other)).toBe('42501');
    expect(await note(other)).toBe('PT404');
    expect(await write(other, { name: `${stranger.owner.id}/covers/${mine.linkId}` })).toBe('42501');
    // Its own person's it does.
    expect(await write(other, { name: nameOf(stranger) })).toBe(1);
    expect(await write({ user: stranger.owner, session: '' })).toBe('42501');
  });

  test('one whose leave was taken back, or whose person is banned, writes and notes none', async () => {
    const revoked = await letIn('links:write');
    await database.admin.query('delete from auth.sessions where id = $1', [revoked.session]);
    const program = await letIn('links:write');
    await database.admin.query(
      `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      [mine.owner.id],
    );
    for (const one of [revoked, program]) {
      expect(await write(one)).toBe('42501');
      expect(await note(one)).toBe('PT404');
    }
    expect(await countFiles()).toBe(0);
  });
});
