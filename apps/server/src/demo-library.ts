import { asServiceRole, type Database, type Transaction } from './kernel/database.ts';

/** The sample in `supabase/demo/library.json`. */
export type DemoLibrary = { readonly folders: readonly DemoFolder[] };
type DemoFolder = { readonly name: string; readonly categories: readonly DemoCategory[] };
type DemoCategory = {
  readonly name: string;
  readonly description: string | null;
  readonly links: readonly DemoLink[];
};
/** Shown to whoever a category is shared with, and in the account menu. */
export const OWNER_NAME = 'Demonstração';

type DemoLink = { readonly title: string; readonly url: string; readonly description: string | null };

/**
 * Gives an account the sample's folders, categories and links, and the plan that has room for them. An account that owns
 * a folder already is left as it is.
 * @returns how many links it owns then.
 */
export async function fillDemoLibrary(db: Database, userId: string, library: DemoLibrary): Promise<number> {
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
