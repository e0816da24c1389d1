-- A clock that was ahead for a while must not put the rounds of upkeep and reconciliation off until that time has come: a turn further
-- in the future than any round is ever put off was set by such a clock, and is due.

create or replace function public.claim_account_upkeep(at timestamptz default now()) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.account_upkeep u set due_at = at + interval '20 minutes'
  where u.due_at <= at or u.due_at > at + interval '2 days';
  return found;
end
$$;

create or replace function private.claim_subscription_reconciliation(is_quiet boolean) returns boolean
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
