import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { FunctionsConfigError } from './functions-config-error.ts';

const SCHEMA = v.object({ imports: v.optional(v.record(v.string(), v.string()), {}) });

/**
 * The names that a function may import: of the map that `config.toml` names, else of its own `deno.json`, else of the one
 * that all functions share.
 * @returns specifier to target, relative targets as `file:` addresses.
 * @throws FunctionsConfigError
 */
export function readImportMap(folder: string, named: string | undefined): Readonly<Record<string, string>> {
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
    return v.parse(SCHEMA, JSON.parse(readFileSync(path, 'utf8'))).imports;
  } catch (cause) {
    throw new FunctionsConfigError(`O arquivo ${path} não é um mapa de importações em JSON.`, { cause });
  }
}
