import type { Caller } from '../../kernel/caller-context.ts';
import { createCallLimits } from '../../library/call-limits.ts';
import { RequestRefusal } from './request-refusal.ts';

/** Messages a minute of one program for one person, and of all programs of a person: an assistant that sorts a library stays below. */
export const MESSAGES_PER_MINUTE = { program: 240, person: 600 } as const;

/** Counts messages that arrived together. @throws RequestRefusal too_many */
export type CountMessages = (caller: Caller, messages: number) => Promise<void>;

/** Counts in this process's memory: several copies of the server each count for themselves (decision 0009). */
export function createMessageLimits(): CountMessages {
  const count = createCallLimits(MESSAGES_PER_MINUTE);
  return async (caller, messages) => {
    const retryAfter = await count(caller, messages);
    if (retryAfter !== undefined) throw new RequestRefusal('too_many', { retryAfter });
  };
}
