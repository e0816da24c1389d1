import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { storageError } from '../storage-error.ts';

/** What a request says of its own signature. (Source: AWS, "Signature Version 4 signing process".) */
export type SignedRequest = {
  readonly accessKey: string;
  /** `yyyymmdd/region/service/aws4_request` */
  readonly scope: string;
  /** `yyyymmddThhmmssZ` */
  readonly date: string;
  readonly signedHeaders: readonly string[];
  /** Hexadecimal. */
  readonly signature: string;
  /** Of the body: a hash, `UNSIGNED-PAYLOAD`, or the name of a way to sign it piece by piece. */
  readonly payload: string;
  readonly sessionToken: string | undefined;
};

export type RequestToSign = {
  readonly method: string;
  /** As it came, with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** By which name the client knows the server. */
  readonly host: string;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const SCOPE = /^([^/]+)\/(\d{8}\/[\w-]{1,64}\/s3\/aws4_request)$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const HEADER_NAMES = /^[a-z0-9._-]{1,200}(?:;[a-z0-9._-]{1,200}){0,50}$/;
/** As on Amazon's own service. */
const MOST_SKEW_MS = 15 * 60_000;
const LONGEST_S = 7 * 86_400;

/**
 * Reads the signature of a request: in its header, or, of a signed address, in its query.
 * @throws StorageError AccessDenied where there is none, one that is too old, or one that leaves a header of the protocol out; InvalidSignature for one that cannot be read.
 */
export function readSignature(request: RequestToSign, now: Date): SignedRequest {
  const signed = readSigned(request, now);
  const isUnsigned = (name: string) =>
    name.startsWith('x-amz-') && name !== 'x-amz-content-sha256' && !signed.signedHeaders.includes(name);
  // Whoever was given a signed address must not make another operation of it.
  if (Object.keys(request.headers).some(isUnsigned))
    throw storageError.accessDenied('There were headers present in the request which were not signed');
  return signed;
}

function readSigned({ url, headers }: RequestToSign, now: Date): SignedRequest {
  const { authorization } = headers;
  if (authorization?.startsWith(`${ALGORITHM} `)) return readHeader(authorization, headers, now);
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) throw storageError.accessDenied('Missing signature');
  return readQuery(query, now);
}

function readHeader(authorization: string, headers: IncomingHttpHeaders, now: Date): SignedRequest {
  const parts = new Map(
    authorization
      .slice(ALGORITHM.length + 1)
      .split(',')
      .map((part) => {
        const [name = '', value = ''] = part.trim().split(/=(.*)/s);
        return [name, value];
      }),
  );
  const read = describe({
    credential: parts.get('Credential') ?? '',
    signedHeaders: parts.get('SignedHeaders') ?? '',
    signature: parts.get('Signature') ?? '',
    date: one(headers['x-amz-date']),
    payload: one(headers['x-amz-content-sha256']),
    sessionToken: headers['x-amz-security-token'],
  });
  if (Math.abs(now.getTime() - toTime(read.date)) > MOST_SKEW_MS) throw storageError.requestTimeTooSkewed();
  return read;
}

function readQuery(query: URLSearchParams, now: Date): SignedRequest {
  const get = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  const read = describe({
    credential: get('Credential'),
    signedHeaders: get('SignedHeaders'),
    signature: get('Signature'),
    date: get('Date'),
    payload: get('Content-Sha256') || UNSIGNED_PAYLOAD,
    sessionToken: get('Security-Token') || undefined,
  });
  const expires = get('Expires');
  const lifetime = /^\d{1,6}$/.test(expires) ? Number(expires) : 0;
  if (lifetime < 1 || lifetime > LONGEST_S) throw storageError.invalidSignature('Invalid expiration');
  const age = now.getTime() - toTime(read.date);
  if (age < -MOST_SKEW_MS) throw storageError.requestTimeTooSkewed();
  if (age > lifetime * 1000) throw storageError.accessDenied('Request has expired');
  return read;
}

/**
 * Of a form: its fields, by names in lower case. How long it holds is in its policy.
 * @throws StorageError as `readSignature`
 */
