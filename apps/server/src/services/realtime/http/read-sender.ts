import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../kernel/caller.ts';
import type { Keyring } from '../../../kernel/keyring.ts';
import { readAccessToken } from '../channels/read-access-token.ts';
import { RealtimeError } from './realtime-error.ts';

const BEARER = /^bearer +(.+)$/i;

/** Who sends: the Bearer token's person, else the key. @throws RealtimeError when there is neither, or it does not hold. */
export function readSender(keyring: Keyring, { headers }: FastifyRequest, now: Date): Caller {
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim();
  const { apikey } = headers;
  const key = Array.isArray(apikey) ? apikey[0] : apikey;
  const given = bearer === undefined || bearer.startsWith('sb_') ? key : bearer;
  if (given === undefined || given === '') throw new RealtimeError('unauthorized');
  const token = readAccessToken(keyring, given, now);
  if (!token.ok) throw new RealtimeError('unauthorized', { message: `${token.code}: ${token.message}` });
  return token.caller;
}
