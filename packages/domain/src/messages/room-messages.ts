import { formatNumber } from '../formats.ts';
import { LIMIT_BANNER_REMAINING } from '../limits.ts';
import { type CountedLimit, findRoomierPlan } from '../plans.ts';
import { type Allowance, describeUse } from './plan-messages.ts';

/** What is said of a form that found no room, by what it adds. */
export const KEPT_WORDS = {
  'add-link': 'Seu link está guardado.',
  'paste-links': 'Sua lista está guardada.',
  category: 'Sua categoria está guardada.',
} as const;

/** 'O Plus leva 500.', what the next plan holds; null where no plan holds more. */
export function describeRoomierPlan(limit: CountedLimit, max: number): string | null {
  const plan = findRoomierPlan(limit, max);
  if (plan === null) return null;
  const room = plan[limit];
  return room === null ? `O ${plan.name} não tem limite.` : `O ${plan.name} leva ${formatNumber(room)}.`;
}

/**
 * '20 de 20 links. O Plus leva 500.', said in a form before anything is typed; with one or two left what is used alone, and nothing
 * while there is more room.
 */
export function describeRoomLeft(limit: CountedLimit, allowance: Allowance | null): string | null {
  if (allowance === null || allowance.max === null) return null;
  const { used, max } = allowance;
  if (max - used > LIMIT_BANNER_REMAINING) return null;
  const use = `${describeUse(limit, used, max)}.`;
  const roomier = used < max ? null : describeRoomierPlan(limit, max);
  return roomier === null ? use : `${use} ${roomier}`;
}
