import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FunctionDefinition } from '../function-definition.ts';
import { FunctionsConfigError } from './functions-config-error.ts';
import type { FunctionsConfig } from './read-functions-config.ts';
import { readImportMap } from './read-import-map.ts';
import { readOwnLimits } from './read-own-limits.ts';

/** As the platform's command line checks it. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Of what the hosted platform gives to functions, what is not public. */
const PLATFORM: ReadonlySet<string> = new Set(['SUPABASE_SERVICE_ROLE_KEY', 'SUPABASE_DB_URL']);
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
