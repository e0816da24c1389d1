import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, T0 } from '../functions/_shared/test-support/make-subscription.ts';
import { signEvent } from '../functions/_shared/test-support/sign-event.ts';
import { createStripeWebhook } from '../functions/stripe-webhook/create-stripe-webhook.ts';
import { type Billing, openBilling } from './support/open-billing.ts';

let database: ThrowawayDatabase;
let billing: Billing;
let ana: TestUser;
let count = 0;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  billing = openBilling(database);
  ana = await createUser(database.admin);
  count += 1;
});

const cus = (n = count) => `cus_${n}`;
const sub = (n = count) => `sub_${n}`;
let events = 0;
const tell = (type: string, object: object = { object: 'subscription', customer: cus() }) => {
  events += 1;
  return billing.send({ id: `evt_${events}`, type, object });
};
const update = () => tell('customer.subscription.updated');
const read = async (user = ana) => {
  const { rows } = await database.admin.query(
    `select p.plan as counts_as, s.subscription_status as status, s.stripe_customer_id as customer
     from profiles p left join subscribers s on s.user_id = p.id where p.id = $1`,
    [user.id],
  );
  return rows[0];
};
const readEvent = async (id = `evt_${events}`) => {
  const { rows } = await database.admin.query(
    'select type, customer, outcome from private.stripe_events where id = $1',
    [id],
  );
  return rows[0];
};
/** A subscription, paid now. @returns the charge. */
function subscribe(metadata: Record<string, string> = { user_id: ana.id }): string {
  billing.model.addCustomer(cus(), metadata);
  billing.model.addSubscription({ id: sub(), customer: cus() });
  return billing.model.charge(sub(), T0);
}

