import { Stripe } from 'stripe';
import type { EmulatorOptions } from '../emulator-options.ts';
import type { Delivery, EmulatorEvent } from '../ledger/object-kinds.ts';
import type { ObjectStore } from '../object-store.ts';

export type DelivererDeps = Pick<
  EmulatorOptions,
  'webhookUrl' | 'webhookSecret' | 'fetch' | 'now' | 'logger'
> & {
  readonly objectStore: ObjectStore;
};

/** A receiver that takes longer has not received. */
const PATIENCE_MS = 20_000;
/** While a delivery is leased nobody else makes it: longer than the patience, so that only a dead copy loses its lease. */
const LEASE_MS = 60_000;
const AT_ONCE = 4;

type Taken = { readonly id: string; readonly event: EmulatorEvent };

/**
 * Delivers what is due: several events side by side, each by one copy of the server at a time, again and again until the
 * receiver says yes or three days are over. An event may arrive twice, never not at all.
 * @returns how many were tried.
 */
export async function deliverEvents(deps: DelivererDeps): Promise<number> {
  const url = deps.webhookUrl();
  if (url === undefined) return 0;
  const taken = await takeDue(deps);
  await Promise.all(
    taken.map(async ({ id, event }) => {
      const failure = await sendEvent(deps, url, event);
      await record(deps, id, failure);
    }),
  );
  return taken.length;
}

async function takeDue({ objectStore, now }: DelivererDeps): Promise<Taken[]> {
  const { now: clock } = await objectStore.findNextDue(['emulator.delivery']);
  const due = await objectStore.listDue('emulator.delivery', clock, AT_ONCE * 4);
  if (due.length === 0) return [];
  return objectStore.change(async (ledger) => {
    const settings = await ledger.require('emulator.settings', 'emulator_settings');
    if (settings.isHeld) return [];
    const taken: Taken[] = [];
    for (const id of due) {
      const delivery = await ledger.find('emulator.delivery', id);
      const isFree = delivery?.status === 'pending' && delivery.leasedUntil <= now().getTime();
      if (!isFree || taken.length === AT_ONCE) continue;
      delivery.leasedUntil = now().getTime() + LEASE_MS;
      delivery.attempts += 1;
      ledger.save('emulator.delivery', delivery);
      taken.push({ id, event: await ledger.require('event', delivery.event) });
    }
    return taken;
  });
}

/** Sends one event, signed. Resolves to why it failed; null: the receiver has it. */
export async function sendEvent(
  deps: DelivererDeps,
  url: string,
  event: EmulatorEvent,
): Promise<string | null> {
  const body = JSON.stringify(event);
  try {
    const answer = await deps.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (Linkoteca payment emulator)',
        'stripe-signature': signPayload(body, deps.webhookSecret, deps.now()),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `HTTP ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'Error';
  }
}

/** The value of `Stripe-Signature`, by the SDK's own hand. Signed at the real time: receivers compare it with their clock. */
export function signPayload(payload: string, secret: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

async function record(
  { objectStore, logger }: DelivererDeps,
  id: string,
  failure: string | null,
): Promise<void> {
  await objectStore.change(async (ledger) => {
    const delivery = await ledger.find('emulator.delivery', id);
    // Somebody has sent it once more, or to somebody else's success.
    if (delivery?.status !== 'pending') return;
    delivery.leasedUntil = 0;
    delivery.lastFailure = failure;
    if (failure === null) {
      delivery.status = 'delivered';
      ledger.save('emulator.delivery', delivery, { dueAt: null });
      await markReceived(ledger, delivery);
      return;
    }
    const delay = findRetryDelay(delivery.attempts);
    if (delay === null) delivery.status = 'given_up';
    logger.warn({ event: delivery.event, attempts: delivery.attempts, failure }, 'a webhook was not taken');
    ledger.save('emulator.delivery', delivery, { dueAt: delay === null ? null : ledger.time + delay });
  });
}

async function markReceived(
  ledger: Parameters<Parameters<ObjectStore['change']>[0]>[0],
  delivery: Delivery,
): Promise<void> {
  const event = await ledger.require('event', delivery.event);
  event.pending_webhooks = 0;
  ledger.save('event', event);
}

/** Seconds to wait after each of the first failures. */
const FIRST_DELAYS = [1, 5, 30, 120, 600] as const;
const HOUR_SECONDS = 3600;
const HOURLY_ATTEMPTS = 72;

/** How long to wait after so many failed attempts, in seconds; null: three days are over, no more. */
function findRetryDelay(attempts: number): number | null {
  const first = FIRST_DELAYS[attempts - 1];
  if (first !== undefined) return first;
  return attempts <= FIRST_DELAYS.length + HOURLY_ATTEMPTS ? HOUR_SECONDS : null;
}

/**
 * Sends events now, one after the other in the order given, whatever is held back or has been delivered already. What is
 * taken counts as delivered.
 * @returns how many were taken.
 */
export async function sendEvents(deps: DelivererDeps, events: readonly string[]): Promise<number> {
  const url = deps.webhookUrl();
  if (url === undefined) return 0;
  let taken = 0;
  for (const id of events) {
    const event = await deps.objectStore.read((ledger) => ledger.require('event', id));
    if ((await sendEvent(deps, url, event)) !== null) continue;
    taken += 1;
    await deps.objectStore.change(async (ledger) => {
      const [delivery] = await ledger.list('emulator.delivery', { match: { event: id }, limit: 1 });
      if (!delivery) return;
      delivery.status = 'delivered';
      ledger.save('emulator.delivery', delivery, { dueAt: null });
      (await ledger.require('event', id)).pending_webhooks = 0;
    });
  }
  return taken;
}
