import { readFile } from 'node:fs/promises';
import pg from 'pg';

const SAMPLE = new URL('../data/links-sample.jsonl', import.meta.url);
const USERS = 2_000;
const LARGEST = 100_000;
const TOTAL = 1_000_000;

/** User ids: who gets 100,000 links, and all who exist before the library is filled. */
export type People = { readonly largest: string; readonly known: readonly string[] };

/**
 * Fills the database with 1,000,000 links of 2,000 users: the largest has 100,000 of them in ten categories, the others
 * about 450 each. Titles and addresses are recombined from real ones; links go through every trigger, as a person's do.
 * Does nothing when the library is already full.
 */
export async function seedLibrary(connection: pg.ClientConfig, people: People): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query(
      'select coalesce(sum(link_count), 0)::int as links from public.library_counts',
    );
    if (rows[0].links >= TOTAL) return;
    await empty(client, people.known);
    await makeUsers(client, people.known);
    await makeFoldersAndCategories(client);
    await loadSample(client);
    await makeLinks(client, people.largest);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

/** A run that was interrupted halfway starts over. */
async function empty(client: pg.Client, known: readonly string[]): Promise<void> {
  await client.query('delete from public.subscribers');
  await client.query('delete from public.folders');
  await client.query('delete from auth.users where id <> all($1)', [known]);
}

async function makeUsers(client: pg.Client, known: readonly string[]): Promise<void> {
  await client.query(
    `insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
     select gen_random_uuid(), 'authenticated', 'authenticated', 'pessoa' || n || '@exemplo.com.br', now(), now(), now()
     from generate_series(1, $1::int - $2::int) n`,
    [USERS, known.length],
  );
  await client.query(
    `insert into public.subscribers (user_id, plan, subscription_status) select id, 'pro', 'active' from auth.users`,
  );
}

async function makeFoldersAndCategories(client: pg.Client): Promise<void> {
  await client.query(
    `insert into public.folders (user_id, name) select id, 'Pasta de medida' from auth.users`,
  );
  await client.query(
    `insert into public.categories (user_id, folder_id, name)
     select user_id, id, 'Categoria ' || n from public.folders cross join generate_series(1, 10) n`,
  );
}

async function loadSample(client: pg.Client): Promise<void> {
  const lines = (await readFile(SAMPLE, 'utf8')).trim().split('\n');
  await client.query('create temp table sample (n serial, title text, url text, description text)');
  await client.query(
    `insert into sample (title, url, description)
     select title, url, description from json_to_recordset($1) as link(title text, url text, description text)`,
    [`[${lines.join(',')}]`],
  );
}

/** One transaction a user, as many requests would be; a link's parts come from three different real links. */
async function makeLinks(client: pg.Client, largestId: string): Promise<void> {
  const { rows } = await client.query(
    'select user_id as id, array_agg(id) as categories from public.categories group by 1',
  );
  const size = (await client.query('select count(*)::int as size from sample')).rows[0].size;
  let missing = TOTAL - LARGEST;
  for (const [index, { id, categories }] of rows.entries()) {
    const others = rows.length - index - (rows.slice(index).some((row) => row.id === largestId) ? 1 : 0);
    const share = id === largestId ? LARGEST : Math.ceil(missing / Math.max(1, others));
    await client.query(
      `insert into public.links (user_id, category_id, title, url, description, created_at)
       select $1, ($2::uuid[])[1 + line % 10], left(a.title || ' ' || line, 100), b.url || '#' || line, c.description,
         now() - line * interval '1 minute'
       from generate_series(1, $3::int) line
       join sample a on a.n = 1 + (line::bigint * 7919) % $4::int
       join sample b on b.n = 1 + (line::bigint * 104729 + 13) % $4::int
       join sample c on c.n = 1 + (line::bigint * 1299709 + 101) % $4::int`,
      [id, categories, share, size],
    );
    if (id !== largestId) missing -= share;
    if (index % 100 === 0) process.stderr.write(`\rfilling the library: ${index} of ${rows.length} people `);
  }
  process.stderr.write('\n');
}
