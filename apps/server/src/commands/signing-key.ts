import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SIGNING_ALGORITHMS } from '../kernel/keys/compact-jws.ts';
import { parseSigningKeys } from '../kernel/keys/parse-signing-keys.ts';
import {
  describeKeys,
  generateStandbyKey,
  type KeptKey,
  type KeyPlan,
  planAddition,
  planRemoval,
  planRotation,
} from '../kernel/keys/signing-key-file.ts';

const USAGE =
  'Uso: npm run signing-key -- ARQUIVO (acrescenta uma chave; --algorithm ES256, RS256 ou HS256; ' +
  '--rotate: a que espera passa a assinar; --remove KID: tira uma).';

/** What the person who runs the command has to do differently. */
class UsageError extends Error {}

/** `npm run signing-key -- FILE`: makes, rotates and takes out the keys of `signing_keys_path`. It never prints a key. */
try {
  const { path, options } = readArguments(process.argv.slice(2));
  const kept = readKeys(path);
  const plan = choosePlan(kept ?? [], options);
  if ('fault' in plan) throw new UsageError(plan.fault);
  const written = `${JSON.stringify(plan.keys, null, 2)}\n`;
  const parsed = parseSigningKeys(written);
  if (!parsed.ok) throw new UsageError(`${path}: ${parsed.faults.join('; ')}.`);
  replaceFile(path, written, kept === undefined);
  process.stdout.write(`${describeKeys(plan.keys).join('\n')}\nReinicie o servidor para que valha.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

type Options = { readonly algorithm: string; readonly rotate: boolean; readonly remove: string | undefined };

function readArguments(args: string[]): { readonly path: string; readonly options: Options } {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        algorithm: { type: 'string', default: 'ES256' },
        rotate: { type: 'boolean', default: false },
        remove: { type: 'string' },
      },
    });
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError(USAGE);
    return { path: resolve(path), options: { remove: undefined, ...values } };
  } catch (cause) {
    throw new UsageError(USAGE, { cause });
  }
}

function choosePlan(keys: readonly KeptKey[], { algorithm: name, rotate, remove }: Options): KeyPlan {
  if (remove !== undefined) return planRemoval(keys, remove);
  if (rotate) return planRotation(keys, undefined);
  const algorithm = SIGNING_ALGORITHMS.find((known) => known === name.toUpperCase());
  if (algorithm === undefined) throw new UsageError(USAGE);
  return planAddition(keys, generateStandbyKey(algorithm));
}

/** @returns undefined where there is no file yet. */
function readKeys(path: string): readonly KeptKey[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`Não foi possível ler ${path} (${code}).`, { cause });
  }
  const parsed = parseSigningKeys(text);
  if (!parsed.ok) throw new UsageError(`${path}: ${parsed.faults.join('; ')}.`);
  const list = JSON.parse(text) as readonly KeptKey[] | { readonly keys: readonly KeptKey[] };
  return Array.isArray(list) ? list : (list as { readonly keys: readonly KeptKey[] }).keys;
}

/** Whole or not at all, and for its owner alone: whoever has it is anybody. */
function replaceFile(path: string, text: string, isNew: boolean): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true, flag: 'wx' });
    renameSync(draft, path);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new UsageError(`Não foi possível ${isNew ? 'criar' : 'mudar'} ${path} (${code}).`, { cause });
  } finally {
    rmSync(draft, { force: true });
  }
}
