-- What each plan allows. Twin of packages/domain/src/plans.ts; a test compares the two. null means unlimited.
create table private.plan_limits (
  plan text not null,
  max_links integer,
  max_categories integer,
  max_received_shares integer,
  can_share boolean not null,
  storage_megabytes integer not null,
  constraint plan_limits_pkey primary key (plan)
);

insert into private.plan_limits (plan, max_links, max_categories, max_received_shares, can_share, storage_megabytes) values
  ('free', 20, 5, 1, false, 100),
  ('plus', 500, 20, null, true, 500),
  ('pro', null, null, null, true, 1000);

-- The public face of an account: one row appears with each user. Clients may change `name` alone; `plan` follows the
-- subscription.
create table public.profiles (
  id uuid not null,
  name text,
  plan text not null default 'free',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (id),
  constraint profiles_id_is_a_user foreign key (id) references auth.users (id) on delete cascade,
  constraint profiles_plan_is_known foreign key (plan) references private.plan_limits (plan),
  constraint profiles_name_length check (char_length(name) between 1 and 100)
);
alter table public.profiles enable row level security;
revoke all on public.profiles from public, anon, authenticated;
grant select, update (name, updated_at) on public.profiles to authenticated;
grant all on public.profiles to service_role;

create trigger profiles_touch before update on public.profiles
  for each row execute function private.touch_updated_at();

-- The name a person gave at sign-up (name, or firstName and lastName) or that Google gave (full_name); null when there is none.
create function private.name_from_metadata(metadata jsonb) returns text
  language sql immutable
  set search_path = ''
as $$
  select nullif(btrim(left(btrim(coalesce(
    nullif(btrim(metadata ->> 'name'), ''),
    nullif(btrim(concat_ws(' ', nullif(btrim(metadata ->> 'firstName'), ''), nullif(btrim(metadata ->> 'lastName'), ''))), ''),
    metadata ->> 'full_name'
  )), 100)), '')
$$;

create function private.follow_user() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  given_name text := private.name_from_metadata(new.raw_user_meta_data);
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, name) values (new.id, given_name) on conflict (id) do nothing;
  elsif given_name is distinct from private.name_from_metadata(old.raw_user_meta_data) then
    update public.profiles set name = given_name where id = new.id;
  end if;
  return null;
exception when others then
  -- An account must never be lost to its display name: the row is what matters.
  raise warning 'profile of user % took no name: %', new.id, sqlerrm;
  insert into public.profiles (id) values (new.id) on conflict (id) do nothing;
  return null;
end
$$;

create trigger profiles_follow_user after insert or update of raw_user_meta_data on auth.users
  for each row execute function private.follow_user();

-- Accounts that were there before.
insert into public.profiles (id, name)
select id, private.name_from_metadata(raw_user_meta_data) from auth.users
on conflict (id) do nothing;

-- What the payment provider says of an account. Only the payment functions (service role) write here.
create table public.subscribers (
  user_id uuid not null,
  plan text not null default 'free',
  subscription_status text,
  current_period_end timestamptz,
  stripe_customer_id text,
  stripe_subscription_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- It ends with the paid time instead of being renewed.
  cancel_at_period_end boolean not null default false,
  trial_end timestamptz,
  stripe_price_id text,
  billing_interval text,
  -- What a renewal costs, discounts taken off, in the smallest unit of the currency.
  amount_cents integer,
  currency text,
  constraint subscribers_pkey primary key (user_id),
  constraint subscribers_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint subscribers_plan_is_known foreign key (plan) references private.plan_limits (plan),
  constraint subscribers_status_is_known
    check (subscription_status in ('active', 'expired', 'canceled', 'refunded', 'payment_failed')),
  constraint subscribers_customer_is_unique unique (stripe_customer_id),
  constraint subscribers_subscription_is_unique unique (stripe_subscription_id),
  constraint subscribers_billing_interval_is_known check (billing_interval in ('month', 'year')),
  constraint subscribers_amount_is_not_negative check (amount_cents >= 0),
  constraint subscribers_currency_is_a_code check (currency ~ '^[a-z]{3}$')
);
alter table public.subscribers enable row level security;
revoke all on public.subscribers from public, anon, authenticated;
grant select on public.subscribers to authenticated;
grant all on public.subscribers to service_role;

create trigger subscribers_touch before update on public.subscribers
  for each row execute function private.touch_updated_at();

-- Only 'active' counts as subscribed: any other status, and a vanished record, is the free plan.
create function private.follow_subscription() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  subscriber uuid := coalesce(new.user_id, old.user_id);
  effective text := 'free';
begin
  if tg_op <> 'DELETE' and new.subscription_status = 'active' then
    effective := new.plan;
  end if;
  update public.profiles set plan = effective where id = subscriber and plan <> effective;
  return null;
end
$$;

create trigger subscribers_set_plan after insert or update or delete on public.subscribers
  for each row execute function private.follow_subscription();
create trigger subscribers_keep_identity before update on public.subscribers
  for each row when (old.user_id is distinct from new.user_id)
  execute function private.refuse_identity_change();

revoke all on function private.name_from_metadata(jsonb), private.follow_user(), private.follow_subscription() from public;
