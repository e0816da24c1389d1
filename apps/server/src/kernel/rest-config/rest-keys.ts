import * as v from 'valibot';
import { parseClaimPath } from '../claim-path.ts';
import type { RestConfig } from '../settings.ts';

const flag = v.pipe(
  v.picklist(['true', 'false'], 'deve ser true ou false'),
  v.transform((text) => text === 'true'),
);

const MAX_ROWS = 1_000_000;
const ROWS = `deve ser um número inteiro de 1 a ${MAX_ROWS}`;
const rows = v.pipe(
  v.string(),
  v.regex(/^\d{1,7}$/, ROWS),
  v.transform(Number),
  v.minValue(1, ROWS),
  v.maxValue(MAX_ROWS, ROWS),
);

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const extraSchemas = v.pipe(v.string(), v.transform(splitList));
const exposedSchemas = v.pipe(
  extraSchemas,
  v.check((schemas) => schemas.length > 0, 'deve ter ao menos um esquema'),
  v.check(
    (schemas) => !schemas.includes('pg_catalog') && !schemas.includes('information_schema'),
    'não pode ter os esquemas do próprio Postgres',
  ),
);

const FUNCTION = /^(?:([^.\s]+)\.)?([^.\s]+)$/;
/** Without a schema it is looked for in the search path. */
const functionName = v.pipe(
  v.string(),
  v.regex(FUNCTION, 'deve ser o nome de uma função, como esquema.nome'),
  v.transform((text) => {
    const [, schema, name = ''] = FUNCTION.exec(text) ?? [];
    return { schema, name };
  }),
);

const claimPath = v.pipe(
  v.string(),
  v.transform((text) => parseClaimPath(text)),
  v.check((path) => path !== undefined, 'deve ser um caminho como .role'),
);

const address = v.pipe(
  v.string(),
  v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'deve ser um endereço http ou https'),
  v.transform((text) => new URL(text)),
);

/** Answers say these themselves, and never whom they are for. */
const OWN_HEADERS =
  /^(?:content-.*|set-cookie|vary|location|date|connection|transfer-encoding|access-control-.*|authorization|cookie|apikey)$/;
const headerName = v.pipe(
  v.string(),
  v.regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'deve ser o nome de um cabeçalho'),
  v.toLowerCase(),
  v.check((name) => !OWN_HEADERS.test(name), 'não pode ser um cabeçalho das próprias respostas'),
);

type Key = {
  /** As PostgREST's reference names it: `PGRST_DB_SCHEMAS` and `pgrst.db_schemas` are made of it. */
  readonly name: string;
  /** In `supabase/config.toml`. */
  readonly path?: string;
  readonly field: keyof RestConfig;
  readonly schema: v.GenericSchema<string, unknown>;
};

/** Every key that this server follows. (Source: PostgREST 14's configuration reference; the platform's config.toml reference.) */
export const REST_KEYS: readonly Key[] = [
  { name: 'db-schemas', path: 'api.schemas', field: 'schemas', schema: exposedSchemas },
  {
    name: 'db-extra-search-path',
    path: 'api.extra_search_path',
    field: 'extraSearchPath',
    schema: extraSchemas,
  },
  { name: 'db-max-rows', path: 'api.max_rows', field: 'maxRows', schema: rows },
  { name: 'db-aggregates-enabled', field: 'aggregates', schema: flag },
  { name: 'db-plan-enabled', field: 'plans', schema: flag },
  { name: 'server-timing-enabled', field: 'serverTiming', schema: flag },
  {
    name: 'db-tx-end',
    field: 'txEnd',
    schema: v.picklist(
      ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
      'deve ser commit, commit-allow-override, rollback ou rollback-allow-override',
    ),
  },
  { name: 'db-pre-request', field: 'preRequest', schema: functionName },
  {
    name: 'openapi-mode',
    field: 'openApiMode',
    schema: v.picklist(
      ['follow-privileges', 'ignore-privileges', 'disabled'],
      'deve ser follow-privileges, ignore-privileges ou disabled',
    ),
  },
  { name: 'openapi-security-active', field: 'openApiSecurity', schema: flag },
  { name: 'openapi-server-proxy-uri', field: 'openApiAddress', schema: address },
  { name: 'server-trace-header', field: 'traceHeader', schema: headerName },
  { name: 'jwt-role-claim-key', field: 'roleClaim', schema: claimPath },
  { name: 'jwt-aud', field: 'audience', schema: v.string() },
];

/** What says where the other settings are read: variables alone, since it is needed before the database is asked. */
export const SOURCE_KEYS = { readsDatabase: 'db-config', preConfig: 'db-pre-config' } as const;
export const SOURCE_SCHEMAS = { flag, functionName };

/** What would change who may do what, and is not followed: any value but this one ends the start. */
export const FIXED_KEYS: readonly { readonly name: string; readonly value: string | undefined }[] = [
  { name: 'db-anon-role', value: 'anon' },
  // Keys are this server's own affair: JWT_SECRET.
  { name: 'jwt-secret', value: undefined },
  { name: 'jwt-secret-is-base64', value: 'false' },
];