describe('a life of a subscription', () => {
  test('bought, changed, refused, recovered, ended: the database says each time what the provider says', async () => {
    subscribe();
    await tell('customer.subscription.created');
    expect(await read()).toEqual({ counts_as: 'plus', status: 'active', customer: cus() });
    const steps = [
      [{ priceId: 'price_pro_yearly' }, 'pro', 'active'],
      [{ status: 'past_due' }, 'free', 'payment_failed'],
      [{ status: 'active' }, 'pro', 'active'],
      [{ cancelAtPeriodEnd: true }, 'pro', 'active'],
      [{ status: 'canceled', endedAt: T0 + 30 * DAY, reason: 'cancellation_requested' }, 'free', 'expired'],
    ] as const;
    for (const [changes, plan, status] of steps) {
      billing.model.update(sub(), changes);
      expect(await update()).toBe(200);
      expect(await read()).toMatchObject({ counts_as: plan, status });
    }
  });

  test('refunded: part of the money back changes nothing, all of it ends the plan', async () => {
    const charge = subscribe();
    billing.model.refund(charge, 100);
    await tell('charge.refunded', { object: 'charge', id: charge, customer: cus() });
    expect(await read()).toMatchObject({ counts_as: 'plus', status: 'active' });
    billing.model.refund(charge, 99);
    await tell('refund.created', { object: 'refund', charge });
    expect(await read()).toMatchObject({ counts_as: 'free', status: 'refunded' });
  });

  test('disputed: until the bank has decided nothing changes; lost is money back, won is not', async () => {
    const charge = subscribe();
    const dispute = { object: 'dispute', charge };
    const steps = [
      ['needs_response', 'plus', 'active'],
      ['won', 'plus', 'active'],
      ['lost', 'free', 'refunded'],
    ] as const;
    for (const [decision, plan, status] of steps) {
      billing.model.dispute(charge, decision);
      await tell(decision === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed', dispute);
      expect(await read()).toMatchObject({ counts_as: plan, status });
    }
  });

  test('deleted together with the customer, it is over, and the next customer is welcome', async () => {
    subscribe();
    await update();
    billing.model.deleteCustomer(cus());
    expect(await tell('customer.deleted', { object: 'customer', id: cus() })).toBe(200);
    expect(await read()).toEqual({ counts_as: 'free', status: 'canceled', customer: null });
    // Late events of the old one do not bring it back.
    expect(
      await tell('customer.subscription.deleted', {
        object: 'subscription',
        customer: cus(),
        metadata: { user_id: ana.id },
      }),
    ).toBe(200);
    expect(await read()).toMatchObject({ customer: null });
    count += 1;
    subscribe();
    await update();
    expect(await read()).toEqual({ counts_as: 'plus', status: 'active', customer: cus() });
  });
});

describe('who a customer is', () => {
  test.each(['the customer', 'the subscription', 'the checkout session'])(
    'is read from %s',
    async (where) => {
      const named = { user_id: ana.id };
      billing.model.addCustomer(cus(), where === 'the customer' ? named : {});
      const metadata = where === 'the subscription' ? named : {};
      billing.model.addSubscription({ id: sub(), customer: cus(), metadata });
      await tell('checkout.session.completed', {
        object: 'checkout.session',
        customer: cus(),
        client_reference_id: null,
        metadata: where === 'the checkout session' ? named : {},
      });
      expect(await read()).toEqual({ counts_as: 'plus', status: 'active', customer: cus() });
    },
  );

  test('is not read from what a visitor can write into a payment link', async () => {
    billing.model.addCustomer(cus());
    billing.model.addSubscription({ id: sub(), customer: cus() });
    await tell('checkout.session.completed', {
      object: 'checkout.session',
      customer: cus(),
      client_reference_id: ana.id,
    });
    expect((await read()).customer).toBeNull();
  });

  test('does not change: a customer of one account that names another stays, and so does the other', async () => {
    subscribe();
    await update();
    const bia = await createUser(database.admin);
    await tell('customer.subscription.updated', {
      object: 'subscription',
      customer: cus(),
      metadata: { user_id: bia.id },
    });
    expect(await read(bia)).toMatchObject({ counts_as: 'free', customer: null });
    count += 1;
    subscribe();
    expect(await update()).toBe(200);
    expect((await read()).customer).toBe(cus(count - 1));
    expect(await readEvent()).toMatchObject({ outcome: 'ignored' });
    expect(billing.warnings).toContain('a customer names an account that is not its own');
  });

  test.each([
    ['nobody', {}],
    ['somebody who does not exist', { user_id: '11111111-2222-4333-8444-555555555555' }],
    ['something that is no id', { user_id: `' or 1=1` }],
  ])('may be %s: answered, written down, and left alone', async (_who, metadata) => {
    subscribe(metadata);
    expect(await update()).toBe(200);
    expect(await readEvent()).toEqual({
      type: 'customer.subscription.updated',
      customer: cus(),
      outcome: 'ignored',
    });
    expect(
      await tell('customer.subscription.updated', { object: 'subscription', customer: cus(), metadata }),
    ).toBe(200);
  });

  test('the provider does not know: nothing is taken away, since wrong keys look the same', async () => {
    subscribe();
    await update();
    billing = openBilling(database);
    expect(await update()).toBe(200);
    expect(await read()).toMatchObject({ counts_as: 'plus', status: 'active', customer: cus() });
    expect(billing.warnings.length).toBe(1);
  });
});

describe('an event', () => {
  test('that comes again is answered without asking the provider', async () => {
    subscribe();
    await update();
    const asked = billing.model.asked.length;
    expect(
      await billing.send({
        id: `evt_${events}`,
        type: 'customer.subscription.updated',
        object: { object: 'subscription', customer: cus() },
      }),
    ).toBe(200);
    expect(billing.model.asked.length).toBe(asked);
  });

  test('about the past says nothing: what counts is what the provider says now', async () => {
    subscribe();
    billing.model.update(sub(), { status: 'canceled', endedAt: T0 + DAY, reason: 'cancellation_requested' });
    await tell('customer.subscription.updated', {
      object: 'subscription',
      customer: cus(),
      status: 'active',
      items: { data: [{ price: { id: 'price_pro_yearly' } }] },
    });
    expect(await read()).toMatchObject({ counts_as: 'free', status: 'canceled' });
  });

  test('that finds the provider away is answered 500, and applied when it is sent again', async () => {
    subscribe();
    billing.model.setDown(true);
    const event = { id: 'evt_down', type: 'invoice.paid', object: { object: 'invoice', customer: cus() } };
    expect([await billing.send(event), await billing.send(event)]).toEqual([500, 500]);
    expect(await read()).toMatchObject({ counts_as: 'free' });
    billing.model.setDown(false);
    expect(await billing.send(event)).toBe(200);
    expect(await read()).toMatchObject({ counts_as: 'plus' });
    expect(await readEvent('evt_down')).toMatchObject({ outcome: 'applied' });
  });

  test.each(['record_stripe_event', 'begin_subscription_sync', 'apply_subscription'])(
    'whose worker dies at %s is applied when it is sent again',
    async (step) => {
      let isDead = true;
      billing = openBilling(database, (inner) => async (input, init) => {
        if (isDead && String(input).endsWith(step)) throw new Error('killed');
        return await inner(input, init);
      });
      subscribe();
      const event = {
        id: `evt_${step}`,
        type: 'invoice.paid',
        object: { object: 'invoice', customer: cus() },
      };
      expect(await billing.send(event)).toBe(500);
      isDead = false;
      expect(await billing.send(event)).toBe(200);
      expect(await read()).toMatchObject({ counts_as: 'plus' });
    },
  );

  test('of another kind costs nothing: neither a question nor a row', async () => {
    subscribe();
    for (const type of ['customer.updated', 'payment_method.attached', 'price.updated'])
      expect(await tell(type)).toBe(200);
    expect(billing.model.asked).toEqual([]);
    expect(await readEvent()).toBeUndefined();
  });
});

test('an event that eight workers receive at once is applied by one', async () => {
  subscribe();
  const { deps } = billing;
  const outcomes: string[] = [];
  const apply: typeof deps.store.apply = async (...args) => {
    const outcome = await deps.store.apply(...args);
    outcomes.push(outcome);
    return outcome;
  };
  const handle = createStripeWebhook({ ...deps, store: { ...deps.store, apply } });
  const event = { id: 'evt_all', type: 'invoice.paid', object: { object: 'invoice', customer: cus() } };
  const requests = await Promise.all(Array.from({ length: 8 }, () => signEvent(event)));
  const answers = await Promise.all(requests.map(handle));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(outcomes.filter((outcome) => outcome !== 'repeated').length).toBe(1);
  expect(await read()).toMatchObject({ counts_as: 'plus' });
});

test('a worker that was held up between asking and writing does not bring back what is over', async () => {
  const isHeld = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let applications = 0;
  billing = openBilling(database, (inner) => async (input, init) => {
    if (String(input).endsWith('apply_subscription')) {
      applications += 1;
      if (applications === 1) {
        reached.resolve();
        await isHeld.promise;
      }
    }
    return await inner(input, init);
  });
  subscribe();
  const held = update();
  await reached.promise;
  billing.model.update(sub(), { status: 'canceled', endedAt: T0 + DAY, reason: 'cancellation_requested' });
  await tell('customer.subscription.deleted');
  isHeld.resolve();
  expect(await held).toBe(200);
  expect(await read()).toMatchObject({ counts_as: 'free', status: 'canceled' });
  expect(await readEvent(`evt_${events - 1}`)).toMatchObject({ outcome: 'superseded' });
});
