import { findObject } from '../api/find-object.ts';
import { invalidParameter } from '../api/stripe-failure.ts';
import { addInterval } from '../billing/add-interval.ts';
import { findPaidCharge, refundCharge } from '../billing/charges.ts';
import { deleteCustomer, isDeleted } from '../billing/customers.ts';
import { closeDispute, openDispute } from '../billing/disputes.ts';
import { belongingTo } from '../billing/subscriptions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Charge } from '../ledger/object-kinds.ts';
import type { ObjectStore } from '../object-store.ts';

export type ControlDeps = {
  readonly objectStore: ObjectStore;
  readonly moveClock: (to: number) => Promise<void>;
  /** Sends events now, in the order given; answers how many were taken. */
  readonly sendNow: (events: readonly string[]) => Promise<number>;
};

export type ControlFields = Readonly<Record<string, string | undefined>>;
type Action = (deps: ControlDeps, fields: ControlFields) => Promise<object>;

/** What the control page and its JSON endpoints can do, by the last part of the address. */
export const CONTROL_ACTIONS: Readonly<Record<string, Action>> = {
  advance,
  webhooks: async ({ objectStore }, { held }) =>
    objectStore.change(async (ledger) => {
      const settings = await ledger.require('emulator.settings', 'emulator_settings');
      settings.isHeld = held === 'true';
      return { held: settings.isHeld };
    }),
  dunning: async ({ objectStore }, { after }) =>
    objectStore.change(async (ledger) => {
      if (after !== 'canceled' && after !== 'unpaid') throw invalidParameter('after', 'canceled or unpaid');
      (await ledger.require('emulator.settings', 'emulator_settings')).afterDunning = after;
      return { after };
    }),
  deliver,
  refund: async ({ objectStore }, { subscription, amount }) =>
    objectStore.change(async (ledger) => {
      const charge = await findLastCharge(ledger, subscription);
      const left = charge.amount - charge.amount_refunded;
      const wanted = amount ? Number(amount) : left;
      if (!Number.isInteger(wanted) || wanted < 1 || wanted > left)
        throw invalidParameter('amount', `An amount from 1 to ${left}.`);
      return refundCharge(ledger, charge, { amount: wanted, reason: 'requested_by_customer' });
    }),
  dispute: async ({ objectStore }, { subscription }) =>
    objectStore.change(async (ledger) => openDispute(ledger, await findLastCharge(ledger, subscription))),
  'close-dispute': async ({ objectStore }, { dispute: id, status }) =>
    objectStore.change(async (ledger) => {
      if (status !== 'won' && status !== 'lost') throw invalidParameter('status', 'won or lost');
      const dispute = await findObject(ledger, 'dispute', id);
      await closeDispute(ledger, dispute, status);
      return dispute;
    }),
  'delete-customer': async ({ objectStore }, { customer: id }) =>
    objectStore.change(async (ledger) => {
      const customer = await findObject(ledger, 'customer', id);
      if (!isDeleted(customer)) await deleteCustomer(ledger, customer);
      return { id: customer.id, deleted: true };
    }),
};

const DAY_SECONDS = 86_400;

/** `days`, `months`, `seconds`, or `to`: a moment (seconds since 1970) or `next`, the next time something is due. */
async function advance({ objectStore, moveClock }: ControlDeps, fields: ControlFields): Promise<object> {
  const { next, now } = await objectStore.findNextDue(['subscription', 'invoice']);
  const time = Math.floor(now / 1000);
  const to = findTarget(fields, time, next);
  if (!Number.isFinite(to) || to < time) throw invalidParameter('to', 'The clock only goes forward.');
  await moveClock(to);
  return { now: to };
}

function findTarget({ days, months, seconds, to }: ControlFields, time: number, next: number | null): number {
  if (to === 'next') return next === null ? time : Math.max(time, Math.ceil(next / 1000));
  if (to !== undefined) return Number(to);
  if (months !== undefined) return addInterval(time, 'month', Number(months));
  return time + Number(days ?? 0) * DAY_SECONDS + Number(seconds ?? 0);
}

/** `event`: one event; without it everything that waits. `order=reverse`: newest first. `times`: how often each. */
async function deliver({ objectStore, sendNow }: ControlDeps, fields: ControlFields): Promise<object> {
  const times = Number(fields['times'] ?? 1);
  if (!Number.isInteger(times) || times < 1 || times > 10) throw invalidParameter('times', 'From 1 to 10.');
  const events = await objectStore.read(async (ledger) => {
    if (fields['event'] !== undefined) return [(await findObject(ledger, 'event', fields['event'])).id];
    const waiting = await ledger.list('emulator.delivery', { match: { status: 'pending' } });
    const oldestFirst = waiting.reverse().map(({ event }) => event);
    return fields['order'] === 'reverse' ? oldestFirst.reverse() : oldestFirst;
  });
  const taken = await sendNow(events.flatMap((event) => Array.from({ length: times }, () => event)));
  return { sent: events.length * times, taken };
}

async function findLastCharge(ledger: Ledger, subscriptionId: string | undefined): Promise<Charge> {
  const subscription = await findObject(ledger, 'subscription', subscriptionId, 'subscription');
  for (const invoice of await ledger.list('invoice', {
    match: { status: 'paid', ...belongingTo(subscription) },
  })) {
    const charge = await findPaidCharge(ledger, invoice);
    if (charge) return charge;
  }
  throw invalidParameter('subscription', 'Nothing has been paid for this subscription.');
}
