import { createHash } from 'node:crypto';
import { API_KEY_KINDS, type ApiKeyKind, type ApiKeys, isApiKey } from '../keys/api-keys.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

export type ReadApiKeys = { readonly apiKeys: ApiKeys; readonly faults: readonly string[] };

/** SHA-256 of the secret key that the platform's command line gives to every project on anybody's machine. */
const KNOWN_TO_ALL = 'c85debb55f2f204d868cc1552c42faa143b4c675f61363ab040dd50b5b5304cd';

/**
 * The operator's own publishable and secret keys: `auth.publishable_key` and `auth.secret_key` of the file, over them the variables of a
 * self-hosted project (`SUPABASE_SECRET_KEY`), over both those of the platform's command line (`SUPABASE_AUTH_SECRET_KEY`). Several are
 * separated by commas. A kind that nothing is said of is empty.
 */
export function readApiKeys(file: Table, environment: Environment): ReadApiKeys {
  const faults: string[] = [];
  const read = (kind: ApiKeyKind): readonly string[] => {
    const path = `auth.${kind}_key`;
    const sources = [
      { name: variableOf(path), text: given(environment, variableOf(path)) },
      {
        name: `SUPABASE_${kind.toUpperCase()}_KEY`,
        text: given(environment, `SUPABASE_${kind.toUpperCase()}_KEY`),
      },
      { name: path, text: readPath(file, path, environment) || undefined },
    ];
    const source = sources.find(({ text }) => text !== undefined);
    const keys = (source?.text ?? '').split(',').map((key) => key.trim());
    if (source === undefined) return [];
    if (!keys.every((key) => isApiKey(key, kind)))
      faults.push(
        `${source.name} deve ser sb_${kind}_ e ao menos 31 caracteres (várias se separam por vírgula)`,
      );
    if (keys.some((key) => createHash('sha256').update(key).digest('hex') === KNOWN_TO_ALL))
      faults.push(`${source.name} é a chave de exemplo da plataforma, que todos conhecem`);
    return keys;
  };
  const [publishable = [], secret = []] = API_KEY_KINDS.map(read);
  return { apiKeys: { publishable, secret }, faults };
}
