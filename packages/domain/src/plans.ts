/** The three plans, cheapest first. Their order is the order of upgrading. */
export const PLAN_IDS = ['free', 'plus', 'pro'] as const;

export type PlanId = (typeof PLAN_IDS)[number];

export interface Plan {
  readonly id: PlanId;
  /** The name a person reads. */
  readonly name: string;
  /** Links a user may own; null = unlimited. */
  readonly maxLinks: number | null;
  /** Categories a user may own; null = unlimited. */
  readonly maxCategories: number | null;
  /** Whether the user may create shares, and import and export bookmark files. */
  readonly sharing: boolean;
  /** People with whom the user may share each of their folders; without sharing none. */
  readonly maxFolderMembers: number;
  /** Categories shared with the user that open; null = unlimited. */
  readonly maxReceivedShares: number | null;
  /** Cents of a US dollar. */
  readonly monthlyPriceCents: number;
  /** Cents of a US dollar. */
  readonly yearlyPriceCents: number;
  /** Megabytes of stored objects. */
  readonly storageMegabytes: number;
  /** Webhooks a user may have. */
  readonly maxWebhooks: number;
}

/** The only place where limits and prices are written; the SQL twin (`plan_limits`) is checked against it by a test. */
export const PLANS: Readonly<Record<PlanId, Plan>> = {
  free: {
    id: 'free',
    name: 'Free',
    maxLinks: 20,
    maxCategories: 5,
    sharing: false,
    maxFolderMembers: 0,
    maxReceivedShares: 1,
    monthlyPriceCents: 0,
    yearlyPriceCents: 0,
    storageMegabytes: 100,
    maxWebhooks: 1,
  },
  plus: {
    id: 'plus',
    name: 'Plus',
    maxLinks: 500,
    maxCategories: 20,
    sharing: true,
    maxFolderMembers: 3,
    maxReceivedShares: null,
    monthlyPriceCents: 199,
    yearlyPriceCents: 1990,
    storageMegabytes: 500,
    maxWebhooks: 5,
  },
  pro: {
    id: 'pro',
    name: 'Pro',
    maxLinks: null,
    maxCategories: null,
    sharing: true,
    maxFolderMembers: 100,
    maxReceivedShares: null,
    monthlyPriceCents: 399,
    yearlyPriceCents: 3990,
    storageMegabytes: 1000,
    maxWebhooks: 20,
  },
};

export const DEFAULT_PLAN: PlanId = 'free';

/** A limit of a plan that counts things. */
export type CountedLimit = 'maxLinks' | 'maxCategories';

/** The first plan that holds more than `max`; null when none does. */
export function findRoomierPlan(limit: CountedLimit, max: number): Plan | null {
  const roomier = PLAN_IDS.find((id) => (PLANS[id][limit] ?? Number.POSITIVE_INFINITY) > max);
  return roomier === undefined ? null : PLANS[roomier];
}

/** Narrows what came from outside; anything unknown is not a plan. */
export function isPlanId(value: unknown): value is PlanId {
  return typeof value === 'string' && (PLAN_IDS as readonly string[]).includes(value);
}

/** How often a subscription is charged, in the payment provider's words. */
export const BILLING_INTERVALS = ['month', 'year'] as const;

export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Narrows what came from outside. */
export function isBillingInterval(value: unknown): value is BillingInterval {
  return value === 'month' || value === 'year';
}
