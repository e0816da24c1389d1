import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../kernel/caller-context.ts';

/** Calls a minute of one program for one person, and of all programs of a person. */
export type CallLimits = { readonly program: number; readonly person: number };

/**
 * Counts calls that arrived together.
 * @returns undefined where they may go on, else the seconds after which it is worth trying again
 */
export type CountCalls = (caller: Caller, calls: number) => Promise<number | undefined>;

/** Counts in this process's memory: several copies of the server each count for themselves (decision 0009). */
export function createCallLimits(limits: CallLimits): CountCalls {
  const programs = new RateLimiterMemory({ points: limits.program, duration: 60 });
  const people = new RateLimiterMemory({ points: limits.person, duration: 60 });
  return async ({ claims }, calls) => {
    const person = String(claims['sub']);
    // A token that a person made is a program of its own.
    const program = String(claims['client_id'] ?? claims['session_id'] ?? '');
    try {
      await programs.consume(`${person} ${program}`, calls);
      await people.consume(person, calls);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    }
  };
}
