-- The daily round: warnings, suspensions, purges. However many servers or schedules call, one of them has the round.

create table private.account_upkeep (
  is_this boolean not null default true,
  -- A fresh installation is in no hurry.
  due_at timestamptz not null default now() + interval '1 hour',
  constraint account_upkeep_pkey primary key (is_this),
  constraint account_upkeep_is_one_row check (is_this)
);
insert into private.account_upkeep default values;
alter table private.account_upkeep enable row level security;
revoke all on private.account_upkeep from public, anon, authenticated, service_role;

-- True for the one who has the round now. Whoever dies in it leaves it to another after twenty minutes.
create function public.claim_account_upkeep(at timestamptz default now()) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.account_upkeep u set due_at = at + interval '20 minutes' where u.due_at <= at;
  return found;
end
$$;

-- The round is over, and the next one is due in so many minutes. What has served its purpose goes.
create function public.finish_account_upkeep(next_in integer default 1440, at timestamptz default now()) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update private.account_upkeep u set due_at = at + make_interval(mins => next_in);
  -- The tokens from before have long expired.
  delete from private.account_closures c where c.reopened_at < at - interval '30 days';
  delete from private.account_mails m
  where m.state in ('sent', 'refused', 'withdrawn') and m.queued_at < at - interval '12 months';
$$;

-- What delete-account has to know before it closes: whether the account is there and open, its address, and by what the payment
-- provider knows it.
create function public.find_account_to_close(user_id uuid)
  returns table (email text, closed_at timestamptz, stripe_customer_id text)
  language sql stable
  security definer
  set search_path = ''
as $$
  select u.email::text, c.closed_at, s.stripe_customer_id
  from auth.users u
  left join private.account_closures c on c.user_id = u.id and c.reopened_at is null
  left join public.subscribers s on s.user_id = u.id
  where u.id = $1
$$;

-- Customers whose account is closed and whose subscription is active all the same: a checkout that was finished afterwards, say.
create function public.find_charged_closed_accounts() returns table (stripe_customer_id text)
  language sql stable
  security definer
  set search_path = ''
as $$
  select s.stripe_customer_id
  from private.account_closures c join public.subscribers s on s.user_id = c.user_id
  where c.reopened_at is null and c.reason = 'deletion' and s.stripe_customer_id is not null
    and s.subscription_status in ('active', 'payment_failed')
$$;

revoke all on function public.claim_account_upkeep(timestamptz), public.finish_account_upkeep(integer, timestamptz),
  public.find_account_to_close(uuid), public.find_charged_closed_accounts() from public, anon, authenticated, service_role;
grant execute on function public.claim_account_upkeep(timestamptz), public.finish_account_upkeep(integer, timestamptz),
  public.find_account_to_close(uuid), public.find_charged_closed_accounts() to service_role;
comment on function public.find_account_to_close(uuid) is
  'An account as delete-account sees it. Nullable: email, closed_at, stripe_customer_id.';
