import { createPublicKey, type JsonWebKey, verify as verifySignature } from 'node:crypto';
import { createServer } from 'node:http';
import { verify as verifyPassword } from '@node-rs/argon2';
import pg from 'pg';
import { describeTableQuery } from './bare-tables.ts';

/**
 * What the server is measured against: `node:http`, the same driver, the same pool size and the same query, without
 * row-level security, tokens, planning or error handling. Started as a process of its own by `start-bare-server.ts`;
 * its connection arrives as JSON in BARE_CONNECTION.
 */
const pool = new pg.Pool({ max: 8, ...JSON.parse(process.env['BARE_CONNECTION'] ?? '{}') });

const LINK_COLUMNS = 'id,title,url,description,category_id,user_id,created_at,updated_at';
const NEWEST_LINKS = `select ${LINK_COLUMNS} from public.links where category_id = $1 order by created_at desc limit 50`;
const INSERT_LINK =
  'insert into public.links (id,title,url,category_id,user_id) values (gen_random_uuid(),$1,$2,$3,$4)';

const PASSWORD_HASH = 'select encrypted_password from auth.users where email = $1';
const OWN_USER = 'select id, email, raw_user_meta_data, created_at from auth.users where id = $1';

type SigningKey = JsonWebKey & { readonly kid: string };
const signingKeys = new Map(
  (JSON.parse(process.env['BARE_SIGNING_KEYS'] ?? '[]') as SigningKey[]).map(
    (key) => [key.kid, createPublicKey({ key, format: 'jwk' })] as const,
  ),
);

/** Whose token it is (ES256), verified anew for each request. @throws Error for one that does not hold */
function verifyToken(authorization = ''): string {
  const [head = '', payload = '', signature = ''] = authorization.replace('Bearer ', '').split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const key = signingKeys.get(read(head).kid);
  const signed = Buffer.from(`${head}.${payload}`);
  const isRight =
    key !== undefined &&
    verifySignature(
      'sha256',
      signed,
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  const { sub, exp } = read(payload);
  if (!isRight || exp * 1000 < Date.now()) throw new Error('the token does not hold');
  return sub;
}

/** A query by the request's path: rows serialised in Node, as a plain server would, or JSON built in Postgres. */
async function answer(url: URL, body: string, authorization: string | undefined): Promise<string> {
  switch (url.pathname) {
    case '/newest-links': {
      const values = [url.searchParams.get('category')];
      const { rows } = await pool.query({ name: 'newest', text: NEWEST_LINKS, values });
      return JSON.stringify(rows);
    }
    case '/insert-link': {
      const { title, url: address, category_id, user_id } = JSON.parse(body);
      await pool.query({ name: 'insert', text: INSERT_LINK, values: [title, address, category_id, user_id] });
      return '';
    }
    case '/own-user': {
      const { rows } = await pool.query({
        name: 'user',
        text: OWN_USER,
        values: [verifyToken(authorization)],
      });
      return JSON.stringify(rows[0]);
    }
    case '/check-password': {
      const { email, password } = JSON.parse(body);
      const { rows } = await pool.query({ name: 'hash', text: PASSWORD_HASH, values: [email] });
      if (!(await verifyPassword(rows[0].encrypted_password, password))) throw new Error('wrong password');
      return '';
    }
    default: {
      const { rows } = await pool.query(describeTableQuery(url, body));
      return rows[0]?.body ?? '';
    }
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    answer(
      new URL(request.url ?? '/', 'http://localhost'),
      Buffer.concat(chunks).toString(),
      request.headers.authorization,
    ).then(
      (text) => response.setHeader('content-type', 'application/json').end(text),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));
