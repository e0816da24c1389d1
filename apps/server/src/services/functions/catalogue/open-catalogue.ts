import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import type { FunctionDefinition } from '../function-definition.ts';

export type CatalogueDeps = {
  /** `supabase/config.toml`. */
  readonly configPath: string;
  /** Where the functions are, a folder each. */
  readonly folder: string;
  /** Other code that functions import. */
  readonly shared: readonly string[];
  /** The server's settings by the names of their variables, asked for when a worker starts. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Whether to look for changes at each call. */
  readonly reload: boolean;
  /** Told after a change was read, or why it could not be. */
  readonly onChange: (fault?: unknown) => void;
};

export type Catalogue = {
  find(name: string): FunctionDefinition | undefined;
  /** The project's own settings for functions. */
  secrets(): Readonly<Record<string, string>>;
};

/**
 * Knows the functions of the project. Read once; in development again whenever a file has changed since the last call.
 * @throws FunctionsConfigError
 */
export function openCatalogue(deps: CatalogueDeps): Catalogue {
  let current = read(deps);
  let seen = deps.reload ? fingerprint(deps) : '';

  const refresh = () => {
    if (!deps.reload) return;
    const now = fingerprint(deps);
    if (now === seen) return;
    seen = now;
    try {
      current = read(deps);
      deps.onChange();
    } catch (fault) {
      deps.onChange(fault);
    }
  };
  return {
    find(name) {
      refresh();
      return current.functions.get(name);
    },
    secrets: () => readSecrets(current.config, deps.environment()),
  };
}

function read({ configPath, folder }: CatalogueDeps) {
  const config = readFunctionsConfig(configPath);
  return { config, functions: listFunctions(folder, configPath, config) };
}

/** A few hundred files at most, and only in development: cheaper than watching them, and never late. */
function fingerprint({ configPath, folder, shared }: CatalogueDeps): string {
  const code = [folder, ...shared].flatMap((root) =>
    globSync('**/*.{ts,js,json,toml}', { cwd: root, exclude: ['**/node_modules/**'] }).map((path) =>
      join(root, path),
    ),
  );
  return [configPath, ...code].map((path) => `${path} ${readTime(path)}`).join('\n');
}

function readTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /^env\(([A-Za-z_][A-Za-z0-9_]*)\)$/;

/**
 * The project's own settings that functions see: those that `[edge_runtime.secrets]` lists, with the values of the server's
 * environment where they say `env(NAME)`. What is not set there, or blank, stays unset for functions too.
 */
function readSecrets({ edge_runtime }: FunctionsConfig, environment: Environment): Record<string, string> {
  const entries = Object.entries(edge_runtime.secrets).flatMap(([name, value]) => {
    const reference = REFERENCE.exec(value)?.[1];
    const found = reference === undefined ? value : environment[reference];
    return found === undefined || found.trim() === '' ? [] : [[name, found] as const];
  });
  return Object.fromEntries(entries);
}

/** As the platform's command line checks it. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Of what the hosted platform gives to functions, what is not public. */
const PLATFORM: ReadonlySet<string> = new Set([
  'SUPABASE_SERVICE_ROLE_KEY',
  'SUPABASE_SECRET_KEYS',
  'SUPABASE_DB_URL',
]);
const ENTRIES = ['index.ts', 'index.js'];

/**
 * The functions of a project: each folder with an `index.ts`, and each entry of `config.toml`. A folder without an entry asks
 * for a token, as on the hosted platform.
 * @param configPath the paths in it are relative to it.
 * @throws FunctionsConfigError
 */
export function listFunctions(
  folder: string,
  configPath: string,
  { functions, edge_runtime }: FunctionsConfig,
): ReadonlyMap<string, FunctionDefinition> {
  const names = new Set([...listFolders(folder), ...Object.keys(functions)]);
  const found = new Map<string, FunctionDefinition>();
  for (const [ordinal, name] of [...names].sort().entries()) {
    const { enabled = true, verify_jwt = true, entrypoint, import_map } = functions[name] ?? {};
    if (!enabled) continue;
    const own = join(folder, name);
    const entry = entrypoint === undefined ? findEntry(own) : resolve(dirname(configPath), entrypoint);
    if (!NAME.test(name) || entry === undefined || !existsSync(entry))
      throw new FunctionsConfigError(
        `A função ${name} de ${configPath} não existe: falta ${entry ?? join(own, 'index.ts')}.`,
      );
    const limits = readOwnLimits(own);
    const unknown = limits.secrets.find(
      (secret) => !PLATFORM.has(secret) && !(secret in edge_runtime.secrets),
    );
    if (unknown !== undefined)
      throw new FunctionsConfigError(
        `A função ${name} pede o segredo ${unknown}, que não está em [edge_runtime.secrets] de ${configPath}.`,
      );
    const map = import_map === undefined ? undefined : resolve(dirname(configPath), import_map);
    found.set(name, {
      name,
      ordinal,
      entry,
      verifyJwt: verify_jwt,
      imports: readImportMap(own, map),
      ...limits,
    });
  }
  return found;
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name) && findEntry(join(folder, entry.name)))
    .map(({ name }) => name);
}

