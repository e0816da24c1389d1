import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../kernel/caller.ts';
import { createGate, type Gate } from '../../kernel/create-gate.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { FunctionsError } from './functions-error.ts';

/** Runs a call when its caller may make it and there is room for it. @throws FunctionsError */
export type Admit = <T>(caller: Caller, call: () => Promise<T>) => Promise<T>;

const SECONDS_UNTIL_THERE_IS_ROOM = 2;

/** Counts in this process's memory: several copies of the server each count for themselves (decision 0009). */
export function createAdmission({ limit, room }: FunctionDefinition): Admit {
  const limiter = limit && new RateLimiterMemory({ points: limit.calls, duration: limit.seconds });
  const gate: Gate = room
    ? createGate(room.atOnce, room.waiting, refuseForRoom)
    : async (call) => await call();

  return async (caller, call) => {
    const { sub } = caller.claims;
    // API keys belong to the operator, not to a person.
    if (typeof sub === 'string') await limiter?.consume(sub).catch(refuseForLimit);
    return await gate(call);
  };
}

function refuseForRoom(): FunctionsError {
  return new FunctionsError('busy', { retryAfter: SECONDS_UNTIL_THERE_IS_ROOM });
}

function refuseForLimit(refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  throw new FunctionsError('too_many', { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
}
