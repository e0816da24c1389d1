import { setImmediate } from 'node:timers/promises';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Billing, openBilling } from './support/open-billing.ts';
import { type Happening, histories, playHistory } from './support/payment-histories.ts';

let database: ThrowawayDatabase;
let runs = 0;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

type Send = Billing['send'];

/** A person with a customer, and how a history happens to them. */
async function openAccount(wrap: Parameters<typeof openBilling>[1] = (inner) => inner) {
  runs += 1;
  const prefix = `h${runs}x`;
  const customer = `cus_${prefix}`;
  const { id } = await createUser(database.admin);
  const billing = openBilling(database, wrap);
  billing.model.addCustomer(customer, { user_id: id });
  // As the checkout does before it sends anybody to pay.
  await openBilling(database).deps.store.claim(id, customer);
  return {
    ...billing,
    ...playHistory(billing.model, customer, prefix),
    /** What the database says in the end, without what names this very account. */
    async readEnd() {
      const { rows } = await database.admin.query(
        `select p.plan as counts_as, to_jsonb(s) - '{user_id,created_at,updated_at}'::text[] as row
         from profiles p left join subscribers s on s.user_id = p.id where p.id = $1`,
        [id],
      );
      return JSON.parse(JSON.stringify(rows).replaceAll(`_${prefix}`, '_N'));
    },
    async countUnapplied() {
      const { rows } = await database.admin.query(
        `select from private.stripe_events where customer = $1 and applied_at is null`,
        [customer],
      );
      return rows.length;
    },
  };
}

/** Each event right after what it tells of, one after the other. */
async function tellInOrder(history: readonly Happening[]) {
  const account = await openAccount();
  for (const happening of history)
    for (const event of account.happen(happening)) expect(await account.send(event)).toBe(200);
  return await account.readEnd();
}

/** As the provider does: again until it was taken. */
async function deliver(send: Send, event: Parameters<Send>[0]): Promise<void> {
  let tries = 0;
  while ((await send(event)) !== 200) {
    tries += 1;
    if (tries > 100) throw new Error('never taken');
  }
}

const MANY_TURNS = 80;
const pick = (numbers: readonly number[], at: number) => numbers[at % numbers.length] ?? 0;

type Disorder = {
  readonly scheduler: fc.Scheduler;
  /** How often each event is sent. */
  readonly copies: readonly number[];
  /** The questions that are overtaken by whole handlers. */
  readonly stragglers: readonly number[];
  /** The turns between one happening and the next. */
  readonly pauses: readonly number[];
  /** The questions that are lost. */
  readonly failures: readonly number[];
};

/**
 * The same history, while handlers are at work: every question to the provider and to the database waits for the scheduler, which
 * lets any of them go first; so do deliveries, and what happens next.
 */
async function tellInAnyOrder(
  history: readonly Happening[],
  { scheduler, copies, stragglers, pauses, failures }: Disorder,
) {
  const wait = async (turns: number) => {
    for (let left = turns; left >= 0; left -= 1) await scheduler.schedule(Promise.resolve());
  };
  let questions = 0;
  const account = await openAccount((inner) => async (input, init) => {
    questions += 1;
    const number = questions;
    await wait(stragglers.includes(number) ? MANY_TURNS : 0);
    if (failures.includes(number)) throw new Error('lost on the way');
    inFlight += 1;
    return await inner(input, init).finally(() => {
      inFlight -= 1;
    });
  });
  const deliveries: Promise<void>[] = [];
  async function play(): Promise<void> {
    for (const [at, happening] of history.entries()) {
      await wait(pick(pauses, at));
      for (const event of account.happen(happening))
        for (let copy = pick(copies, deliveries.length); copy > 0; copy -= 1)
          deliveries.push(wait(0).then(() => deliver(account.send, event)));
    }
    await Promise.all(deliveries);
  }
  await scheduler.waitFor(play());
  expect(await account.countUnapplied()).toBe(0);
  return await account.readEnd();
}

let inFlight = 0;

/** A turn lasts until what it set off waits for the next one: else those who wait would overtake the database's answers. */
async function takeTurn(go: () => Promise<unknown>): Promise<void> {
  await go();
  for (let quiet = 0; quiet < 2; quiet = inFlight > 0 ? 0 : quiet + 1) await setImmediate();
}

const disorders = fc.record({
  scheduler: fc.scheduler({ act: takeTurn }),
  copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 }),
  stragglers: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
  pauses: fc.array(fc.constantFrom(0, 5, 15), { minLength: 1, maxLength: 5 }),
  failures: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
});

test('a history of events in any order, with any repetition, handled at the same time, ends as the ordered one', async () => {
  await fc.assert(
    fc.asyncProperty(histories, disorders, async (history, disorder) => {
      expect(await tellInAnyOrder(history, disorder)).toEqual(await tellInOrder(history));
    }),
    { numRuns: 10, endOnFailure: true },
  );
}, 60_000);

test('and so it does when every event but the last is lost', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const account = await openAccount();
      const last = history.flatMap((happening) => account.happen(happening)).at(-1);
      if (last) await account.send(last);
      expect(await account.readEnd()).toEqual(await tellInOrder(history));
    }),
    { numRuns: 5, endOnFailure: true },
  );
}, 60_000);
