import { existsSync, readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { FunctionsConfigError } from './functions-config-error.ts';

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
