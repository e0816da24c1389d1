import type { Logger } from 'pino';
import type { Caller } from '../../../kernel/caller-context.ts';
import type { Channel } from './channel.ts';
import type { Topics } from './create-topics.ts';

/** Ends channels when the session of their token does, or its account is closed, banned or deleted: whoever did it, on any copy. */
export type SessionWatch = {
  /** Whether a token may act. Those that ask at the same time ask the database once; rejects when it cannot be asked. */
  isOpen(caller: Caller): boolean | Promise<boolean>;
  /** A channel has joined or got a new token. */
  watch(channel: Channel): void;
  stop(): void;
};

export type SessionWatchDeps = {
  readonly topics: Pick<Topics, 'channels'>;
  /** Those of the callers whose tokens may not act any more. */
  readonly listEnded: (callers: readonly Caller[]) => Promise<ReadonlySet<Caller>>;
  readonly logger: Pick<Logger, 'warn'>;
};

/** With the time that the answer takes, an end is seen well within a second. A timer of the process: no clock can set it back. */
const LOOK_EVERY_MS = 400;

/**
 * Asks the database some two times a second about those who listen here, once for each token, and not at all while nobody does. Asking misses
 * nothing: no notification that a lost connection could swallow, no other copy that would have to tell.
 */
export function createSessionWatch({ topics, listEnded, logger }: SessionWatchDeps): SessionWatch {
  let timer: NodeJS.Timeout | undefined;
  let isWatching = false;
  let couldAsk = true;
  /** Who waits for the next question. */
  let next: Map<Caller, PromiseWithResolvers<boolean>> | undefined;

  async function look(): Promise<void> {
    const watched = new Set<Caller>();
    for (const { token } of topics.channels()) if (isPerson(token.caller)) watched.add(token.caller);
    isWatching = watched.size > 0;
    if (!isWatching) return;
    try {
      const ended = await listEnded([...watched]);
      couldAsk = true;
      for (const channel of [...topics.channels()])
        if (ended.has(channel.token.caller)) channel.shutDown('Session has ended');
    } catch (err) {
      // Said once an outage; who listens goes on listening until somebody can say.
      if (couldAsk) logger.warn({ err }, 'the sessions of those who listen could not be looked at');
      couldAsk = false;
    }
    lookLater();
  }

  function lookLater(): void {
    if (isWatching) timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  }

  /** One question at a time: who comes meanwhile is in the next. */
  async function askInRounds(): Promise<void> {
    while (next !== undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      const round = next;
      next = new Map();
      try {
        const ended = await listEnded([...round.keys()]);
        for (const [caller, { resolve }] of round) resolve(!ended.has(caller));
      } catch (error) {
        for (const { reject } of round.values()) reject(error);
      }
      if (next.size === 0) next = undefined;
    }
  }

  return {
    isOpen(caller) {
      if (!isPerson(caller)) return true;
      const isAsking = next !== undefined;
      next ??= new Map();
      const waiting = next.get(caller) ?? Promise.withResolvers<boolean>();
      next.set(caller, waiting);
      if (!isAsking) void askInRounds();
      return waiting.promise;
    },
    watch({ token }) {
      if (isWatching || !isPerson(token.caller)) return;
      isWatching = true;
      lookLater();
    },
    stop() {
      isWatching = false;
      clearTimeout(timer);
    },
  };
}

/** Keys of the installation have no session and no account. */
function isPerson({ role }: Caller): boolean {
  return role === 'authenticated';
}

export type SessionFault = { readonly code: string; readonly message: string };

const ENDED: SessionFault = { code: 'Unauthorized', message: 'Session has ended' };
const UNKNOWN: SessionFault = {
  code: 'UnableToConnectToProject',
  message: 'Realtime was unable to connect to the project database',
};

/** Why a token that has not expired may not act all the same; undefined when it may. Nobody enters while nobody can say. */
export function readSessionFault(
  {
    sessions,
    logger,
  }: { readonly sessions: Pick<SessionWatch, 'isOpen'>; readonly logger: Pick<Logger, 'warn'> },
  caller: Caller,
): SessionFault | undefined | Promise<SessionFault | undefined> {
  const open = sessions.isOpen(caller);
  if (typeof open === 'boolean') return open ? undefined : ENDED;
  return open.then(
    (isOpen) => (isOpen ? undefined : ENDED),
    (error: unknown) => {
      logger.warn({ err: error }, 'a session could not be looked at');
      return UNKNOWN;
    },
  );
}
