import { asDecimal } from './billing/build-invoice.ts';
import type { EmulatorOptions, EmulatorPrice } from './emulator-options.ts';
import { type Ledger, type LedgerCause, openLedger } from './ledger/ledger.ts';
import type { Coupon, EmulatorSettings, ObjectOf, Price, PromotionCode } from './ledger/object-kinds.ts';
import type { StoreTransaction } from './store/emulator-store.ts';

/** The version of the API whose shapes the emulator writes: that of the SDK it is built with. */
export const API_VERSION = '2026-10-28.endive';

export type ChangeOptions = {
  readonly cause?: LedgerCause | undefined;
  /** Another moment than now, for what was due earlier; seconds on the emulator's clock. */
  readonly time?: number;
};

/** The way to the objects: every change is one transaction, and whoever waits for events is told afterwards. */
export type ObjectStore = {
  change<T>(run: (ledger: Ledger) => Promise<T>, options?: ChangeOptions): Promise<T>;
  read<T>(run: (ledger: Ledger) => Promise<T>): Promise<T>;
  /** The moment at which something of these kinds is due next, and what time it is; milliseconds on the emulator's clock. */
  findNextDue(kinds: readonly string[]): Promise<{ readonly next: number | null; readonly now: number }>;
  listDue(kind: string, at: number, limit: number): Promise<readonly string[]>;
};

type ObjectStoreOptions = Pick<EmulatorOptions, 'store' | 'prices' | 'siteUrl' | 'now'> & {
  readonly onChange: () => void;
};

/** Opens the object store. The first use writes down the prices that can be bought. */
export function openObjectStore({ store, prices, siteUrl, now, onChange }: ObjectStoreOptions): ObjectStore {
  let seeding: Promise<void> | undefined;

  async function open(transaction: StoreTransaction, { cause, time }: ChangeOptions = {}) {
    const settings = (await transaction.find('emulator_settings'))?.data as EmulatorSettings | undefined;
    const clock = (now().getTime() + (settings?.offsetMs ?? 0)) / 1000;
    return openLedger(transaction, { time: time ?? clock, siteUrl, apiVersion: API_VERSION, cause });
  }

  async function changeNow<T>(run: (ledger: Ledger) => Promise<T>, options?: ChangeOptions): Promise<T> {
    return store.change(async (transaction) => {
      const ledger = await open(transaction, options);
      const result = await run(ledger);
      await ledger.flush();
      return result;
    });
  }

  function seed(): Promise<void> {
    seeding ??= changeNow((ledger) => seedObjects(ledger, prices)).catch((error: unknown) => {
      seeding = undefined;
      throw error;
    });
    return seeding;
  }

  return {
    async change(run, options) {
      await seed();
      const result = await changeNow(run, options);
      onChange();
      return result;
    },
    async read(run) {
      await seed();
      return store.read(async (transaction) => run(await open(transaction)));
    },
    async findNextDue(kinds) {
      await seed();
      return store.read(async (transaction) => {
        const { time } = await open(transaction);
        return { next: await transaction.findNextDue(kinds), now: time * 1000 };
      });
    },
    listDue: (kind, at, limit) =>
      store.read(async (transaction) => (await transaction.listDue(kind, at, limit)).map(({ id }) => id)),
  };
}

/** What is there from the beginning: products and prices, one promotion code, the settings. */
async function seedObjects(ledger: Ledger, prices: readonly EmulatorPrice[]): Promise<void> {
  for (const price of prices) await seedPrice(ledger, price);
  await seedPromotion(ledger);
  if (!(await ledger.find('emulator.settings', 'emulator_settings')))
    ledger.save('emulator.settings', {
      id: 'emulator_settings',
      object: 'emulator.settings',
      created: Math.floor(ledger.time),
      offsetMs: 0,
      isHeld: false,
      afterDunning: 'canceled',
    });
}

/** Amounts follow the plans: a price that is there already is brought up to date. */
async function seedPrice(ledger: Ledger, wanted: EmulatorPrice): Promise<void> {
  const known = await ledger.find('price', wanted.id);
  if (known?.unit_amount === wanted.amountCents && known.currency === wanted.currency) return;
  const created = known?.created ?? Math.floor(ledger.time);
  const product = buildProduct(wanted, created);
  ledger.save('product', product);
  const price: Price = {
    id: wanted.id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created,
    currency: wanted.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: `${wanted.plan}_${wanted.interval}`,
    metadata: { plan: wanted.plan },
    nickname: wanted.productName,
    product: product.id,
    recurring: {
      interval: wanted.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: wanted.amountCents,
    unit_amount_decimal: asDecimal(wanted.amountCents),
  };
  ledger.save('price', price);
}

function buildProduct({ plan, productName }: EmulatorPrice, created: number): ObjectOf['product'] {
  return {
    id: `prod_emulator_${plan}`,
    object: 'product',
    active: true,
    created,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: { plan },
    name: productName,
    package_dimensions: null,
    shippable: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    updated: created,
    url: null,
  };
}

async function seedPromotion(ledger: Ledger): Promise<void> {
  if (await ledger.find('promotion_code', 'promo_emulator_linkoteca10')) return;
  const created = Math.floor(ledger.time);
  const coupon: Coupon = {
    id: 'emulator_10_off',
    object: 'coupon',
    amount_off: null,
    created,
    currency: null,
    duration: 'once',
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: '10% de desconto',
    percent_off: 10,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
  const code: PromotionCode = {
    id: 'promo_emulator_linkoteca10',
    object: 'promotion_code',
    active: true,
    code: 'LINKOTECA10',
    created,
    customer: null,
    customer_account: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    promotion: { coupon: coupon.id, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
  ledger.save('coupon', coupon);
  ledger.save('promotion_code', code);
}
