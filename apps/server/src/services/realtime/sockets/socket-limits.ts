/** What one client may cost. Tests narrow them; `docs/decisions/0009-rate-limits.md` has the most important ones. */
export type SocketLimits = {
  /** Open sockets in this process. */
  readonly sockets: number;
  /** Of these, from one address (IPv6: one /64). */
  readonly socketsPerNetwork: number;
  readonly socketsPerPerson: number;
  /** Sockets on which nobody has signed in. */
  readonly visitors: number;
  /** When there is no room left, such a socket that is older makes some. */
  readonly visitorMs: number;
  readonly channelsPerSocket: number;
  /** Joins of one socket: so many at once, so many more a second. */
  readonly joins: { readonly atOnce: number; readonly perSecond: number };
  /** Messages of one socket, heartbeats not counted. */
  readonly messages: { readonly atOnce: number; readonly perSecond: number };
  /** Bytes of one broadcast's payload. */
  readonly broadcastBytes: number;
  /** Bytes of what one client says of itself in a presence. */
  readonly presenceBytes: number;
  readonly trackCalls: { readonly calls: number; readonly milliseconds: number };
  /** How long after a subscription to changes that failed it is tried again. */
  readonly changesRetryMs: number;
  /** A client from which nothing was received for so long is gone; the official ones send a heartbeat every 25 to 30 s. */
  readonly silenceMs: number;
  /** With more unsent bytes a client must go on taking some, or is cut off after `backlogMs`. */
  readonly backlogBytes: number;
  readonly backlogMs: number;
  /** With so many unsent bytes a client is cut off, however fast it reads. */
  readonly maxBacklogBytes: number;
  /** A backlog that did not move at all for so long means that nobody reads. */
  readonly stallMs: number;
  /** How often silence and backlogs are looked at. */
  readonly sweepMs: number;
};

export const SOCKET_LIMITS: SocketLimits = {
  sockets: 10_000,
  socketsPerNetwork: 2_500,
  socketsPerPerson: 100,
  visitors: 5_000,
  visitorMs: 10_000,
  channelsPerSocket: 100,
  joins: { atOnce: 200, perSecond: 50 },
  messages: { atOnce: 2_000, perSecond: 500 },
  broadcastBytes: 3_000_000,
  presenceBytes: 65_536,
  trackCalls: { calls: 5, milliseconds: 30_000 },
  changesRetryMs: 5_000,
  silenceMs: 60_000,
  backlogBytes: 16_000_000,
  backlogMs: 5_000,
  maxBacklogBytes: 128_000_000,
  stallMs: 20_000,
  sweepMs: 5_000,
};

/** Plain numbers, counted on the way and read when somebody asks for the metrics. */
export type SocketCounters = {
  messagesSent: number;
  messagesReceived: number;
  malformed: number;
  refusedHandshakes: number;
  readonly cutOff: Record<'backlog' | 'stall' | 'silence' | 'crowd', number>;
};

export function createSocketCounters(): SocketCounters {
  return {
    messagesSent: 0,
    messagesReceived: 0,
    malformed: 0,
    refusedHandshakes: 0,
    cutOff: { backlog: 0, stall: 0, silence: 0, crowd: 0 },
  };
}
