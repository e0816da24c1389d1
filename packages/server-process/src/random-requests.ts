import { createDraw, type Draw } from './create-draw.ts';
import {
  ARGUMENTS,
  CALLS,
  COLUMNS,
  fields,
  json,
  type KnownThings,
  listWords,
  NASTY,
  OPERATORS,
  TABLES,
  text,
} from './random-values.ts';

/** One request as it is sent: the path with its query, headers in lower case. */
export type RandomRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
};

/** A stream of requests, valid ones, wrong ones and torn ones, to every service; the same for the same seed. */
export function createRequestSource(seed: number, known: KnownThings): () => RandomRequest {
  const draw = createDraw(seed);
  const makers = [
    ...Array<Maker>(4).fill(makeUsualRequest),
    ...Array<Maker>(6).fill(makeTableRequest),
    ...Array<Maker>(2).fill(makeCall),
    ...Array<Maker>(3).fill(makeAuthRequest),
    ...Array<Maker>(3).fill(makeStorageRequest),
    makeFunctionRequest,
    makeBroadcast,
    makePageRequest,
  ];
  return () => {
    const made = draw.one(makers)(draw, known);
    const request = draw.chance(15) ? tear(draw, made) : made;
    // Of an address that is too long the server cannot know the method, so its answer has a body.
    return request.method === 'HEAD' && request.path.length > LONG_PATH
      ? { ...request, method: 'GET' }
      : request;
  };
}

const LONG_PATH = 8_000;

type Maker = (draw: Draw, known: KnownThings) => RandomRequest;

/** What the app itself asks: torn, it is the most dangerous of all. */
function makeUsualRequest(draw: Draw, known: KnownThings): RandomRequest {
  const categoryId = draw.one(known.categoryIds);
  const name = draw.one(['Receitas', 'Ação & reação', '😀 nomes', 'a'.repeat(50)]);
  const [method, path, content] = draw.one<readonly [string, string, unknown?]>([
    [
      'GET',
      `/rest/v1/links?select=id,title,url,categories(id,name)&category_id=eq.${categoryId}&order=created_at.desc&limit=50`,
    ],
    ['GET', '/rest/v1/folders?select=*,categories(*)&order=name&categories.limit=5'],
    ['GET', '/rest/v1/profiles?select=plan'],
    ['POST', '/rest/v1/folders', { name: `${name} ${draw.number(1e6)}` }],
    ['POST', '/rest/v1/links', { title: name, url: 'https://exemplo.com.br/', category_id: categoryId }],
    ['PATCH', `/rest/v1/categories?id=eq.${categoryId}`, { description: name }],
    ['DELETE', `/rest/v1/links?category_id=eq.${categoryId}&title=eq.nada`],
    ['POST', '/rest/v1/rpc/search_links', { term: draw.one(['titulo', 'descri', 'x', name]) }],
    ['POST', '/rest/v1/rpc/shared_links', { category_id: categoryId, max_results: 5 }],
    [
      'POST',
      '/rest/v1/rpc/save_sharing',
      { category_id: categoryId, is_public: draw.chance(50), emails: [] },
    ],
    ['GET', '/auth/v1/user'],
    ['GET', '/auth/v1/settings'],
    ['POST', '/storage/v1/object/list/arquivos', { prefix: draw.one(known.userIds), limit: 10 }],
    ['POST', `/storage/v1/object/arquivos/${draw.one(known.userIds)}/${draw.number(50)}.txt`, name],
    ['GET', `/storage/v1/object/authenticated/arquivos/${draw.one(known.userIds)}/${draw.number(50)}.txt`],
    ['POST', '/realtime/v1/api/broadcast', { messages: [{ topic: 'sala', event: 'e', payload: {} }] }],
    ['GET', `/shared/${categoryId}`],
    ['GET', '/config.json'],
  ]);
  const type = path.startsWith('/storage/v1/object/arquivos/') ? 'text/plain' : 'application/json';
  return {
    method,
    path,
    headers: {
      apikey: known.anonKey,
      ...(draw.chance(85) ? { authorization: `Bearer ${draw.one(known.accessTokens)}` } : {}),
      ...(content === undefined ? {} : { 'content-type': type }),
      ...(draw.chance(30) ? { prefer: 'return=representation', 'x-upsert': 'true' } : {}),
    },
    body: content === undefined ? undefined : JSON.stringify(content),
  };
}

