import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../kernel/caller-context.ts';
import { networkOf } from '../../kernel/networks.ts';
import type { FunctionCall, FunctionDefinition } from './function-definition.ts';
import { FunctionsError } from './functions-error.ts';

/** Who calls, and from where. */
export type CallOrigin = { readonly caller: Caller; readonly ip: string };

/** Runs a call when its caller may make it and there is room for it. @throws FunctionsError */
export type Admit = (origin: CallOrigin, call: FunctionCall, run: () => Promise<void>) => Promise<void>;

const SECONDS_UNTIL_THERE_IS_ROOM = 2;
/** A body that takes longer counts as one that is made while the function reads it. */
const BODY_COMES_WITHIN_MS = 1_000;
/** Of a function's places, for calls whose body is still on its way. */
const STREAMING_SHARE = 1 / 4;

/**
 * A call takes its place when its body has arrived: an unfinished one costs its sender's connection and nobody's turn. What is
 * sent on and on, or is too large to be held, has places of its own. Counts in this process's memory: several copies of the
 * server each count for themselves (decision 0009).
 */
export function createAdmission({ limit, room }: FunctionDefinition): Admit {
  const limiter = limit && new RateLimiterMemory({ points: limit.calls, duration: limit.seconds });
  const places = createPlaces(room, refuseForRoom);
  const streaming = createPlaces(
    { atOnce: Math.max(1, Math.floor(room.atOnce * STREAMING_SHARE)), waiting: 0 },
    refuseForRoom,
  );

  return async ({ caller, ip }, call, run) => {
    try {
      const { sub } = caller.claims;
      // API keys belong to the operator, not to a person.
      if (typeof sub === 'string') await limiter?.consume(sub).catch(refuseForLimit);
      const leave = await findPlace(places, streaming, nameHolder(caller, ip), call);
      await run().finally(leave);
    } catch (error) {
      call.body?.discard();
      throw error;
    }
  };
}

async function findPlace(
  places: Places,
  streaming: Places,
  holder: string | undefined,
  { body, signal }: FunctionCall,
): Promise<() => void> {
  if (body && !(await body.arrives(signal, BODY_COMES_WITHIN_MS))) {
    const leave = streaming.tryEnter(holder);
    if (leave) return leave;
    if (!(await body.arrives(signal))) throw refuseForRoom();
  }
  return await places.enter(holder);
}

/** A person wherever they are, the operator's key without a share, visitors by their network. */
function nameHolder({ role, claims }: Caller, ip: string): string | undefined {
  if (typeof claims['sub'] === 'string') return `person ${claims['sub']}`;
  return role === 'service_role' ? undefined : `network ${networkOf(ip)}`;
}

function refuseForRoom(): FunctionsError {
  return new FunctionsError('busy', { retryAfter: SECONDS_UNTIL_THERE_IS_ROOM });
}

function refuseForLimit(refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  throw new FunctionsError('too_many', { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
}

type Places = {
  /**
   * Takes a place when there is one; the result, called once, gives it back.
   * @param holder who takes it; undefined for the operator, who has no share.
   * @throws what `refuse` makes when the queue is full, or the holder's part of it.
   */
  enter(holder: string | undefined): Promise<() => void>;
  /** As `enter`, without waiting: undefined when there is no place now. */
  tryEnter(holder: string | undefined): (() => void) | undefined;
};

type Waiting = { readonly holder: string | undefined; readonly go: () => void };

/**
 * Lets `atOnce` calls run and `waiting` more queue up behind them, in the order they came. Nobody holds more than half of
 * either, so one caller alone never shuts the others out.
 */
function createPlaces(
  { atOnce, waiting }: { readonly atOnce: number; readonly waiting: number },
  refuse: () => Error,
): Places {
  const most = { running: Math.max(1, Math.floor(atOnce / 2)), waiting: Math.ceil(waiting / 2) };
  const running = new Map<string, number>();
  const queue: Waiting[] = [];
  let free = atOnce;

  const mayRun = (holder: string | undefined) =>
    free > 0 && (holder === undefined || (running.get(holder) ?? 0) < most.running);

  function take(holder: string | undefined): () => void {
    free -= 1;
    if (holder !== undefined) running.set(holder, (running.get(holder) ?? 0) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      free += 1;
      if (holder !== undefined) giveBack(holder);
      const next = queue.findIndex((call) => mayRun(call.holder));
      if (next !== -1) queue.splice(next, 1)[0]?.go();
    };
  }

  function giveBack(holder: string): void {
    const left = (running.get(holder) ?? 1) - 1;
    if (left > 0) running.set(holder, left);
    else running.delete(holder);
  }

  const tryEnter = (holder: string | undefined) => (mayRun(holder) ? take(holder) : undefined);

  return {
    tryEnter,
    async enter(holder) {
      const entered = tryEnter(holder);
      if (entered) return entered;
      const own = holder === undefined ? 0 : queue.filter((call) => call.holder === holder).length;
      if (queue.length >= waiting || own >= most.waiting) throw refuse();
      // Taken in the moment it becomes free, so a newcomer cannot overtake.
      return await new Promise((resolve) => queue.push({ holder, go: () => resolve(take(holder)) }));
    },
  };
}
