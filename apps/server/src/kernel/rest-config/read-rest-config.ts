import * as v from 'valibot';
import type { RestConfig, RestSources } from '../settings.ts';
import { FIXED_KEYS, REST_KEYS, SOURCE_KEYS, SOURCE_SCHEMAS } from './rest-keys.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Table = { readonly [name: string]: unknown };

/** What is wrong with settings, each beginning with the name of its key, and what of them is not followed. */
export type Findings = { readonly faults: readonly string[]; readonly ignored: readonly string[] };

type Draft = { readonly config: { [field: string]: unknown }; readonly faults: string[] };

/**
 * What the platform's settings and PostgREST's say of the table API: `[api]` of `supabase/config.toml`, and stronger than all else
 * `PGRST_…` and the variables of the platform's command line (`SUPABASE_API_MAX_ROWS` for `api.max_rows`). What the database says
 * stands between the two, and is read by the service.
 * @param file the file, parsed; `env(NAME)` in it stands for a variable.
 */
export function readRestConfig(
  file: Table,
  environment: Environment,
): { readonly sources: RestSources; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const [weak, strong]: [Draft, Draft] = [
    { config: {}, faults },
    { config: {}, faults },
  ];
  for (const { name, path, field, schema } of REST_KEYS) {
    if (path !== undefined) take(weak, path, field, schema, readPath(file, path, environment));
    const names = [variableOf(name), ...(path === undefined ? [] : [platformVariableOf(path)])];
    for (const variable of names) take(strong, variable, field, schema, given(environment, variable));
  }
  for (const { name, value } of FIXED_KEYS)
    if (!isOwnKey(name, environment))
      listFixed(faults, variableOf(name), value, given(environment, variableOf(name)));
  for (const [name, text] of [
    ['api.enabled', readPath(file, 'api.enabled', environment)],
    ['SUPABASE_API_ENABLED', given(environment, 'SUPABASE_API_ENABLED')],
  ] as const)
    listFixed(faults, name, 'true', text);
  const source: Draft = { config: {}, faults };
  for (const [field, name, schema] of [
    ['readsDatabase', SOURCE_KEYS.readsDatabase, SOURCE_SCHEMAS.flag],
    ['preConfig', SOURCE_KEYS.preConfig, SOURCE_SCHEMAS.functionName],
  ] as const)
    take(source, variableOf(name), field, schema, given(environment, variableOf(name)));
  const variables = Object.keys(environment).filter((name) => given(environment, name) !== undefined);
  // Policies may ask for them: left out, they would decide otherwise.
  const appSettings = readAppSettings(variables, environment, faults);
  return {
    sources: {
      readsDatabase: true,
      ...(source.config as Pick<RestSources, 'preConfig'>),
      file: weak.config,
      variables: { ...strong.config, ...(appSettings === undefined ? {} : { appSettings }) },
      ignored: [
        ...variables.filter((name) => name.startsWith('PGRST_') && !isKnown(name)),
        ...listOtherPaths(file),
      ],
    },
    faults,
  };
}

const APP_SETTING = /^PGRST_APP_SETTINGS_(.*)$/;

function readAppSettings(
  variables: readonly string[],
  environment: Environment,
  faults: string[],
): Readonly<Record<string, string>> | undefined {
  const settings = variables.flatMap((variable): readonly (readonly [string, string])[] => {
    const [, name] = APP_SETTING.exec(variable) ?? [];
    if (name === undefined) return [];
    // The form that Postgres asks of the parts of a setting's name.
    if (/^[A-Za-z_]\w{0,40}$/.test(name)) return [[`app.settings.${name}`, environment[variable] ?? '']];
    faults.push(`${variable} não pode ser o nome de uma configuração do Postgres`);
    return [];
  });
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}

/** Said twice, the same key is no other. */
function isOwnKey(name: string, environment: Environment): boolean {
  if (name !== 'jwt-secret') return false;
  const keys =
    given(environment, 'JWT_SECRET')
      ?.split(',')
      .map((key) => key.trim()) ?? [];
  return keys.includes(given(environment, variableOf(name)) ?? '');
}

/**
 * What `alter role authenticator set pgrst.…` says.
 * @param stored names without `pgrst.`, with their values.
 */
export function readStoredConfig(
  stored: readonly (readonly [string, string])[],
): Findings & { readonly config: RestConfig } {
  const draft: Draft = { config: {}, faults: [] };
  const ignored: string[] = [];
  for (const [stem, text] of stored) {
    const name = `pgrst.${stem}`;
    const key = REST_KEYS.find((one) => stemOf(one.name) === stem);
    const fixed = FIXED_KEYS.find((one) => stemOf(one.name) === stem);
    if (key !== undefined) take(draft, name, key.field, key.schema, text.trim());
    else if (fixed !== undefined) listFixed(draft.faults, name, fixed.value, text.trim());
    else ignored.push(name);
  }
  return { config: draft.config, faults: draft.faults, ignored };
}

/** An empty text says nothing, except that a list is empty. */
function take(
  { config, faults }: Draft,
  name: string,
  field: string,
  schema: v.GenericSchema<string, unknown>,
  text: string | undefined,
): void {
  if (text === undefined || (text === '' && field !== 'extraSearchPath')) return;
  const result = v.safeParse(schema, text);
  if (result.success) config[field] = result.output;
  else faults.push(`${name} ${result.issues[0].message}`);
}

function listFixed(
  faults: string[],
  name: string,
  value: string | undefined,
  text: string | undefined,
): void {
  if (text === undefined || text === '' || text === value) return;
  faults.push(
    value === undefined
      ? `${name} não é seguido: as chaves deste servidor são as de JWT_SECRET`
      : `${name} só pode ser ${value}: este servidor ainda não tem outra escolha`,
  );
}

const KNOWN_VARIABLES = new Set(
  [...REST_KEYS, ...FIXED_KEYS]
    .map(({ name }) => name)
    .concat(Object.values(SOURCE_KEYS))
    .map(variableOf),
);

function isKnown(variable: string): boolean {
  return KNOWN_VARIABLES.has(variable) || APP_SETTING.test(variable);
}

function listOtherPaths(file: Table): readonly string[] {
  const { api } = file;
  if (typeof api !== 'object' || api === null) return [];
  const followed = new Set(['api.enabled', ...REST_KEYS.map(({ path }) => path)]);
  return Object.keys(api)
    .map((name) => `api.${name}`)
    .filter((path) => !followed.has(path));
}

function stemOf(name: string): string {
  return name.replaceAll('-', '_');
}

function variableOf(name: string): string {
  return `PGRST_${stemOf(name).toUpperCase()}`;
}

function platformVariableOf(path: string): string {
  return `SUPABASE_${path.replaceAll('.', '_').toUpperCase()}`;
}

/** An empty variable counts as one that is not there. */
function given(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** The text of a key, the parts of a list with commas between; undefined where it is not there or stands for a variable that is not. */
function readPath(file: Table, path: string, environment: Environment): string | undefined {
  let value: unknown = file;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Table)[name] : undefined;
  if (value === undefined) return undefined;
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.flatMap((part) => {
    const text = String(part).trim();
    const [, variable] = /^env\((\w+)\)$/.exec(text) ?? [];
    return variable === undefined ? [text] : (given(environment, variable) ?? []);
  });
  return texts.length === 0 && parts.length > 0 ? undefined : texts.join(',');
}