export function readFormSignature(fields: ReadonlyMap<string, string>, now: Date): SignedRequest {
  const get = (name: string) => fields.get(`x-amz-${name}`) ?? '';
  if (get('algorithm') !== ALGORITHM) throw storageError.accessDenied('Missing signature');
  const read = describe({
    credential: get('credential'),
    // It is sent to any server that the secret belongs to: what it may do is in the policy.
    signedHeaders: 'host',
    signature: get('signature'),
    date: get('date'),
    payload: UNSIGNED_PAYLOAD,
    sessionToken: get('security-token') || undefined,
  });
  const age = now.getTime() - toTime(read.date);
  if (age < -MOST_SKEW_MS) throw storageError.requestTimeTooSkewed();
  if (age > LONGEST_S * 1000) throw storageError.accessDenied('Request has expired');
  return read;
}

type Said = {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly payload: string;
  readonly sessionToken: string | string[] | undefined;
};

function describe({
  credential,
  signedHeaders,
  signature,
  date,
  payload,
  sessionToken,
}: Said): SignedRequest {
  const [, accessKey = '', scope = ''] = SCOPE.exec(credential) ?? [];
  const isRead =
    scope !== '' &&
    DATE.test(date) &&
    scope.startsWith(date.slice(0, 8)) &&
    SIGNATURE.test(signature) &&
    HEADER_NAMES.test(signedHeaders) &&
    payload !== '';
  if (!isRead) throw storageError.invalidSignature('Invalid signature format');
  const names = signedHeaders.split(';');
  // Without it the same request could be sent to another server.
  if (!names.includes('host')) throw storageError.invalidSignature('The host must be signed');
  const token = one(sessionToken);
  return {
    accessKey,
    scope,
    date,
    signedHeaders: names,
    signature,
    payload,
    sessionToken: token === '' ? undefined : token,
  };
}

function one(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

function toTime(date: string): number {
  const [, year, month, day, hour, minute, second] = (DATE.exec(date) ?? []).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** What pieces of a body are signed with. */
export type SigningKey = Buffer<ArrayBuffer>;

export function deriveKey(secret: string, scope: string): SigningKey {
  return scope
    .split('/')
    .reduce<SigningKey>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`) as SigningKey);
}

/** Whether the secret made the signature. The same time for each that is wrong. */
export function isSignedWith(key: SigningKey, signed: SignedRequest, request: RequestToSign): boolean {
  const { date, scope, signature } = signed;
  const text = [ALGORITHM, date, scope, sha256(writeCanonical(signed, request))].join('\n');
  return isSame(hmac(key, text).toString('hex'), signature);
}

/** Whether the secret signed a form's policy, which is taken as it came. */
export function isPolicySignedWith(key: SigningKey, { signature }: SignedRequest, policy: string): boolean {
  return isSame(hmac(key, policy).toString('hex'), signature);
}

/** Of a piece of a body, whose signature rests on the one before; `kind` is what AWS calls it. */
export function signPiece(
  key: SigningKey,
  { date, scope }: SignedRequest,
  piece: {
    readonly kind: 'PAYLOAD' | 'TRAILER';
    readonly before: string;
    readonly hashes: readonly string[];
  },
): string {
  const text = [`${ALGORITHM}-${piece.kind}`, date, scope, piece.before, ...piece.hashes].join('\n');
  return hmac(key, text).toString('hex');
}

export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function writeCanonical(
  { signedHeaders, payload }: SignedRequest,
  { method, url, headers, host }: RequestToSign,
): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const lines = signedHeaders.map((name) => {
    const value = name === 'host' ? host : one(Object.hasOwn(headers, name) ? headers[name] : undefined);
    return `${name}:${value.trim().replace(/ +/g, ' ')}\n`;
  });
  return [method, writePath(path), writeQuery(query), lines.join(''), signedHeaders.join(';'), payload].join(
    '\n',
  );
}

function writePath(path: string): string {
  return path.split('/').map(encode).join('/');
}

function writeQuery(query: string): string {
  return (
    query
      .split('&')
      .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
      .map((part) => {
        const [name = '', value = ''] = part.split(/=(.*)/s);
        return [name, value].map((text) => encode(text.replaceAll('+', '%20'))).join('\0');
      })
      // By name, then by value: NUL comes before whatever a name goes on with, "=" does not.
      .sort()
      .map((pair) => pair.replace('\0', '='))
      .join('&')
  );
}

/** Written anew, for clients differ in what they encode. */
function encode(text: string): string {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    throw storageError.invalidRequest('The address cannot be read');
  }
  return encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer, text: string): SigningKey {
  return createHmac('sha256', key).update(text).digest() as SigningKey;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
