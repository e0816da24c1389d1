import fc from 'fast-check';
import type { StripeModel } from '../../functions/_shared/test-support/create-stripe-model.ts';
import { DAY, PRICE_SETTINGS, T0 } from '../../functions/_shared/test-support/make-subscription.ts';
import type { EventFields } from '../../functions/_shared/test-support/sign-event.ts';

/** What can happen to a customer, in the provider's words. */
export type Happening =
  | { readonly kind: 'subscribe'; readonly plan: 'plus' | 'pro'; readonly interval: 'month' | 'year' }
  | { readonly kind: 'change'; readonly plan: 'plus' | 'pro'; readonly interval: 'month' | 'year' }
  | { readonly kind: 'renew' | 'fail' | 'give_up' | 'cancel_at_end' | 'resume' | 'end' | 'cancel_now' }
  | { readonly kind: 'refund' | 'refund_part' | 'dispute' | 'lose_dispute' | 'delete_customer' };

const plan = fc.constantFrom('plus' as const, 'pro' as const);
const interval = fc.constantFrom('month' as const, 'year' as const);

/** A history of a customer, which begins with a purchase. */
export const histories: fc.Arbitrary<readonly Happening[]> = fc
  .tuple(
    fc.record({ kind: fc.constant('subscribe' as const), plan, interval }),
    fc.array(
      fc.oneof(
        fc.record({ kind: fc.constantFrom('subscribe' as const, 'change' as const), plan, interval }),
        fc.record({
          kind: fc.constantFrom('renew', 'fail', 'give_up', 'cancel_at_end', 'resume', 'end', 'cancel_now'),
        }),
        fc.record({ kind: fc.constantFrom('refund', 'refund_part', 'dispute', 'lose_dispute') }),
        { weight: 1, arbitrary: fc.constant({ kind: 'delete_customer' as const }) },
      ) as fc.Arbitrary<Happening>,
      { maxLength: 6 },
    ),
  )
  .map(([first, rest]) => [first, ...rest]);

export type Teller = {
  /** Lets it happen. @returns the events that the provider will send about it. */
  happen(happening: Happening): readonly EventFields[];
};

/** Plays histories of one customer on a model of the provider. @param prefix keeps the ids of several histories apart. */
export function playHistory(model: StripeModel, customer: string, prefix: string): Teller {
  let [subscriptions, events, terms] = [0, 0, 0];
  let isDeleted = false;
  let current = '';
  let charge = '';

  const tell = (type: string, object: object): EventFields => {
    events += 1;
    return { id: `evt_${prefix}_${events}`, type, object: { customer, ...object } };
  };
  const about = (change: string) => tell(`customer.subscription.${change}`, { object: 'subscription' });
  const pay = () => {
    charge = model.charge(current, startOf(terms));
    return tell('invoice.paid', { object: 'invoice' });
  };
  const startOf = (term: number) => T0 + term * 30 * DAY;
  const term = () => ({ start: startOf(terms), end: startOf(terms + 1) });
  const isOver = () => model.find(current)?.status === 'canceled';
  const end = (reason: string, endedAt: number) =>
    model.update(current, { status: 'canceled', endedAt, reason });

  function happen(happening: Happening): readonly EventFields[] {
    if (isDeleted) return [];
    if (happening.kind === 'subscribe') return subscribe(PRICE_SETTINGS[happening.plan][happening.interval]);
    if (happening.kind === 'delete_customer') {
      isDeleted = true;
      model.deleteCustomer(customer);
      return [about('deleted'), tell('customer.deleted', { object: 'customer', id: customer })];
    }
    return isOver() ? moneyBack(happening) : [...changeTerms(happening), ...moneyBack(happening)];
  }

  function subscribe(priceId: string) {
    subscriptions += 1;
    current = `sub_${prefix}_${subscriptions}`;
    model.addSubscription({ id: current, customer, priceId, created: startOf(terms), ...term() });
    return [about('created'), pay(), tell('checkout.session.completed', { object: 'checkout.session' })];
  }

  function changeTerms(happening: Happening): readonly EventFields[] {
    if (happening.kind === 'change') {
      model.update(current, { priceId: PRICE_SETTINGS[happening.plan][happening.interval] });
      return [about('updated')];
    }
    if (happening.kind === 'renew' || happening.kind === 'fail') {
      terms += 1;
      model.update(current, { status: happening.kind === 'renew' ? 'active' : 'past_due', ...term() });
      const paid = happening.kind === 'renew' ? pay() : tell('invoice.payment_failed', { object: 'invoice' });
      return [about('updated'), paid];
    }
    if (happening.kind === 'cancel_at_end' || happening.kind === 'resume') {
      model.update(current, { cancelAtPeriodEnd: happening.kind === 'cancel_at_end' });
      return [about('updated')];
    }
    if (happening.kind === 'give_up') end('payment_failed', startOf(terms) + 14 * DAY);
    else if (happening.kind === 'end') end('cancellation_requested', startOf(terms + 1));
    else if (happening.kind === 'cancel_now') end('cancellation_requested', startOf(terms) + DAY);
    else return [];
    return [about('deleted')];
  }

  function moneyBack({ kind }: Happening): readonly EventFields[] {
    if (kind === 'refund' || kind === 'refund_part') {
      model.refund(charge, kind === 'refund' ? 199 : 50);
      return [tell('charge.refunded', { object: 'charge', id: charge })];
    }
    if (kind !== 'dispute' && kind !== 'lose_dispute') return [];
    model.dispute(charge, kind === 'dispute' ? 'needs_response' : 'lost');
    const type = kind === 'dispute' ? 'charge.dispute.created' : 'charge.dispute.closed';
    return [tell(type, { object: 'dispute', customer: null, charge })];
  }

  return { happen };
}
