-- A database that comes back from before the first purchase knows no customer. Where the provider is another than the emulator it is asked
-- all the same: it lists who has bought lately.

drop function private.claim_subscription_reconciliation(boolean);
create function private.claim_subscription_reconciliation(is_quiet boolean, may_be_first boolean default false) returns boolean
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
      and ($2 or exists (select from public.subscribers s where s.stripe_customer_id is not null))
    returning true
  )
  select exists (select from claimed)
$$;
revoke all on function private.claim_subscription_reconciliation(boolean, boolean) from public;
grant execute on function private.claim_subscription_reconciliation(boolean, boolean) to service_role;
