-- What the payment provider says becomes what the database says, and there is one way in: a ticket is taken, then the
-- provider is asked for the customer's present state, then the state is applied. An older ticket never overwrites a newer
-- one, so it does not matter how many workers do this at once, or in which order they hear of what happened: what changed
-- after the newest ticket's question is announced by an event of its own, which takes a newer ticket still.

create table private.subscription_syncs (
  customer_id text not null,
  user_id uuid not null,
  -- The newest ticket that was handed out, and the newest whose state was applied.
  issued bigint not null default 0,
  applied bigint not null default 0,
  issued_at timestamptz,
  -- When the person last asked for it.
  asked_at timestamptz,
  constraint subscription_syncs_pkey primary key (customer_id),
  constraint subscription_syncs_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint subscription_syncs_applied_was_issued check (applied <= issued)
);
create index subscription_syncs_of_user on private.subscription_syncs (user_id);

-- What the provider has told us, so that an event that comes again is done with.
create table private.stripe_events (
  id text not null,
  type text not null,
  customer text,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  -- 'applied'; 'superseded' by a newer state; 'ignored' because the customer is nobody of ours.
  outcome text,
  constraint stripe_events_pkey primary key (id),
  constraint stripe_events_outcome_is_known check (outcome in ('applied', 'superseded', 'ignored')),
  constraint stripe_events_done_or_not check ((applied_at is null) = (outcome is null))
);
create index stripe_events_oldest on private.stripe_events (received_at);

alter table private.subscription_syncs enable row level security;
alter table private.stripe_events enable row level security;
revoke all on private.subscription_syncs, private.stripe_events from public, anon, authenticated, service_role;

