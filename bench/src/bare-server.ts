import { createServer } from 'node:http';
import pg from 'pg';

/**
 * What the server is measured against: `node:http`, the same driver, the same pool size and the same query, without
 * row-level security, tokens, planning or error handling. Started as a process of its own by `start-bare-server.ts`;
 * its connection arrives as JSON in BARE_CONNECTION.
 */
const pool = new pg.Pool({ ...JSON.parse(process.env['BARE_CONNECTION'] ?? '{}'), max: 8 });

const LINK_COLUMNS = 'id,title,url,description,category_id,user_id,created_at,updated_at';
const NEWEST_LINKS = `select ${LINK_COLUMNS} from public.links where category_id = $1 order by created_at desc limit 50`;
const INSERT_LINK =
  'insert into public.links (id,title,url,category_id,user_id) values (gen_random_uuid(),$1,$2,$3,$4)';

/** A query by the request's path: rows serialised in Node, as a plain server would, or JSON built in Postgres. */
async function answer(url: URL, body: string): Promise<string> {
  switch (url.pathname) {
    case '/newest-links': {
      const values = [url.searchParams.get('category')];
      const { rows } = await pool.query({ name: 'newest', text: NEWEST_LINKS, values });
      return JSON.stringify(rows);
    }
    case '/newest-links-json': {
      const text = `select coalesce(json_agg(t), '[]')::text as body from (${NEWEST_LINKS}) t`;
      const values = [url.searchParams.get('category')];
      const { rows } = await pool.query({ name: 'newest_json', text, values });
      return rows[0].body;
    }
    case '/insert-link': {
      const { title, url: address, category_id, user_id } = JSON.parse(body);
      await pool.query({ name: 'insert', text: INSERT_LINK, values: [title, address, category_id, user_id] });
      return '';
    }
    default:
      throw new Error(`no such query: ${url.pathname}`);
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    answer(new URL(request.url ?? '/', 'http://localhost'), Buffer.concat(chunks).toString()).then(
      (text) => response.setHeader('content-type', 'application/json').end(text),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));
