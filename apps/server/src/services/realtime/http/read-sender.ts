import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../kernel/caller.ts';
import { readAccessToken } from '../channels/read-access-token.ts';
import { readSessionFault } from '../channels/read-session-fault.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { RealtimeError } from './realtime-error.ts';

const BEARER = /^bearer +(.+)$/i;

/** Who sends: the Bearer token's person, else the key. @throws RealtimeError when there is neither, or it does not hold. */
export async function readSender(context: RealtimeContext, { headers }: FastifyRequest): Promise<Caller> {
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim();
  const { apikey } = headers;
  const key = Array.isArray(apikey) ? apikey[0] : apikey;
  const given = bearer === undefined || bearer.startsWith('sb_') ? key : bearer;
  if (given === undefined || given === '') throw new RealtimeError('unauthorized');
  const token = readAccessToken(context.keyring, given, context.now());
  if (!token.ok) throw new RealtimeError('unauthorized', { message: `${token.code}: ${token.message}` });
  const fault = await readSessionFault(context, token.caller);
  if (fault === undefined) return token.caller;
  const { code, message } = fault;
  throw new RealtimeError(code === 'Unauthorized' ? 'unauthorized' : 'unavailable', {
    message: `${code}: ${message}`,
  });
}
