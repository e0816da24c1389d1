import { itemOf } from '../billing/keep-subscription.ts';
import { idOf } from '../ledger/id-of.ts';
import type { Ledger } from '../ledger/ledger.ts';

export type ControlState = {
  /** What the emulator's clock says; seconds since 1970. */
  readonly now: number;
  readonly webhooks: { readonly held: boolean; readonly pending: number; readonly givenUp: number };
  readonly dunning: 'canceled' | 'unpaid';
  readonly subscriptions: readonly SubscriptionState[];
  readonly disputes: readonly { readonly id: string; readonly status: string }[];
};

export type SubscriptionState = {
  readonly id: string;
  readonly customer: string;
  readonly email: string | null;
  readonly price: string;
  readonly status: string;
  readonly currentPeriodEnd: number;
  readonly cancelAt: number | null;
};

const MAX_SHOWN = 100;

/** How everything stands, for the control page and for tests. */
export async function readState(ledger: Ledger): Promise<ControlState> {
  const settings = await ledger.require('emulator.settings', 'emulator_settings');
  const count = async (status: string) =>
    (await ledger.list('emulator.delivery', { match: { status }, limit: 1000 })).length;
  const subscriptions: SubscriptionState[] = [];
  for (const subscription of await ledger.list('subscription', { limit: MAX_SHOWN })) {
    const { id, status, cancel_at: cancelAt } = subscription;
    const item = itemOf(subscription);
    const customer = idOf(subscription.customer) ?? '';
    const email = (await ledger.find('customer', customer))?.email ?? null;
    subscriptions.push({
      id,
      customer,
      email,
      price: item.price.id,
      status,
      currentPeriodEnd: item.current_period_end,
      cancelAt,
    });
  }
  return {
    now: Math.floor(ledger.time),
    webhooks: { held: settings.isHeld, pending: await count('pending'), givenUp: await count('given_up') },
    dunning: settings.afterDunning,
    subscriptions,
    disputes: (await ledger.list('dispute', { limit: MAX_SHOWN })).map(({ id, status }) => ({ id, status })),
  };
}
