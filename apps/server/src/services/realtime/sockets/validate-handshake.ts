import type { IncomingMessage } from 'node:http';
import type { Keyring } from '../../../kernel/keyring.ts';
import { claimsToBeApiKey, isFromBrowser } from '../../../kernel/keys/api-keys.ts';
import { readAccessToken } from '../authorization/read-access-token.ts';
import type { Serializer } from './frame.ts';

export type Handshake =
  | {
      readonly ok: true;
      readonly serializer: Serializer;
      /** A token: an opaque key has been exchanged for the one of its role. */
      readonly apiKey: string;
      /** What policies may read as `request.headers`: the client's own `x-` headers, as upstream passes them. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly status: number; readonly error: string };

/**
 * Who may open a socket (protocol note, section 3.1): whoever has a key or a token of ours that names a role and an end.
 * `Origin` proves nothing here: no cookie opens anything.
 */
export function validateHandshake(keyring: Keyring, request: IncomingMessage, now: Date): Handshake {
  const query = readQuery(request.url ?? '');
  const serializer = toSerializer(query.get('vsn') ?? '1.0.0');
  if (!serializer) return refuse(400, 'Unsupported serializer version');
  const given = readKey(request, query);
  if (given === undefined) return refuse(401, 'Missing API key');
  const apiKey = exchange(keyring, given, request);
  if (typeof apiKey !== 'string') return apiKey;
  const token = readAccessToken(keyring, apiKey, now);
  if (!token.ok) return refuse(token.code === 'Unauthorized' ? 403 : 401, `${token.code}: ${token.message}`);
  return { ok: true, serializer, apiKey, headers: pickHeaders(request) };
}

/** An upgrade does not pass where the gateway exchanges the platform's opaque keys for tokens. @returns the token, or why not */
function exchange(keyring: Keyring, key: string, { headers }: IncomingMessage): string | Handshake {
  if (!claimsToBeApiKey(key)) return key;
  const exchanged = keyring.exchangeApiKey(key);
  if (exchanged === undefined) return refuse(401, 'Unregistered API key');
  if (exchanged.kind === 'secret' && isFromBrowser(headers))
    return refuse(401, 'Forbidden use of secret API key in browser');
  return exchanged.token;
}

function readQuery(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

/** Phoenix compares with `~> 1.0.0` and `~> 2.0.0`. */
function toSerializer(version: string): Serializer | undefined {
  if (/^1\.0\.\d{1,4}$/.test(version)) return 1;
  if (/^2\.0\.\d{1,4}$/.test(version)) return 2;
  return undefined;
}

function readKey({ headers }: IncomingMessage, query: URLSearchParams): string | undefined {
  const given = [query.get('apikey'), headers['x-api-key'], headers['apikey']];
  return given.find((key): key is string => typeof key === 'string' && key !== '');
}

function pickHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-') && name !== 'x-api-key');
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

function refuse(status: number, error: string): Handshake {
  return { ok: false, status, error };
}
