import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { MIGRATION_FOLDERS } from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

test.each([
  'auth.mailed_tokens',
  'auth.rate_counters',
  'auth.mfa_factors',
  'auth.mfa_challenges',
  'auth.totp_uses',
  'auth.mfa_recovery_codes',
  'auth.factor_resets',
])('neither a person nor a visitor nor the service key reads or changes %s', async (table) => {
  const stranger = await createUser(database.admin);
  for (const caller of [stranger, 'anon', 'service_role'] as const)
    for (const text of [`select * from ${table}`, `delete from ${table}`])
      await expect(queryAs(database, caller, text)).rejects.toMatchObject({ code: '42501' });
});

test('an installation with sign-ups that wait keeps their passwords, voids guessable links and leaves accounts alone', async () => {
  const earlier = mkdtempSync(join(tmpdir(), 'linkoteca-earlier-'));
  const name = `earlier_${randomUUID().replaceAll('-', '')}`;
  const platformFolder = join(earlier, 'platform');
  cpSync(MIGRATION_FOLDERS.platformFolder, platformFolder, {
    recursive: true,
    filter: (path) => !/\/001\d_/.test(path),
  });
  const connect = { ...database.connection, database: name };
  await database.admin.query(`create database ${name}`);
  // A client's end is waited for, unlike that of a pool's connections: dropping the database must not meet one.
  const admin = new pg.Client(connect);
  try {
    await applyMigrations({ connect, ...MIGRATION_FOLDERS, platformFolder });
    await admin.connect();
    await admin.query(
      `insert into auth.users (id, email, encrypted_password, email_confirmed_at, confirmation_sent_at, confirmation_token, raw_user_meta_data)
        values (gen_random_uuid(), 'espera@exemplo.test', 'h1', null, now(), 'velho', '{"name":"Quem?"}'),
          (gen_random_uuid(), 'pronta@exemplo.test', 'h2', now(), now(), '', '{"name":"Ana"}'),
          (gen_random_uuid(), 'operador@exemplo.test', 'h3', null, null, '', '{"name":"Rui"}')`,
    );
    await admin.query(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
        select gen_random_uuid(), id, 'confirmation_token', 'velho', email from auth.users where email like 'espera%'`,
    );
    await applyMigrations({ connect, ...MIGRATION_FOLDERS });

    const accounts = await admin.query(
      'select email, encrypted_password, confirmation_token, raw_user_meta_data from auth.users order by email',
    );
    expect(accounts.rows.map((row) => Object.values(row))).toEqual([
      ['espera@exemplo.test', '', '', {}],
      ['operador@exemplo.test', 'h3', '', { name: 'Rui' }],
      ['pronta@exemplo.test', 'h2', '', { name: 'Ana' }],
    ]);
    const waiting = await admin.query(
      `select email, password_hash, user_metadata, code_hash, created_at < now() - interval '1 day' as is_expired
        from auth.mailed_tokens`,
    );
    expect(waiting.rows).toEqual([
      {
        email: 'espera@exemplo.test',
        password_hash: 'h1',
        user_metadata: { name: 'Quem?' },
        code_hash: '',
        is_expired: true,
      },
    ]);
    expect((await admin.query('select from auth.one_time_tokens')).rowCount).toBe(0);
  } finally {
    await admin.end();
    await database.admin.query(`drop database ${name} with (force)`);
    rmSync(earlier, { recursive: true });
  }
});
