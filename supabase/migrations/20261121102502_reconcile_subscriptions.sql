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
-- never finished. Nobody to be asked for, nothing is due.
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
      or r.started_at <= now() - interval '1 hour' and r.finished_at is null)
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
  update private.subscription_reconciliation r set finished_at = now(), checked = $1, repaired = $2
$$;

revoke all on function private.claim_subscription_reconciliation(boolean),
  private.finish_subscription_reconciliation(integer, integer) from public;
grant execute on function private.claim_subscription_reconciliation(boolean),
  private.finish_subscription_reconciliation(integer, integer) to service_role;
revoke all on function public.list_stale_customers(timestamptz, integer), public.purge_stripe_events()
  from public, anon, authenticated, service_role;
grant execute on function public.list_stale_customers(timestamptz, integer), public.purge_stripe_events() to service_role;
