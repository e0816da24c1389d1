import { importSigningKey, type SigningKey } from './signing-key.ts';

/** Keys of the operator's own; the first signs, all verify. */
export type ParsedSigningKeys =
  | { readonly ok: true; readonly keys: readonly [SigningKey, ...SigningKey[]] }
  /** Each goes on after the name of where the keys stand, and repeats none of them. */
  | { readonly ok: false; readonly faults: readonly string[] };

type Jwk = Readonly<Record<string, unknown>>;

/**
 * Reads keys as the platform writes them (`GOTRUE_JWT_KEYS`, `signing_keys_path`): a JSON list of JWKs, or a JWK set (RFC 7517,
 * section 5). The one with `sign` among its `key_ops` signs; the others verify what was signed before, or wait to sign.
 */
export function parseSigningKeys(text: string): ParsedSigningKeys {
  const jwks = readList(text);
  if (jwks === undefined) return fail('deve ser uma lista de JWKs em JSON');
  const imported = jwks.map((jwk) => ({ jwk, key: importSigningKey(jwk) }));
  const faults = imported.flatMap(({ key }, at) =>
    'fault' in key ? [`(chave ${at + 1}) ${key.fault}`] : [],
  );
  const keys = imported.flatMap(({ jwk, key }) => ('fault' in key ? [] : [{ key, signs: isToSign(jwk) }]));
  const kids = keys.flatMap(({ key: { kid } }) => kid ?? []);
  if (new Set(kids).size < kids.length) faults.push('não pode repetir um kid');
  const signing = keys.filter(({ signs }) => signs).map(({ key }) => key);
  const [first] = signing;
  if (faults.length === 0 && signing.length !== 1)
    faults.push('deve ter uma só chave com sign em key_ops: a que assina');
  if (first !== undefined && first.signsWith === undefined)
    faults.push('deve ter a parte privada da chave que assina');
  if (first === undefined || faults.length > 0) return { ok: false, faults };
  return { ok: true, keys: [first, ...keys.filter(({ signs }) => !signs).map(({ key }) => key)] };
}

function readList(text: string): readonly Jwk[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list: unknown = isObject(parsed) ? parsed['keys'] : parsed;
  return Array.isArray(list) && list.length > 0 && list.every(isObject) ? list : undefined;
}

function isObject(value: unknown): value is Jwk {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isToSign({ key_ops: operations }: Jwk): boolean {
  return Array.isArray(operations) && operations.includes('sign');
}

function fail(fault: string): ParsedSigningKeys {
  return { ok: false, faults: [fault] };
}
