import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asAuthAdmin, asServiceRole, type Database, type Transaction } from '../kernel/database.ts';
import { PROJECT_FOLDER } from '../project-folders.ts';
import { DEFAULT_AUTH_SETTINGS } from '../services/auth/auth-settings.ts';
import { createPasswordHasher } from '../services/auth/password-hasher.ts';
import { confirmEmail } from '../services/auth/stores/credentials.ts';
import { insertUser } from '../services/auth/stores/identities.ts';
import { findUser } from '../services/auth/stores/users.ts';
import { runCommand } from './run-command.ts';

const EMAIL = 'demo@linkoteca.local';
/** Shown to whoever a category is shared with, and in the account menu. */
const OWNER_NAME = 'Demonstração';

/** `npm run demo`: a confirmed account with a library to look around in. Run again, it changes nothing. */
await runCommand(process.env, async ({ db, settings, jwtSecrets }) => {
  const password = derivePassword(jwtSecrets);
  const userId = await ensureAccount(db, password);
  const library = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'supabase/demo/library.json'), 'utf8'));
  const links = await fillDemoLibrary(db, userId, library);
  return [
    `Conta de demonstração com ${links} links, pronta em ${settings.siteUrl}/login`,
    `  e-mail: ${EMAIL}`,
    `  senha: ${password}`,
  ].join('\n');
});

/** The same every time, and known to whoever may read the installation's secrets only: the server may be public. */
function derivePassword(jwtSecrets: readonly string[]): string {
  const mac = createHmac('sha256', jwtSecrets.at(-1) ?? '')
    .update('linkoteca/demo-password/v1')
    .digest('base64url');
  return `demo-${mac.replaceAll(/[-_]/g, '').slice(0, 12)}`;
}

/** @returns the account's id. One that exists keeps what it has, except that the printed password works again. */
async function ensureAccount(db: Database, password: string): Promise<string> {
  const passwords = await createPasswordHasher(DEFAULT_AUTH_SETTINGS.passwordHashing);
  return asAuthAdmin(db, 'make the demo account', async (tx) => {
    const known = await findUser(tx, { email: EMAIL }, { lock: true });
    if (known && (await passwords.check(password, known.encrypted_password)).matches) return known.id;
    const passwordHash = await passwords.hash(password);
    if (known) {
      await tx.query({
        text: 'update auth.users set encrypted_password = $2 where id = $1',
        values: [known.id, passwordHash],
      });
      return known.id;
    }
    const now = new Date();
    const id = await insertUser(
      tx,
      { email: EMAIL, passwordHash, userMetadata: { name: OWNER_NAME, firstName: OWNER_NAME } },
      now,
    );
    if (id === undefined) throw new Error('the demo account was made by somebody else at the same moment');
    await confirmEmail(tx, id, now);
    return id;
  });
}

/** The sample in `supabase/demo/library.json`. */
type DemoLibrary = { readonly folders: readonly DemoFolder[] };
type DemoFolder = { readonly name: string; readonly categories: readonly DemoCategory[] };
type DemoCategory = {
  readonly name: string;
  readonly description: string | null;
  readonly links: readonly DemoLink[];
};

type DemoLink = { readonly title: string; readonly url: string; readonly description: string | null };

/**
 * Gives an account the sample's folders, categories and links, and the plan that has room for them. An account that owns
 * a folder already is left as it is.
 * @returns how many links it owns then.
 */
async function fillDemoLibrary(db: Database, userId: string, library: DemoLibrary): Promise<number> {
  return asServiceRole(db, 'fill the demo library', async (tx) => {
    const { rows: owned } = await tx.query({
      text: 'select 1 from public.folders where user_id = $1 limit 1',
      values: [userId],
    });
    if (owned.length === 0) await insertLibrary(tx, userId, library);
    const { rows } = await tx.query<{ count: string }>({
      text: 'select count(*) from public.links where user_id = $1',
      values: [userId],
    });
    return Number(rows[0]?.count ?? 0);
  });
}

async function insertLibrary(tx: Transaction, userId: string, library: DemoLibrary): Promise<void> {
  await tx.query({
    text: `insert into public.subscribers (user_id, plan, subscription_status) values ($1, 'pro', 'active')
      on conflict (user_id) do update set plan = excluded.plan, subscription_status = excluded.subscription_status`,
    values: [userId],
  });
  for (const [age, folder] of library.folders.entries()) {
    const folderId = await insertRow(
      tx,
      `insert into public.folders (name, user_id, created_at) values ($1, $2, now() - $3 * interval '1 day') returning id`,
      [folder.name, userId, age],
    );
    await insertCategories(tx, { userId, folderId, categories: folder.categories });
  }
}

/** The first of the file is the newest, as lists show them. */
async function insertCategories(
  tx: Transaction,
  library: { userId: string; folderId: string; categories: readonly DemoCategory[] },
): Promise<void> {
  const { userId, folderId, categories } = library;
  for (const [age, category] of categories.entries()) {
    const categoryId = await insertRow(
      tx,
      `insert into public.categories (name, description, folder_id, user_id, name_users, created_at)
        values ($1, $2, $3, $4, $5, now() - $6 * interval '1 day') returning id`,
      [category.name, category.description, folderId, userId, OWNER_NAME, age],
    );
    await insertLinks(tx, { userId, categoryId, links: category.links });
  }
}

async function insertRow(tx: Transaction, text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await tx.query<{ id: string }>({ text, values });
  const [row] = rows;
  if (!row) throw new Error('the insert returned no id');
  return row.id;
}

/** As if saved one by one over the past weeks: lists sorted by date look like a person's. */
async function insertLinks(
  tx: Transaction,
  { userId, categoryId, links }: { userId: string; categoryId: string; links: readonly DemoLink[] },
): Promise<void> {
  await tx.query({
    text: `insert into public.links (title, url, description, category_id, user_id, created_at)
      select title, url, description, $1, $2, now() - position * interval '31 hours' - random() * interval '20 hours'
      from json_array_elements($3::json) with ordinality as sample (link, position),
        lateral json_to_record(link) as fields (title text, url text, description text)`,
    values: [categoryId, userId, JSON.stringify(links)],
  });
}