function findEntry(folder: string): string | undefined {
  return ENTRIES.map((name) => join(folder, name)).find((path) => existsSync(path));
}

const count = (least: number) => {
  const message = `deve ser um número inteiro a partir de ${least}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message));
};

const SCHEMA = v.object({
  secrets: v.optional(v.array(v.string('deve ser um texto entre aspas')), []),
  person: v.optional(v.object({ calls: count(1), seconds: count(1) })),
  room: v.optional(v.object({ at_once: count(1), waiting: count(0) })),
});

/** Enough that nobody meets it by using the product, little enough that memory stays. */
const ROOM = { atOnce: 32, waiting: 128 };

/**
 * `limits.toml` in a function's folder: which secrets it gets, how often a person may call it, and how many calls run at
 * once. Only this server reads it; the hosted platform has limits of its own.
 * @throws FunctionsConfigError
 */
function readOwnLimits(folder: string): Pick<FunctionDefinition, 'secrets' | 'limit' | 'room'> {
  const { secrets, person, room } = readToml(join(folder, 'limits.toml'), SCHEMA);
  return {
    secrets,
    ...(person ? { limit: person } : {}),
    room: room ? { atOnce: room.at_once, waiting: room.waiting } : ROOM,
  };
}

/**
 * Reads a TOML file and checks it; one that is not there counts as empty.
 * @throws FunctionsConfigError
 */
export function readToml<TSchema extends v.GenericSchema>(
  path: string,
  schema: TSchema,
): v.InferOutput<TSchema> {
  const result = v.safeParse(schema, existsSync(path) ? parseFile(path) : {});
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`.trim());
  throw new FunctionsConfigError(`O arquivo ${path} está errado: ${faults.join('; ')}.`);
}

function parseFile(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const place = cause instanceof TomlError ? `linha ${cause.line}, coluna ${cause.column}` : 'não é TOML';
    throw new FunctionsConfigError(`O arquivo ${path} não pôde ser lido (${place}).`, { cause });
  }
}

const READ_IMPORT_MAP_SCHEMA = v.object({ imports: v.optional(v.record(v.string(), v.string()), {}) });

/**
 * The names that a function may import: of the map that `config.toml` names, else of its own `deno.json`, else of the one
 * that all functions share.
 * @returns specifier to target, relative targets as `file:` addresses.
 * @throws FunctionsConfigError
 */
function readImportMap(folder: string, named: string | undefined): Readonly<Record<string, string>> {
  const places = [
    join(folder, 'deno.json'),
    join(dirname(folder), 'deno.json'),
    join(dirname(folder), 'import_map.json'),
  ];
  const path = named ?? places.find((place) => existsSync(place));
  if (path === undefined) return {};
  const base = pathToFileURL(path);
  return Object.fromEntries(
    Object.entries(parseMap(path)).map(([name, target]) => [
      name,
      /^\.{0,2}\//.test(target) ? new URL(target, base).href : target,
    ]),
  );
}

function parseMap(path: string): Readonly<Record<string, string>> {
  try {
    return v.parse(READ_IMPORT_MAP_SCHEMA, JSON.parse(readFileSync(path, 'utf8'))).imports;
  } catch (cause) {
    throw new FunctionsConfigError(`O arquivo ${path} não é um mapa de importações em JSON.`, { cause });
  }
}

const bool = v.boolean('deve ser true ou false');
const text = v.string('deve ser um texto entre aspas');

/** Of the platform's file, what concerns functions; its other tables are for other readers. */
const READ_FUNCTIONS_CONFIG_SCHEMA = v.object({
  functions: v.optional(
    v.record(
      v.string(),
      v.object({
        enabled: v.optional(bool, true),
        verify_jwt: v.optional(bool, true),
        import_map: v.optional(text),
        entrypoint: v.optional(text),
      }),
    ),
    {},
  ),
  edge_runtime: v.optional(
    v.object({
      /** The project's own settings that functions see, the same for all; `env(NAME)` takes the server's. */
      secrets: v.optional(
        v.record(
          v.pipe(
            v.string(),
            v.check((name) => !name.startsWith('SUPABASE_'), 'não pode começar com SUPABASE_'),
          ),
          text,
        ),
        {},
      ),
    }),
    {},
  ),
});

type FunctionsConfig = v.InferOutput<typeof READ_FUNCTIONS_CONFIG_SCHEMA>;

/** `supabase/config.toml`, as the hosted platform's command line reads it. @throws FunctionsConfigError */
export function readFunctionsConfig(path: string): FunctionsConfig {
  return readToml(path, READ_FUNCTIONS_CONFIG_SCHEMA);
}

/** What describes the functions cannot be read. `message` is one line in Portuguese that names the file and the fault. */
export class FunctionsConfigError extends Error {
  override readonly name = 'FunctionsConfigError';
}