function select(draw: Draw, depth = 0): string {
  // Sometimes one thing in another, as deep as anybody would try.
  if (depth === 0 && draw.chance(8))
    return Array.from({ length: 1 + draw.number(16) }, () => draw.one(TABLES)).reduce(
      (inner, name) => `*,${name}(${inner})`,
      '*',
    );
  const most = depth === 0 && draw.chance(3) ? 260 : 6;
  const items = draw.many(most, () =>
    draw.chance(depth === 0 ? 25 : 15) ? embed(draw, depth) : field(draw),
  );
  return items.join(',');
}

function embed(draw: Draw, depth: number): string {
  const hint = draw.one(['', '', '!inner', '!left', '!fk']);
  return `${draw.one(['', '', 'a:', '...'])}${draw.one(TABLES)}${hint}(${select(draw, depth + 1)})`;
}

function field(draw: Draw): string {
  const change = draw.one(['', '', '', '::text', '::int', '->a', '->>0', '.count()', '.sum()']);
  return `${draw.one(['', '', '', 'x:'])}${draw.one(COLUMNS)}${change}`;
}

function logic(draw: Draw, known: KnownThings, depth = 0): string {
  if (depth < 8 && draw.chance(35))
    return `${draw.one(['and', 'or', 'not.and', 'not.or'])}(${draw.many(4, () => logic(draw, known, depth + 1)).join(',')})`;
  return `${draw.one(COLUMNS)}.${draw.one(OPERATORS)}.${operand(draw, known)}`;
}

function operand(draw: Draw, known: KnownThings): string {
  if (draw.chance(25)) return `(${draw.many(draw.chance(5) ? 600 : 5, () => text(draw, known)).join(',')})`;
  if (draw.chance(15)) return `{${draw.many(4, () => text(draw, known)).join(',')}}`;
  return draw.one(['', '*', '%25']) + text(draw, known) + draw.one(['', '', '*']);
}

function query(draw: Draw, known: KnownThings): string {
  const pairs: (readonly [string, string])[] = [];
  if (draw.chance(70)) pairs.push(['select', select(draw)]);
  for (const pair of draw.many(
    3,
    () => [draw.one(COLUMNS), `${draw.one(OPERATORS)}.${operand(draw, known)}`] as const,
  ))
    pairs.push(pair);
  if (draw.chance(20)) pairs.push([draw.one(['and', 'or', 'not.or', 'links.or']), `(${logic(draw, known)})`]);
  if (draw.chance(40))
    pairs.push([
      draw.one(['order', 'links.order']),
      `${draw.one(COLUMNS)}${draw.one(['', '.asc', '.desc.nullslast', '.x'])}`,
    ]);
  if (draw.chance(40))
    pairs.push([
      draw.one(['limit', 'offset', 'links.limit', 'categories.links.limit']),
      draw.one(['0', '1', '20', '1000', '-1', '9'.repeat(30), 'x']),
    ]);
  if (draw.chance(10))
    pairs.push([draw.one(['columns', 'on_conflict', 'apikey', text(draw, known)]), draw.one(COLUMNS)]);
  return pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
}

