import { asDecimal } from './billing/as-decimal.ts';
import { drawPortalConfiguration } from './draw-portal-configuration.ts';
import type { EmulatorPrice } from './emulator-options.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Coupon, ObjectOf, Price, PromotionCode } from './ledger/object-kinds.ts';

/** What is there from the beginning: products and prices, one promotion code, the portal's configuration, the settings. */
export async function seedObjects(ledger: Ledger, prices: readonly EmulatorPrice[]): Promise<void> {
  for (const price of prices) await seedPrice(ledger, price);
  await seedPromotion(ledger);
  if (!(await ledger.find('billing_portal.configuration', 'bpc_emulator')))
    ledger.save('billing_portal.configuration', drawPortalConfiguration(ledger.time));
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
  const product = drawProduct(wanted, created);
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

function drawProduct({ plan, productName }: EmulatorPrice, created: number): ObjectOf['product'] {
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
