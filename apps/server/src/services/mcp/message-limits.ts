import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../kernel/caller-context.ts';
import { RequestRefusal } from './request-refusal.ts';

/** Messages a minute of one program for one person, and of all programs of a person: an assistant that sorts a library stays below. */
export const MESSAGES_PER_MINUTE = { program: 240, person: 600 } as const;

/** Counts messages that arrived together. @throws RequestRefusal too_many */
export type CountMessages = (caller: Caller, messages: number) => Promise<void>;

/** Counts in this process's memory: several copies of the server each count for themselves (decision 0009). */
export function createMessageLimits(): CountMessages {
  const programs = new RateLimiterMemory({ points: MESSAGES_PER_MINUTE.program, duration: 60 });
  const people = new RateLimiterMemory({ points: MESSAGES_PER_MINUTE.person, duration: 60 });
  return async ({ claims }, messages) => {
    const person = String(claims['sub']);
    // A token that a person made is a program of its own.
    const program = String(claims['client_id'] ?? claims['session_id'] ?? '');
    try {
      await programs.consume(`${person} ${program}`, messages);
      await people.consume(person, messages);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new RequestRefusal('too_many', {
        retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
      });
    }
  };
}
