import { formatCount, formatNumber } from '../formats.ts';
import { LIMIT_BANNER_REMAINING } from '../limits.ts';
import { type CountedLimit, PLANS, type Plan } from '../plans.ts';

export interface Notice {
  readonly title: string;
  readonly description: string;
}

/** Texts of section 8, 'Plan and payment', to the letter; those of paying are in billing-messages.ts. */
export const PLAN_MESSAGES = {
  bannerAdvice: 'Faça upgrade do seu plano para adicionar mais links.',
  seePlans: 'Ver planos',
  upgrade: 'Upgrade',
  subscriptionLoadFailed: 'Não foi possível carregar informações da assinatura',
} as const;

/** What a person reads when a link does not fit their plan any more. */
export function describeLinkLimit(max: number): Notice {
  return {
    title: `Limite de ${formatNumber(max)} links atingido`,
    description: 'Atualize seu plano para adicionar mais links',
  };
}

/** As describeLinkLimit, for categories; the specification fixes the figure but not the words. */
export function describeCategoryLimit(max: number): Notice {
  return {
    title: `Limite de ${formatNumber(max)} categorias atingido`,
    description: 'Atualize seu plano para adicionar mais categorias',
  };
}

/**
 * 'Disponível no Plus', said on a control before it is pressed where the plan does not share; null where it does, or is not
 * known: the database has the last word.
 */
export function describeSharingLock(plan: Plan | null): string | null {
  return plan === null || plan.sharing ? null : describeFirstPlan(({ sharing }) => sharing);
}

/** The same on a received category that the plan does not open. */
export function describeReceivedLock(): string | null {
  return describeFirstPlan(({ maxReceivedShares }) => maxReceivedShares === null);
}

function describeFirstPlan(has: (plan: Plan) => boolean): string | null {
  const first = Object.values(PLANS).find(has);
  return first ? `Disponível no ${first.name}` : null;
}

/** How much there is and may be; max null is unlimited. */
export interface Allowance {
  readonly used: number;
  readonly max: number | null;
}

const COUNTED_WORDS = { maxLinks: ['link', 'links'], maxCategories: ['categoria', 'categorias'] } as const;

/**
 * '20 de 20 links', said on a control before it is pressed where the plan has no room for one more; null where it has, or where
 * that is not known: the database has the last word.
 * @param wanted how many more there would be.
 */
export function describeFullPlan(
  limit: CountedLimit,
  allowance: Allowance | null,
  wanted = 1,
): string | null {
  if (allowance === null || allowance.max === null || wanted === 0) return null;
  if (allowance.used + wanted <= allowance.max) return null;
  return describeUse(limit, allowance.used, allowance.max);
}

/** '19 de 20 links' */
export function describeUse(limit: CountedLimit, used: number, max: number): string {
  const [singular, plural] = COUNTED_WORDS[limit];
  return `${formatNumber(used)} de ${formatCount(max, singular, plural)}`;
}

/**
 * First line of the limit banner, or null while it stays hidden: unlimited plans never see it, the others see it
 * while 0 to 2 links remain. After a downgrade more may be used than allowed; that reads as 'reached'.
 */
export function describeRemainingLinks(used: number, max: number | null): string | null {
  if (max === null) return null;
  const remaining = max - used;
  if (remaining > LIMIT_BANNER_REMAINING) return null;
  const limit = formatNumber(max);
  if (remaining <= 0) return `Você atingiu o limite de ${limit} links.`;
  if (remaining === 1) return `Apenas 1 link restante do seu limite de ${limit}.`;
  return `Apenas ${remaining} links restantes do seu limite de ${limit}.`;
}

/** Percent of the limit used, 0 to 100; null when unlimited. */
export function usagePercent(used: number, max: number | null): number | null {
  if (max === null) return null;
  if (max <= 0) return 100;
  return Math.min(100, Math.max(0, Math.round((used / max) * 100)));
}
