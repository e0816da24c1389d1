import { formatNumber } from '../formats.ts';
import { LIMIT_BANNER_REMAINING } from '../limits.ts';
import { type CountedLimit, findRoomierPlan, PLAN_IDS, PLANS, type Plan } from '../plans.ts';

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
  if (plan === null || plan.sharing) return null;
  const first = PLAN_IDS.find((id) => PLANS[id].sharing);
  return first === undefined ? null : `Disponível no ${PLANS[first].name}`;
}

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
