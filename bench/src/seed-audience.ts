import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';

export type AudienceMember = {
  readonly id: string;
  /** An access token for the hours to come. */
  readonly token: string;
  readonly categoryId: string;
};

const TOKEN_SECONDS = 6 * 3_600;

/** Makes people with a paid plan, a folder and a category each, and signs them in without asking for their passwords. */
export async function seedAudience(dataFolder: string, size: number): Promise<readonly AudienceMember[]> {
  const database = await openServerDatabase(dataFolder);
  try {
    await database.query(
      `insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
       select gen_random_uuid(), 'authenticated', 'authenticated', 'ouvinte' || n || '@exemplo.com.br', now(), now(), now()
       from generate_series(1, $1::int) n`,
      [size],
    );
    await database.query(
      `insert into public.subscribers (user_id, plan, subscription_status) select id, 'pro', 'active' from auth.users`,
    );
    await database.query(`insert into public.folders (user_id, name) select id, 'Pasta' from auth.users`);
    const { rows } = await database.query(
      `insert into public.categories (user_id, folder_id, name)
       select user_id, id, 'Categoria' from public.folders
       returning id, user_id, (select email from auth.users u where u.id = user_id)`,
    );
    const { jwtSecret } = JSON.parse(await readFile(join(dataFolder, 'secrets.json'), 'utf8'));
    return rows.map((row) => ({
      id: row.user_id,
      categoryId: row.id,
      token: signToken(jwtSecret, row.user_id, row.email),
    }));
  } finally {
    await database.end();
  }
}

/** As the server signs its keys: HS256 (RFC 7519), with the claims that policies read. */
function signToken(secret: string, id: string, email: string): string {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + TOKEN_SECONDS };
  const claims = { sub: id, email, role: 'authenticated', aud: 'authenticated', ...times };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
