-- What a screen and the administrator need to know of a subscription besides its plan and status.
alter table public.subscribers
  -- It ends with the paid time instead of being renewed.
  add column cancel_at_period_end boolean not null default false,
  add column trial_end timestamptz,
  add column stripe_price_id text,
  add column billing_interval text,
  -- What a renewal costs, discounts taken off, in the smallest unit of the currency.
  add column amount_cents integer,
  add column currency text,
  add constraint subscribers_billing_interval_is_known check (billing_interval in ('month', 'year')),
  add constraint subscribers_amount_is_not_negative check (amount_cents >= 0),
  add constraint subscribers_currency_is_a_code check (currency ~ '^[a-z]{3}$');
