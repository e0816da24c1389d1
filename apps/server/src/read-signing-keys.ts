import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, given, readPath, type Table, variableOf } from './kernel/auth-config/read-key.ts';
import { parseSigningKeys } from './kernel/keys/parse-signing-keys.ts';
import type { ReadSigningKeys } from './kernel/parse-settings.ts';

const PATH = 'auth.signing_keys_path';
/** GoTrue's own variable, and what a self-hosted project's `.env` calls it. */
const VARIABLES = ['GOTRUE_JWT_KEYS', 'JWT_KEYS'];

/**
 * The operator's own keys for tokens: a file that `auth.signing_keys_path` names, over it GoTrue's variable with the keys themselves, over
 * both the variable of the platform's command line for the file.
 * @param folder of the settings file: the keys' file is named from there, as for the command line
 */
export function readSigningKeys(file: Table, environment: Environment, folder: string): ReadSigningKeys {
  const variable = VARIABLES.find((name) => isSaid(given(environment, name)));
  const sources = [
    { name: variableOf(PATH), path: given(environment, variableOf(PATH)) },
    { name: variable ?? '', text: variable && given(environment, variable) },
    { name: PATH, path: readPath(file, PATH, environment) || undefined },
  ];
  const source = sources.find(({ path, text }) => path !== undefined || text !== undefined);
  if (source === undefined) return { keys: [], faults: [] };
  const text = source.path === undefined ? source.text : readFile(resolve(folder, source.path));
  if (text === undefined)
    return { keys: [], faults: [`${source.name} nomeia um arquivo que não pôde ser lido`] };
  const parsed = parseSigningKeys(text);
  return parsed.ok
    ? { keys: parsed.keys, faults: [] }
    : { keys: [], faults: parsed.faults.map((fault) => `${source.name} ${fault}`) };
}

/** The platform's own examples say "none" so. */
function isSaid(text: string | undefined): boolean {
  return text !== undefined && text !== '[]';
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
