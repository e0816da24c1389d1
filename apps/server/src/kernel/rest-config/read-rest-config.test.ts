import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readRestConfig, readStoredConfig } from './read-rest-config.ts';
import { REST_KEYS } from './rest-keys.ts';

const read = (toml: string, environment: Record<string, string> = {}) =>
  readRestConfig(parse(toml), environment);
const NOTHING = { readsDatabase: true, file: {}, variables: {}, ignored: [] };

describe('what the platform’s settings say of the table API', () => {
  it.each<[string, object]>([
    ['schemas = ["public", "shop"]', { schemas: ['public', 'shop'] }],
    ['extra_search_path = []', { extraSearchPath: [] }],
    ['extra_search_path = ["a"]', { extraSearchPath: ['a'] }],
    ['max_rows = 50', { maxRows: 50 }],
  ])('[api] %s', (line, file) => {
    expect(read(`[api]\n${line}`)).toEqual({ sources: { ...NOTHING, file }, faults: [] });
  });

  it.each<[string, string, object]>([
    ['PGRST_DB_SCHEMAS', ' a, b ', { schemas: ['a', 'b'] }],
    ['PGRST_DB_EXTRA_SEARCH_PATH', 'a', { extraSearchPath: ['a'] }],
    ['PGRST_DB_MAX_ROWS', '7', { maxRows: 7 }],
    ['PGRST_DB_AGGREGATES_ENABLED', 'true', { aggregates: true }],
    ['PGRST_DB_TX_END', 'rollback-allow-override', { txEnd: 'rollback-allow-override' }],
    ['PGRST_DB_PRE_REQUEST', 'a.b', { preRequest: { schema: 'a', name: 'b' } }],
    ['PGRST_DB_PRE_REQUEST', 'b', { preRequest: { schema: undefined, name: 'b' } }],
    ['PGRST_OPENAPI_MODE', 'disabled', { openApiMode: 'disabled' }],
    ['PGRST_OPENAPI_SECURITY_ACTIVE', 'true', { openApiSecurity: true }],
    ['PGRST_OPENAPI_SERVER_PROXY_URI', 'https://a.test/b', { openApiAddress: new URL('https://a.test/b') }],
    ['PGRST_SERVER_TRACE_HEADER', 'X-Request-Id', { traceHeader: 'x-request-id' }],
    [
      'PGRST_JWT_ROLE_CLAIM_KEY',
      '.a[0]',
      {
        roleClaim: [
          { kind: 'key', key: 'a' },
          { kind: 'index', index: 0 },
        ],
      },
    ],
    ['PGRST_JWT_AUD', 'shop', { audience: 'shop' }],
    ['PGRST_APP_SETTINGS_TENANT', 'loja 1', { appSettings: { 'app.settings.TENANT': 'loja 1' } }],
    ['SUPABASE_API_MAX_ROWS', '8', { maxRows: 8 }],
    ['SUPABASE_API_SCHEMAS', 'a,b', { schemas: ['a', 'b'] }],
  ])('%s=%s', (name, text, variables) => {
    expect(read('', { [name]: text })).toEqual({ sources: { ...NOTHING, variables }, faults: [] });
  });

  it('the platform’s own variable is the strongest', () => {
    const { sources } = read('[api]\nmax_rows = 1', { PGRST_DB_MAX_ROWS: '2', SUPABASE_API_MAX_ROWS: '3' });
    expect(sources).toMatchObject({ file: { maxRows: 1 }, variables: { maxRows: 3 } });
  });

  it('says by variables alone whether the database is asked', () => {
    expect(read('', { PGRST_DB_CONFIG: 'false', PGRST_DB_PRE_CONFIG: 'a.b' }).sources).toMatchObject({
      readsDatabase: false,
      preConfig: { schema: 'a', name: 'b' },
    });
  });

  it.each([
    [{ PGRST_DB_MAX_ROWS: '0' }, 'PGRST_DB_MAX_ROWS'],
    [{ PGRST_DB_SCHEMAS: ',' }, 'PGRST_DB_SCHEMAS'],
    [{ PGRST_DB_SCHEMAS: 'public,pg_catalog' }, 'PGRST_DB_SCHEMAS'],
    [{ PGRST_DB_TX_END: 'never' }, 'PGRST_DB_TX_END'],
    [{ PGRST_JWT_ROLE_CLAIM_KEY: 'role' }, 'PGRST_JWT_ROLE_CLAIM_KEY'],
    [{ PGRST_OPENAPI_SERVER_PROXY_URI: 'hidden words' }, 'PGRST_OPENAPI_SERVER_PROXY_URI'],
    [{ PGRST_OPENAPI_SERVER_PROXY_URI: 'ftp://a.test' }, 'PGRST_OPENAPI_SERVER_PROXY_URI'],
    [{ PGRST_SERVER_TRACE_HEADER: 'two words' }, 'PGRST_SERVER_TRACE_HEADER'],
    [{ PGRST_SERVER_TRACE_HEADER: 'Authorization' }, 'PGRST_SERVER_TRACE_HEADER'],
    [{ PGRST_SERVER_TRACE_HEADER: 'Content-Length' }, 'PGRST_SERVER_TRACE_HEADER'],
    [{ PGRST_DB_ANON_ROLE: 'postgres' }, 'PGRST_DB_ANON_ROLE'],
    [{ PGRST_JWT_SECRET: 'hidden words' }, 'PGRST_JWT_SECRET'],
    [{ PGRST_JWT_SECRET_IS_BASE64: 'true' }, 'PGRST_JWT_SECRET_IS_BASE64'],
    [{ PGRST_JWT_SECRET: 'hidden words', JWT_SECRET: 'others, hidden' }, 'PGRST_JWT_SECRET'],
    [{ 'PGRST_APP_SETTINGS_a-b': 'hidden words' }, 'PGRST_APP_SETTINGS_a-b'],
    [{ SUPABASE_API_ENABLED: 'false' }, 'SUPABASE_API_ENABLED'],
    [{ PGRST_DB_PRE_CONFIG: 'a.b.c' }, 'PGRST_DB_PRE_CONFIG'],
  ])('%j ends the start by its name, and shows no value', (environment, name) => {
    const { faults } = read('', environment);
    expect(faults).toEqual([expect.stringMatching(`^${name} `)]);
    expect(faults[0]).not.toContain('hidden');
  });

  it('says the same as the server does', () => {
    const allowed = {
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_JWT_SECRET_IS_BASE64: 'false',
      PGRST_JWT_SECRET: 'first key',
      JWT_SECRET: 'newest key, first key',
    };
    expect(read('[api]\nenabled = true', allowed)).toEqual({ sources: NOTHING, faults: [] });
  });

  it('names what is not followed', () => {
    const environment = { PGRST_DB_POOL: '20', PGRST_SERVER_PORT: '', PATH: '/bin' };
    expect(
      read('[api]\nport = 1\nenabled = true\n[api.tls]\nenabled = true', environment).sources.ignored,
    ).toEqual(['PGRST_DB_POOL', 'api.port', 'api.tls']);
  });

  it('changes nothing in what this product’s own file says', () => {
    const toml = readFileSync(new URL('../../../../../supabase/config.toml', import.meta.url), 'utf8');
    expect(read(toml)).toEqual({
      sources: {
        ...NOTHING,
        file: { schemas: ['public'], extraSearchPath: ['public', 'extensions'], maxRows: 1000 },
      },
      faults: [],
    });
  });

  it('has a line in the operator’s book for each key', () => {
    const book = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
    for (const { name, path } of REST_KEYS)
      expect(book).toContain(`| \`${name}\` | ${path === undefined ? '' : `\`${path}\` `}|`);
  });
});

describe('what the database says', () => {
  it('is followed, refused or named', () => {
    expect(
      readStoredConfig([
        ['db_max_rows', '5'],
        ['db_extra_search_path', ''],
        ['db_schemas', ''],
        ['db_tx_end', 'x'],
        ['db_anon_role', 'anon'],
        ['jwt_secret', 'hidden'],
        ['db_root_spec', 'f'],
      ]),
    ).toEqual({
      config: { maxRows: 5, extraSearchPath: [] },
      faults: [
        expect.stringMatching(/^pgrst\.db_tx_end deve/),
        expect.stringMatching(/^pgrst\.jwt_secret (?!.*hidden)/),
      ],
      ignored: ['pgrst.db_root_spec'],
    });
  });
});