-- Records who a customer is, once: neither moves a customer from one account to another nor gives an account a second one.
-- Returns the customer that stands for the account; null when there is no such account, or the customer is somebody else's.
create function public.claim_stripe_customer(user_id uuid, customer_id text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  standing text;
begin
  if customer_id is null or customer_id !~ '^[A-Za-z0-9_-]{1,255}$' then
    raise exception using errcode = 'PT400', message = 'Cliente de pagamento inválido';
  end if;
  begin
    insert into public.subscribers as s (user_id, stripe_customer_id)
    select p.id, $2 from public.profiles p where p.id = $1
    on conflict on constraint subscribers_pkey do update set stripe_customer_id = excluded.stripe_customer_id
    where s.stripe_customer_id is null;
  exception when unique_violation then
    null;
  end;
  select s.stripe_customer_id into standing from public.subscribers s where s.user_id = $1;
  return standing;
end
$$;

-- Hands out a ticket; to be taken before the provider is asked. Null for a customer who is nobody of ours.
create function public.begin_subscription_sync(customer_id text) returns bigint
  language sql
  security definer
  set search_path = ''
as $$
  insert into private.subscription_syncs as t (customer_id, user_id, issued, issued_at)
  select s.stripe_customer_id, s.user_id, 1, clock_timestamp()
  from public.subscribers s where s.stripe_customer_id = $1
  on conflict on constraint subscription_syncs_pkey do update
  set issued = t.issued + 1, issued_at = clock_timestamp(), user_id = excluded.user_id
  returning t.issued
$$;

-- Where a person may have the provider asked just now, the customer to ask for; null when there is none, or it was asked for less
-- than a second and a half ago. The screens' re-checks after a checkout are two seconds apart.
create function public.begin_subscription_check(user_id uuid) returns text
  language sql
  security definer
  set search_path = ''
as $$
  insert into private.subscription_syncs as t (customer_id, user_id, asked_at)
  select s.stripe_customer_id, s.user_id, clock_timestamp()
  from public.subscribers s where s.user_id = $1 and s.stripe_customer_id is not null
  on conflict on constraint subscription_syncs_pkey do update set asked_at = clock_timestamp()
  where t.asked_at is null or t.asked_at < clock_timestamp() - interval '1500 milliseconds'
  returning t.customer_id
$$;

-- A customer whom the provider has deleted pays nothing any more, and the account is free to get another.
create function private.release_customer(customer_id text) returns boolean
  language sql
  set search_path = ''
as $$
  update public.subscribers s
  set stripe_customer_id = null,
    cancel_at_period_end = false,
    subscription_status = case
      when s.stripe_subscription_id is not null and s.subscription_status in ('active', 'payment_failed')
      then 'canceled' else s.subscription_status
    end
  where s.stripe_customer_id = $1
  returning true
$$;

-- Writes what differs. A plan that the operator gave by hand has no subscription, and stays until there was one.
create function private.write_subscription(customer_id text, wished public.subscribers) returns boolean
  language sql
  set search_path = ''
as $$
  update public.subscribers s
  set (plan, subscription_status, stripe_subscription_id, current_period_end, cancel_at_period_end, trial_end,
    stripe_price_id, billing_interval, amount_cents, currency)
    = (w.plan, w.subscription_status, w.stripe_subscription_id, w.current_period_end, w.cancel_at_period_end, w.trial_end,
    w.stripe_price_id, w.billing_interval, w.amount_cents, w.currency)
  from (select ($2).*) w
  where s.stripe_customer_id = $1
    and (s.stripe_subscription_id is not null or w.stripe_subscription_id is not null)
    and (s.plan, s.subscription_status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end, s.trial_end,
    s.stripe_price_id, s.billing_interval, s.amount_cents, s.currency)
    is distinct from (w.plan, w.subscription_status, w.stripe_subscription_id, w.current_period_end, w.cancel_at_period_end,
    w.trial_end, w.stripe_price_id, w.billing_interval, w.amount_cents, w.currency)
  returning true
$$;

-- Whether the event is still to be applied; it is written down in any case.
create function public.record_stripe_event(event_id text, type text, customer_id text, created_at timestamptz)
  returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into private.stripe_events (id, type, customer, created_at) values ($1, $2, $3, $4) on conflict do nothing;
  return exists (select from private.stripe_events e where e.id = $1 and e.applied_at is null);
end
$$;

-- Nothing is to be done for it, and never will be.
create function public.ignore_stripe_event(event_id text) returns boolean
  language sql
  security definer
  set search_path = ''
as $$
  update private.stripe_events e set applied_at = now(), outcome = 'ignored'
  where e.id = $1 and e.applied_at is null
  returning true
$$;

-- Applies the state that was read from the provider after the ticket was taken, keys named as the columns of `subscribers`, and
-- marks the event in the same transaction: one that is not marked was not applied. Null as state: the customer was deleted.
-- Returns 'changed', 'unchanged', 'superseded' (a newer ticket was applied), 'repeated' (the event was applied before, and nothing
-- is written) or 'unknown' (the customer is nobody of ours any more).
create function public.apply_subscription(customer_id text, ticket bigint, state jsonb, event_id text default null)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  has_won boolean;
  is_written boolean;
begin
  if event_id is not null then
    perform from private.stripe_events e where e.id = $4 and e.applied_at is null for update;
    if not found then
      return 'repeated';
    end if;
  end if;
  update private.subscription_syncs t set applied = $2
  where t.customer_id = $1 and t.applied < $2 and t.issued >= $2;
  has_won := found;
  if has_won and (state is null or state = 'null') then
    is_written := private.release_customer($1);
  elsif has_won then
    is_written := private.write_subscription($1, jsonb_populate_record(null::public.subscribers, state));
  end if;
  update private.stripe_events e
  set applied_at = now(), outcome = case when has_won then 'applied' else 'superseded' end
  where e.id = $4;
  return case
    when is_written then 'changed'
    when not exists (select from public.subscribers s where s.stripe_customer_id = $1) then 'unknown'
    when has_won then 'unchanged'
    else 'superseded'
  end;
end
$$;

-- Once a day what the database says is compared with what the payment provider says: an event may be lost for good.

-- Customers who were not asked for since then, the longest waiting first: a run that has to stop early is carried on by the next.
create function public.list_stale_customers(before timestamptz, max integer default 100)
  returns table (customer_id text)
  language sql stable
  security definer
  set search_path = ''
as $$
  select s.stripe_customer_id
  from public.subscribers s
  left join private.subscription_syncs t on t.customer_id = s.stripe_customer_id
  where s.stripe_customer_id is not null and (t.issued_at is null or t.issued_at < $1)
  order by t.issued_at nulls first, s.stripe_customer_id
  limit least(greatest(coalesce($2, 100), 0), 500)
$$;

-- The provider sends an event again for three days, by hand for a month. @returns how many were forgotten.
create function public.purge_stripe_events() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  purged integer;
begin
  delete from private.stripe_events e where e.received_at < now() - interval '90 days';
  get diagnostics purged = row_count;
  return purged;
end
$$;

-- When our own server last did so; of several copies one does it.
create table private.subscription_reconciliation (
  only_row boolean not null default true,
  started_at timestamptz,
  finished_at timestamptz,
  checked integer,
  repaired integer,
  constraint subscription_reconciliation_pkey primary key (only_row),
  constraint subscription_reconciliation_has_one_row check (only_row)
);
insert into private.subscription_reconciliation default values;
alter table private.subscription_reconciliation enable row level security;
revoke all on private.subscription_reconciliation from public, anon, authenticated, service_role;

-- True for one caller when a run is due: after a day, after half a day when it is a quiet hour, and an hour after one that was
-- never finished. A start in the future was written by a clock that was ahead for a while, and counts for nothing. Nobody to be asked
-- for, nothing is due.
create function private.claim_subscription_reconciliation(is_quiet boolean) returns boolean
  language sql
  security definer
  set search_path = ''
as $$
  with claimed as (
    update private.subscription_reconciliation r set started_at = now(), finished_at = null
    where (r.started_at is null
      or r.started_at <= now() - interval '1 day'
      or r.started_at <= now() - interval '12 hours' and $1
      or r.started_at <= now() - interval '1 hour' and r.finished_at is null
      or r.started_at > now() + interval '1 hour')
      and exists (select from public.subscribers s where s.stripe_customer_id is not null)
    returning true
  )
  select exists (select from claimed)
$$;

create function private.finish_subscription_reconciliation(checked integer, repaired integer) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update private.subscription_reconciliation r set finished_at = now(), checked = $1, repaired = $2 where r.only_row
$$;

revoke all on function private.release_customer(text), private.write_subscription(text, public.subscribers),
  private.claim_subscription_reconciliation(boolean), private.finish_subscription_reconciliation(integer, integer)
  from public;
revoke all on function public.claim_stripe_customer(uuid, text), public.begin_subscription_sync(text),
  public.begin_subscription_check(uuid), public.record_stripe_event(text, text, text, timestamptz),
  public.ignore_stripe_event(text), public.apply_subscription(text, bigint, jsonb, text),
  public.list_stale_customers(timestamptz, integer), public.purge_stripe_events()
  from public, anon, authenticated, service_role;
grant execute on function private.claim_subscription_reconciliation(boolean),
  private.finish_subscription_reconciliation(integer, integer) to service_role;
grant execute on function public.claim_stripe_customer(uuid, text), public.begin_subscription_sync(text),
  public.begin_subscription_check(uuid), public.record_stripe_event(text, text, text, timestamptz),
  public.ignore_stripe_event(text), public.apply_subscription(text, bigint, jsonb, text),
  public.list_stale_customers(timestamptz, integer), public.purge_stripe_events() to service_role;
