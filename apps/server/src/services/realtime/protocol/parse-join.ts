import type { ChangeRequest } from '../changes/change-subscriptions.ts';
import type { JoinConfig } from '../channels/channel.ts';

export type ParsedJoin =
  | { readonly ok: true; readonly config: JoinConfig }
  | { readonly ok: false; readonly reason: string };

const MAX_PRESENCE_KEY_LENGTH = 512;
/** Upstream's own bounds and defaults of replay and wait. */
const MAX_REPLAYED = 25;
const DEFAULT_WAIT_MS = 15_000;
const MAX_WAIT_MS = 60_000;
/** Each is looked at with every change of its table. */
const MAX_CHANGE_REQUESTS = 100;

/** Reads a join's payload (protocol note, section 3.2); the reason names the first place that is malformed. */
export function parseJoin(payload: unknown): ParsedJoin {
  try {
    return { ok: true, config: readConfig(readFields(payload, 'payload')) };
  } catch (error) {
    if (error instanceof JoinFault) return { ok: false, reason: error.message };
    throw error;
  }
}

function readConfig(payload: Fields): JoinConfig {
  const config = readFields(payload['config'], 'config');
  const broadcast = readFields(config['broadcast'], 'config.broadcast');
  const presence = readFields(config['presence'], 'config.presence');
  const entries = readEntries(config['postgres_changes']);
  return {
    isPrivate: readBoolean(config['private'], 'config.private', false),
    ack: readBoolean(broadcast['ack'], 'config.broadcast.ack', false),
    self: readBoolean(broadcast['self'], 'config.broadcast.self', false),
    replay: readReplay(broadcast['replay']),
    replicationReady: readBoolean(
      broadcast['replication_ready'],
      'config.broadcast.replication_ready',
      false,
    ),
    presenceKey: readPresenceKey(presence['key']),
    // Clients from before the switch existed do not send it, and expect presence to work.
    presenceEnabled: readBoolean(presence['enabled'], 'config.presence.enabled', true),
    changes: entries.map(readChange),
    changesEcho: entries.map(toEcho),
    waitMs: readWait(config['postgres_changes_options']),
    accessToken: readToken(payload),
  };
}

function readToken(payload: Fields): string | undefined {
  const token =
    readString(payload['access_token'], 'access_token') ?? readString(payload['user_token'], 'user_token');
  return token === undefined || token === '' || token.startsWith('sb_') ? undefined : token;
}

function readReplay(value: unknown): JoinConfig['replay'] {
  if (value === undefined || value === null) return undefined;
  const { since, limit } = readFields(value, 'config.broadcast.replay');
  if (
    since !== undefined &&
    since !== null &&
    (typeof since !== 'number' || !Number.isFinite(since) || since < 0)
  )
    throw new JoinFault('config.broadcast.replay.since', 'integer');
  const count = readPositiveInteger(limit, 'config.broadcast.replay.limit') ?? MAX_REPLAYED;
  return { since: typeof since === 'number' ? since : 0, limit: Math.min(count, MAX_REPLAYED) };
}

function readPresenceKey(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isName = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isName || String(value).length > MAX_PRESENCE_KEY_LENGTH)
    throw new JoinFault('config.presence.key', `string of at most ${MAX_PRESENCE_KEY_LENGTH} characters`);
  return String(value);
}

function readWait(value: unknown): number | undefined {
  const path = 'config.postgres_changes_options';
  const { wait, timeout } = readFields(value, path);
  const waitMs = readPositiveInteger(timeout, `${path}.timeout`) ?? DEFAULT_WAIT_MS;
  return readBoolean(wait, `${path}.wait`, false) ? Math.min(waitMs, MAX_WAIT_MS) : undefined;
}

function readEntries(value: unknown): Fields[] {
  if (value === undefined || value === null) return [];
  const path = 'config.postgres_changes';
  if (!Array.isArray(value)) throw new JoinFault(path, 'an array of maps');
  const present = (value as unknown[]).filter((entry) => entry !== null);
  if (present.length > MAX_CHANGE_REQUESTS)
    throw new JoinFault(path, `at most ${MAX_CHANGE_REQUESTS} entries`);
  return present.map((entry, index) => readFields(entry, `${path}.${index}`));
}

function readChange(entry: Fields, index: number): ChangeRequest {
  const path = `config.postgres_changes.${index}`;
  const table = readString(entry['table'], `${path}.table`);
  const filter = readString(entry['filter'], `${path}.filter`);
  const select = readSelect(entry['select'], `${path}.select`);
  return {
    event: readString(entry['event'], `${path}.event`) ?? '*',
    schema: readString(entry['schema'], `${path}.schema`) ?? '*',
    ...(table === undefined ? {} : { table }),
    ...(filter === undefined ? {} : { filter }),
    ...(select === undefined ? {} : { select }),
  };
}

function readSelect(value: unknown, path: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((column) => typeof column === 'string'))
    throw new JoinFault(path, 'an array of strings');
  return value as string[];
}

/** The client compares its entries with the reply key by key, and older ones tell null from absent (section 3.2). */
function toEcho(entry: Fields): string {
  const present = Object.entries(entry).filter(([key, value]) => value !== null && key !== 'id');
  return JSON.stringify(Object.fromEntries(present)).slice(1, -1);
}

/** Where a join payload is malformed. `path` is the client's own name for the place. */
class JoinFault extends Error {
  constructor(path: string, expected: string) {
    super(`InvalidJoinPayload: ${path}: unable to parse, expected ${expected}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** An absent part is an empty one. @throws JoinFault */
function readFields(value: unknown, path: string): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new JoinFault(path, 'a map');
  return value as Fields;
}

/** The service also takes the words, in any case: clients of other languages send them. @throws JoinFault */
function readBoolean(value: unknown, path: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  throw new JoinFault(path, 'boolean');
}

/** @throws JoinFault */
function readString(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new JoinFault(path, 'string');
  return value;
}

/** A whole number above zero. @throws JoinFault */
function readPositiveInteger(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw new JoinFault(path, 'integer');
  return value;
}