/** A lone surrogate has no encoding: it becomes what a browser would send in its place. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replaceAll('%2C', ',')
    .replaceAll('%28', '(')
    .replaceAll('%29', ')');
}

function headersOf(draw: Draw, known: KnownThings): Record<string, string> {
  const headers: Record<string, string> = draw.chance(95) ? { apikey: known.anonKey } : {};
  if (draw.chance(75)) headers['authorization'] = `Bearer ${draw.one(known.accessTokens)}`;
  else if (draw.chance(20))
    headers['authorization'] = draw.one([
      'Bearer x.y.z',
      'Bearer',
      'Basic YTpi',
      'Bearer eyJhbGciOiJub25lIn0.e30.',
    ]);
  return headers;
}

const PREFER = listWords(`
  return=representation return=minimal return=headers-only count=exact count=planned count=estimated
  resolution=merge-duplicates missing=default handling=strict max-affected=1 tx=rollback timezone=Nowhere
  x=y`);
const ACCEPT = listWords(`
  */* application/json text/csv application/vnd.pgrst.object+json
  application/vnd.pgrst.array+json;nulls=stripped application/vnd.pgrst.plan+json application/geo+json x
  text/html`);
const TYPES = listWords(`
  application/json application/json application/json text/csv application/x-www-form-urlencoded text/plain
  application/octet-stream multipart/form-data x`);

function tableHeaders(draw: Draw, known: KnownThings): Record<string, string> {
  const headers = headersOf(draw, known);
  if (draw.chance(40)) headers['prefer'] = draw.many(3, () => draw.one(PREFER)).join(',');
  if (draw.chance(30)) headers['accept'] = draw.one(ACCEPT);
  if (draw.chance(10)) headers['range'] = draw.one(['0-9', '5-', '9-1', 'bytes=0-1', 'x']);
  if (draw.chance(8))
    headers[draw.one(['accept-profile', 'content-profile'])] = draw.one(['public', 'auth', 'private', '']);
  return headers;
}

function makeTableRequest(draw: Draw, known: KnownThings): RandomRequest {
  const method = draw.one(['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);
  const body =
    method === 'POST' || method === 'PATCH' || method === 'PUT'
      ? JSON.stringify(
          draw.chance(60) ? fields(draw, known, COLUMNS) : draw.many(5, () => fields(draw, known, COLUMNS)),
        )
      : undefined;
  return {
    method,
    path: `/rest/v1/${draw.one(TABLES)}?${query(draw, known)}`,
    headers: {
      ...tableHeaders(draw, known),
      ...(body === undefined ? {} : { 'content-type': draw.one(TYPES) }),
    },
    body,
  };
}

function makeCall(draw: Draw, known: KnownThings): RandomRequest {
  const isPost = draw.chance(75);
  const call = encode(draw.one(CALLS));
  const sent = fields(draw, known, ARGUMENTS);
  const address = Object.entries(sent).map(([key, value]) => `${encode(key)}=${encode(String(value))}`);
  return {
    method: isPost ? 'POST' : draw.one(['GET', 'HEAD', 'DELETE']),
    path: `/rest/v1/rpc/${call}?${[...(isPost ? [] : address), ...(draw.chance(30) ? [query(draw, known)] : [])].join('&')}`,
    headers: { ...tableHeaders(draw, known), ...(isPost ? { 'content-type': draw.one(TYPES) } : {}) },
    body: isPost ? JSON.stringify(draw.chance(90) ? sent : json(draw, known)) : undefined,
  };
}

const AUTH = listWords(`
  signup token?grant_type=password token?grant_type=refresh_token token?grant_type=pkce
  token?grant_type=id_token token?grant_type=x otp magiclink verify sso recover resend user reauthenticate
  logout?scope=local_ authorize?provider=google callback?code=x&state=y settings health
  .well-known/jwks.json factors factors/x/verify admin/users admin/generate_link invite
  user/identities/authorize?provider=google user/identities/x verify?token=x&type=signup nada`);
const AUTH_FIELDS = listWords(`
  email phone password data token token_hash type refresh_token auth_code code_verifier code_challenge
  code_challenge_method create_user provider id_token nonce gotrue_meta_security current_password channel`);

function makeAuthRequest(draw: Draw, known: KnownThings): RandomRequest {
  const method = draw.one(['POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE']);
  const hasBody = method === 'POST' || method === 'PUT';
  return {
    method,
    path: `/auth/v1/${draw.one(AUTH)}`,
    headers: {
      ...headersOf(draw, known),
      ...(hasBody ? { 'content-type': draw.one(TYPES) } : {}),
      ...(draw.chance(30) ? { 'x-supabase-api-version': draw.one(['2024-01-01', 'x', '']) } : {}),
    },
    // Without the person's own address and password: who is signed in stays so.
    body: hasBody
      ? JSON.stringify(draw.chance(85) ? fields(draw, known, AUTH_FIELDS) : json(draw, known))
      : undefined,
  };
}

const BUCKETS = ['arquivos', 'nada', '', 'a%2Fb', '..', '%00'];
const OBJECT_ROUTES = listWords(`
  object object/public object/authenticated object/sign object/upload/sign object/info object/info/public
  object/list object/list-v2 object/move object/copy bucket render/image/public upload/resumable nada`);

function makeStorageRequest(draw: Draw, known: KnownThings): RandomRequest {
  const method = draw.one(['GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD']);
  const hasBody = method === 'POST' || method === 'PUT' || method === 'DELETE';
  const name = `${draw.one([...known.userIds, ...NASTY])}/${text(draw, known)}`
    .split('/')
    .map(encode)
    .join('/');
  const isJson = draw.chance(60);
  const storageFields = listWords(`
  prefix prefixes limit offset sortBy search expiresIn paths bucketId sourceKey destinationKey id name
  public file_size_limit allowed_mime_types cursor`);
  return {
    method,
    path: `/storage/v1/${draw.one(OBJECT_ROUTES)}/${draw.one(BUCKETS)}/${name}${draw.one(['', '', '?token=x', '?download=%00', '?download=a"b', '?width=x'])}`,
    headers: {
      ...headersOf(draw, known),
      ...(hasBody
        ? {
            'content-type': isJson
              ? 'application/json'
              : draw.one([
                  'image/png',
                  'application/pdf;, text/html',
                  'multipart/form-data; boundary=x',
                  'x',
                ]),
          }
        : {}),
      ...(draw.chance(20) ? { 'x-metadata': draw.one(['e30=', 'x', 'bnVsbA==']) } : {}),
      ...(draw.chance(20) ? { range: draw.one(['bytes=0-1', 'bytes=9-1', 'bytes=-5', 'x']) } : {}),
      ...(draw.chance(20) ? { 'x-upsert': draw.one(['true', 'x']) } : {}),
    },
    body: hasBody
      ? isJson
        ? JSON.stringify(fields(draw, known, storageFields))
        : `--x\r\n${text(draw, known)}`.toWellFormed()
      : undefined,
  };
}

/** Those that go out to the internet or buy something are asked without what they need. */
const FUNCTIONS = listWords(`
  check-subscription create-checkout customer-portal list-prices list-invoices request-refund
  share-notification share-unsubscribe stripe-webhook reconcile-subscriptions account-upkeep link-preview link-cover link-status check-links
  nada ..%2fx`).concat('');

function makeFunctionRequest(draw: Draw, known: KnownThings): RandomRequest {
  const method = draw.one(['POST', 'POST', 'GET', 'PUT', 'DELETE', 'OPTIONS']);
  const hasBody = method === 'POST' || method === 'PUT';
  const names = listWords(`
  categoryId emails priceId redirectUrl returnUrl url userId token reason`);
  return {
    method,
    path: `/functions/v1/${draw.one(FUNCTIONS)}?${draw.one(['', 'token=x', 'forceFunctionRegion=x'])}`,
    headers: { ...headersOf(draw, known), ...(hasBody ? { 'content-type': draw.one(TYPES) } : {}) },
    body: hasBody
      ? JSON.stringify(draw.chance(80) ? fields(draw, known, names) : json(draw, known))
      : undefined,
  };
}

function makeBroadcast(draw: Draw, known: KnownThings): RandomRequest {
  const messages = draw.many(5, () => ({
    topic: text(draw, known),
    event: text(draw, known),
    payload: json(draw, known),
    private: draw.one([true, false, 'x']),
  }));
  const isBatch = draw.chance(70);
  return {
    method: 'POST',
    path: isBatch
      ? '/realtime/v1/api/broadcast'
      : `/realtime/v1/api/broadcast/${encode(text(draw, known))}/events/${encode(text(draw, known))}?private=${draw.one(['true', 'x'])}`,
    headers: { ...headersOf(draw, known), 'content-type': draw.one(TYPES) },
    body: JSON.stringify(isBatch && draw.chance(80) ? { messages } : json(draw, known)),
  };
}

function makePageRequest(draw: Draw, known: KnownThings): RandomRequest {
  const part = draw.one(['', '/embed', '/feed.xml', '/atom.xml', '/feed.json', '/image.png', '/nada']);
  const segment = draw.chance(50) ? draw.one(known.categoryIds) : encode(text(draw, known));
  const path = draw.one([
    `/shared/${segment}${part}`,
    '/',
    '/config.json',
    '/health',
    '/metrics',
    '/dev/mail',
    '/sitemap.xml',
    '/robots.txt',
    '/payment-emulator/x',
    `/${segment}`,
    '/assets/..%2f..%2fx',
    '/category/x',
    '/realtime/v1/websocket',
  ]);
  return {
    method: draw.one(['GET', 'GET', 'HEAD', 'POST']),
    path: `${path}?${draw.one(['', 'before=x', 'before=2026-01-01T00:00:00Z', 'view=list', `before=${encode(text(draw, known))}`])}`,
    headers: draw.chance(20)
      ? {
          'if-none-match': draw.one(['"x"', '*', 'W/']),
          'accept-encoding': draw.one(['br', 'gzip', 'x', '']),
        }
      : {},
    body: undefined,
  };
}

/** What a line, a proxy or a hand may do to a request: cut, doubled, swapped or strange characters. */
function tear(draw: Draw, request: RandomRequest): RandomRequest {
  if (typeof request.body === 'string' && draw.chance(60)) {
    const bytes = new TextEncoder().encode(request.body);
    const at = draw.number(bytes.length + 1);
    if (draw.chance(50)) return { ...request, body: bytes.slice(0, at) };
    bytes[at] = draw.number(256);
    return { ...request, body: bytes };
  }
  const at = 10 + draw.number(Math.max(1, request.path.length - 10));
  const strange = draw.one(['%', '%zz', '%ff', '(', ')', '.', ',', '%00', '//', '?', '&', '=', '%F0%9F']);
  return {
    ...request,
    path: `${request.path.slice(0, at)}${strange}${request.path.slice(at + draw.number(3))}`,
  };
}
