-- Tables of one row say so: the hosted platform's table API refuses an update without a condition, wherever it stands.

create or replace function public.finish_account_upkeep(next_in integer default 1440, at timestamptz default now()) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update private.account_upkeep u set due_at = at + make_interval(mins => next_in) where u.is_this;
  -- The tokens from before have long expired.
  delete from private.account_closures c where c.reopened_at < at - interval '30 days';
  delete from private.account_mails m
  where m.state in ('sent', 'refused', 'withdrawn') and m.queued_at < at - interval '12 months';
$$;

create or replace function private.finish_subscription_reconciliation(checked integer, repaired integer) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update private.subscription_reconciliation r set finished_at = now(), checked = $1, repaired = $2 where r.only_row
$$;
