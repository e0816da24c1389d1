import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../../kernel/caller-context.ts';
import { readAccessToken } from '../authorization/read-access-token.ts';
import {
  type BroadcastContent,
  BroadcastMessage,
  isJson,
  toBroadcastJson,
} from '../broadcast/broadcast-message.ts';
import { publishBroadcast } from '../broadcast/publish-broadcast.ts';
import { readSessionFault } from '../channels/session-watch.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { type FieldErrors, RealtimeError } from './realtime-error.ts';

/** A sender's messages a second. The operator's own key is not counted. */
const MESSAGES_PER_SECOND = 500;

/** The two HTTP forms of a broadcast (protocol note, section 3.4). Both answer 202 with nothing in it. */
export function registerBroadcastRoutes(app: FastifyInstance, context: RealtimeContext): void {
  const { limits } = context;
  const limiter = new RateLimiterMemory({ points: MESSAGES_PER_SECOND, duration: 1 });
  const options = { bodyLimit: limits.broadcastBytes };

  app.post('/api/broadcast', options, async (request, reply) => {
    const caller = await readSender(context, request);
    const batch = parseBatch(readJsonBody(request));
    if (!batch.ok) throw new RealtimeError('unprocessable', { errors: batch.errors });
    await countMessages(limiter, caller, request, batch.messages.length);
    const closed = await listDenied(context, caller, batch.messages, request);
    for (const { topic, isPrivate, json } of batch.messages) {
      if (!isPrivate || !closed.has(topic))
        send(context, new BroadcastMessage(topic, isPrivate, { form: 'object', json }));
    }
    return accept(reply);
  });

  app.post<{ Params: { topic: string; event: string }; Querystring: { private?: string } }>(
    '/api/broadcast/:topic/events/:event',
    options,
    async (request, reply) => {
      const caller = await readSender(context, request);
      const { topic, event } = request.params;
      const isPrivate = request.query.private === 'true';
      const content = readContent(request, event);
      await countMessages(limiter, caller, request, 1);
      if (isPrivate && !(await mayWrite(context, caller, topic, request)))
        throw new RealtimeError('forbidden', {
          message: `You do not have permissions to write to this Channel topic: ${topic}`,
        });
      send(context, new BroadcastMessage(topic, isPrivate, content));
      return accept(reply);
    },
  );
}

/** The private topics of a batch that policies deny: their messages are left out, the others go. Each is asked about once. */
async function listDenied(
  context: RealtimeContext,
  caller: Caller,
  messages: readonly BatchMessage[],
  request: FastifyRequest,
): Promise<ReadonlySet<string>> {
  const topics = new Set(messages.filter(({ isPrivate }) => isPrivate).map(({ topic }) => topic));
  const denied = new Set<string>();
  for (const topic of topics) if (!(await mayWrite(context, caller, topic, request))) denied.add(topic);
  return denied;
}

function send({ topics, bus }: RealtimeContext, message: BroadcastMessage): void {
  topics.deliver(message);
  publishBroadcast(bus, message);
}

function accept(reply: FastifyReply): FastifyReply {
  return reply.code(202).send('');
}

function mayWrite({ access }: RealtimeContext, caller: Caller, topic: string, request: FastifyRequest) {
  const own = Object.entries(request.headers).filter(([name]) => name.startsWith('x-'));
  return access.canWrite(
    caller,
    topic,
    'broadcast',
    Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  );
}

/** @throws RealtimeError when the sender has sent enough for this second. */
async function countMessages(
  limiter: RateLimiterMemory,
  { role, claims }: Caller,
  request: FastifyRequest,
  count: number,
): Promise<void> {
  if (role === 'service_role') return;
  if (count > MESSAGES_PER_SECOND)
    throw new RealtimeError('too_many', {
      message: 'Too many messages to broadcast, please reduce the batch size',
    });
  // A key is shared by everybody who has the page open: they are told apart by where they come from.
  const sender = typeof claims['sub'] === 'string' ? claims['sub'] : `${role} ${request.ip}`;
  await limiter.consume(sender, count).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes ? new RealtimeError('too_many') : refusal;
  });
}

function readContent(request: FastifyRequest, event: string): BroadcastContent {
  const bytes = readBytes(request);
  if (isOctetStream(request)) return { form: 'user', event, encoding: 'binary', bytes };
  if (!isJson(bytes)) throw new RealtimeError('unprocessable', { errors: { payload: ['is invalid JSON'] } });
  return { form: 'object', json: toBroadcastJson(event, bytes.toString('utf8')) };
}

function readJsonBody(request: FastifyRequest): unknown {
  const bytes = readBytes(request);
  if (isOctetStream(request)) throw new RealtimeError('unsupported_type');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new RealtimeError('unprocessable', { errors: { body: ['is invalid JSON'] }, cause });
  }
}

function readBytes({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function isOctetStream({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').startsWith('application/octet-stream');
}

const BEARER = /^bearer +(.+)$/i;

/** Who sends: the Bearer token's person, else the key. @throws RealtimeError when there is neither, or it does not hold. */
async function readSender(context: RealtimeContext, { headers }: FastifyRequest): Promise<Caller> {
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

type BatchMessage = {
  readonly topic: string;
  readonly isPrivate: boolean;
  /** The event object that receivers get. */
  readonly json: string;
};

type ParsedBatch =
  | { readonly ok: true; readonly messages: readonly BatchMessage[] }
  | { readonly ok: false; readonly errors: FieldErrors };

/** `{messages: [{topic, event, payload, private}]}` (protocol note, section 3.4); topics come without `realtime:`. */
function parseBatch(body: unknown): ParsedBatch {
  const messages = (body as { messages?: unknown } | null | undefined)?.messages;
  if (messages === undefined || messages === null) return fail('messages', "can't be blank");
  if (!Array.isArray(messages)) return fail('messages', 'is invalid');
  if (messages.length === 0) return fail('messages', "can't be blank");
  const parsed = messages.map((message, index) => parseMessage(message, `messages.${index}`));
  const faults = parsed.filter((result) => !('topic' in result));
  if (faults.length > 0) return { ok: false, errors: Object.assign({}, ...faults) as FieldErrors };
  return { ok: true, messages: parsed as BatchMessage[] };
}

function parseMessage(message: unknown, path: string): BatchMessage | FieldErrors {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return { [path]: ['is invalid'] };
  const { topic, event, payload, private: isPrivate = false } = message as Record<string, unknown>;
  const errors: Record<string, string[]> = {};
  if (!isName(topic)) errors[`${path}.topic`] = [toFault(topic)];
  if (!isName(event)) errors[`${path}.event`] = [toFault(event)];
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    errors[`${path}.payload`] = [payload === undefined || payload === null ? "can't be blank" : 'is invalid'];
  if (typeof isPrivate !== 'boolean' && isPrivate !== null) errors[`${path}.private`] = ['is invalid'];
  if (!isName(topic) || !isName(event) || Object.keys(errors).length > 0) return errors;
  return { topic, isPrivate: isPrivate === true, json: toBroadcastJson(event, JSON.stringify(payload)) };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function toFault(value: unknown): string {
  return value === undefined || value === null || value === '' ? "can't be blank" : 'is invalid';
}

function fail(field: string, fault: string): ParsedBatch {
  return { ok: false, errors: { [field]: [fault] } };
}
