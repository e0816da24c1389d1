import type { QueryConfig } from 'pg';

const COLUMNS = 'l.id,l.title,l.url,l.description,l.category_id,l.user_id,l.created_at,l.updated_at';
const OF_CATEGORY = 'from public.links l where l.category_id = $1';
const NEWEST = `${OF_CATEGORY} order by l.created_at desc limit`;

const asArray = (rows: string) => `select coalesce(json_agg(t), '[]')::text as body from (${rows}) t`;

/** Each answers one row with a column `body`, which Postgres has made JSON. `$1` is the parameter `of`, or the request's body. */
const QUERIES: Readonly<Record<string, { readonly text: string; readonly takesBody?: true }>> = {
  '/newest-links-json': { text: asArray(`select ${COLUMNS} ${NEWEST} 50`) },
  '/thousand-links-json': { text: asArray(`select ${COLUMNS} ${NEWEST} 1000`) },
  '/one-link-json': {
    text: `select row_to_json(t)::text as body from (select ${COLUMNS} from public.links l where l.id = $1) t`,
  },
  '/links-with-category-json': {
    text: asArray(
      `select n.id, n.title, n.url, json_build_object('id', c.id, 'name', c.name) as categories
       from (select l.* ${NEWEST} 50) n join public.categories c on c.id = n.category_id`,
    ),
  },
  '/counted-links-json': {
    text: `select body, (select count(*) ${OF_CATEGORY}) as total from (${asArray(`select ${COLUMNS} ${NEWEST} 50`)}) t`,
  },
  '/page-limits-json': {
    text: asArray(
      `select c.id, p.ends_at, p.password_hash is not null as has_password
       from public.categories c left join private.public_pages p on p.category_id = c.id where c.id = $1`,
    ),
  },
  '/insert-links': {
    text: `insert into public.links (title, url, category_id, user_id)
       select title, url, category_id, user_id
       from json_to_recordset($1) as t(title text, url text, category_id uuid, user_id uuid)`,
    takesBody: true,
  },
};

/** The query of a request to the bare server, prepared once a connection. @throws Error for a path that names none */
export function describeTableQuery({ pathname, searchParams }: URL, body: string): QueryConfig {
  const query = QUERIES[pathname];
  if (query === undefined) throw new Error(`no such query: ${pathname}`);
  return { name: pathname, text: query.text, values: [query.takesBody ? body : searchParams.get('of')] };
}
