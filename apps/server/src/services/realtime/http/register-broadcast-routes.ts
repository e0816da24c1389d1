import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../../kernel/caller.ts';
import { type BroadcastContent, BroadcastMessage, toBroadcastJson } from '../broadcast/broadcast-message.ts';
import { isJson } from '../broadcast/is-json.ts';
import { publishBroadcast } from '../broadcast/publish-broadcast.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { type BatchMessage, parseBatch } from './parse-batch.ts';
import { readSender } from './read-sender.ts';
import { RealtimeError } from './realtime-error.ts';

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
