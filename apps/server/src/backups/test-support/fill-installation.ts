import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import type pg from 'pg';
import type { BlobStore } from '../../services/storage/blobs/blob-store.ts';

/** What COPY has signs of its own for, and what is easily mangled on the way. */
const ODD_TEXTS = ['\\N', '\\.', 'a\tb\nc\rd', 'C:\\pasta\\n', "d'água", '😀 ñ ﷽', '{"a": [1, null]}', '  '];

/** Rows in most tables that people, programs and the operator fill, odd ones among them, and files with their bytes. */
export async function fillInstallation(admin: pg.Pool, blobs: BlobStore): Promise<TestUser> {
  const user = await createUser(admin, { plan: 'pro', name: 'Ana \\N\tSouza' });
  await createUser(admin);
  const folder = await insert(admin, 'public.folders', { user_id: user.id, name: 'Trabalho\\N' });
  const category = await insert(admin, 'public.categories', {
    user_id: user.id,
    folder_id: folder,
    name: 'Artigos',
    is_public: true,
  });
  for (const [at, text] of ODD_TEXTS.entries())
    await insert(admin, 'public.links', {
      user_id: user.id,
      category_id: category,
      title: `${at} ${text}`,
      url: `https://example.com/${at}?q=%5CN`,
      description: text,
    });
  // Deleted rows are kept for a while, with a number from a sequence.
  await deleteAs(admin, user, `delete from public.links where title like '1 %'`);
  await admin.query(
    `insert into payment_emulator.objects (id, kind, data) values ('cus_1', 'customer', '{"name": "a\\\\tb"}')`,
  );
  await admin.query(
    `insert into realtime.messages (topic, extension, event, private, binary_payload)
     values ('sala', 'broadcast', 'x', true, '\\x00ff5c4e0a'), ('sala', 'broadcast', 'y', true, null)`,
  );
  await admin.query(
    `insert into auth.refresh_tokens (token, user_id, revoked) select 't' || n, $1, false from generate_series(1, 5) n`,
    [user.id],
  );
  await admin.query(`update private.installation set admin_user_id = $1 where true`, [user.id]);
  await admin.query(`insert into private.admin_audit_log (admin_id, action) values ($1, 'list_users')`, [
    user.id,
  ]);
  await admin.query(`insert into storage.buckets (id, name) values ('meus', 'meus')`);
  await admin.query(
    `create policy meus_read on storage.objects for select to authenticated, anon using (bucket_id = 'meus')`,
  );
  for (const size of [0, 1, 70_000, 3_000_000]) await storeFile(admin, blobs, user.id, randomBytes(size));
  return user;
}

/** A file as an upload leaves it: bytes under a fresh version, and their record. @returns its key. */
export async function storeFile(
  admin: pg.Pool,
  blobs: BlobStore,
  userId: string,
  bytes: Buffer,
): Promise<string> {
  const version = randomUUID();
  const key = `arquivos/${version}`;
  await blobs.write(key, Readable.from([bytes]), { maxBytes: bytes.length });
  await admin.query(
    `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
     values ('arquivos', $1, $2, $3, json_build_object('size', $4::int))`,
    [`${userId}/${version}.bin`, userId, version, bytes.length],
  );
  return key;
}

/** What a person deletes is kept for a while; what the owner of the database deletes is not. */
async function deleteAs(admin: pg.Pool, { id }: TestUser, text: string): Promise<void> {
  const claims = JSON.stringify({ sub: id, role: 'authenticated' });
  const client = await admin.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [claims]);
    await client.query('set local role authenticated');
    await client.query(text);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function insert(
  admin: pg.Pool,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<string> {
  const names = Object.keys(row);
  const places = names.map((_name, at) => `$${at + 1}`);
  const { rows } = await admin.query<{ id: string }>(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning id`,
    Object.values(row),
  );
  return rows[0]?.id ?? '';
}
