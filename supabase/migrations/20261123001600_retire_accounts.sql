-- Twelve months without sign-in: warned thirty and seven days before, then suspended. What is suspended is kept; it is seen by nobody
-- until its owner signs in. A job calls these, a batch at a time, with the time it is; nobody is suspended who was not warned.

-- Whom this concerns: who pays is never suspended, nor is the administrator, nor who cannot be written to. Since when they are away.
create view private.unused_accounts as
select u.id as user_id, a.seen_at
from auth.users u join private.account_activity a on a.user_id = u.id
where u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null
  and not exists (select from private.account_closures c where c.user_id = u.id and c.reopened_at is null)
  and not exists (select from public.subscribers s where s.user_id = u.id and s.subscription_status = 'active')
  and not exists (select from private.installation i where i.admin_user_id = u.id);

-- The warnings that arrived, or never will, about an absence that goes on.
create view private.told_warnings as
select m.user_id, m.kind, m.occasion, m.finished_at
from private.account_mails m join private.unused_accounts a on a.user_id = m.user_id and a.seen_at = m.occasion
where m.state in ('sent', 'refused');
revoke all on private.unused_accounts, private.told_warnings from public, anon, authenticated, service_role;

-- Queues the first and second warnings that are due at that time; returns how many. Called again, it queues those that are left.
create function public.warn_inactive_accounts(max integer default 1000, at timestamptz default now()) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  most integer := least(greatest(coalesce(max, 1000), 0), 10000);
  first_count integer;
  second_count integer;
begin
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select a.user_id, 'inactive_first', a.seen_at, greatest(a.seen_at + interval '12 months', at + interval '30 days')
  from private.unused_accounts a
  where a.seen_at <= at - interval '12 months' + interval '30 days' and not exists (
    select from private.account_mails m
    where m.user_id = a.user_id and m.kind = 'inactive_first' and m.occasion = a.seen_at
  )
  limit most
  on conflict do nothing;
  get diagnostics first_count = row_count;

  insert into private.account_mails (user_id, kind, occasion, deadline)
  select w.user_id, 'inactive_second', w.occasion, greatest(w.occasion + interval '12 months', at + interval '7 days')
  from private.told_warnings w
  where w.kind = 'inactive_first' and w.finished_at <= at - interval '23 days'
    and w.occasion <= at - interval '12 months' + interval '7 days'
    and not exists (
      select from private.account_mails m
      where m.user_id = w.user_id and m.kind = 'inactive_second' and m.occasion = w.occasion
    )
  limit most
  on conflict do nothing;
  get diagnostics second_count = row_count;
  return first_count + second_count;
end
$$;

-- Suspends accounts whose second warning is seven days old; returns how many.
create function public.suspend_inactive_accounts(max integer default 500, at timestamptz default now()) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  doomed uuid[];
begin
  select array_agg(held.id) into doomed
  from (
    select u.id
    from private.told_warnings w join auth.users u on u.id = w.user_id
    where w.kind = 'inactive_second' and w.finished_at <= at - interval '7 days'
      and w.occasion <= at - interval '12 months'
    limit least(greatest(coalesce(max, 500), 0), 10000)
    for update of u skip locked
  ) as held;
  -- Looked at once more, now that nobody of them can sign in meanwhile.
  select array_agg(a.user_id) into doomed
  from private.unused_accounts a where a.user_id = any (doomed) and a.seen_at <= at - interval '12 months';
  if doomed is null then
    return 0;
  end if;

  insert into private.account_closures as c (user_id, reason, closed_at)
  select d.id, 'inactivity', at from unnest(doomed) as d(id)
  on conflict on constraint account_closures_pkey do update set
    id = excluded.id, reason = excluded.reason, closed_at = excluded.closed_at, purge_after = null,
    reopened_at = null, is_notice_due = false;
  insert into private.shares_at_rest (user_id, category_id, email, created_at)
  select c.user_id, c.id, null, c.updated_at from public.categories c where c.user_id = any (doomed) and c.is_public
  union all
  select c.user_id, c.id, s.email, s.created_at
  from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = any (doomed);
  perform private.withdraw_accounts(doomed);
  insert into private.account_events (event, closure_id)
  select 'suspended', c.id from private.account_closures c where c.user_id = any (doomed);
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select d.id, 'suspended', at, at from unnest(doomed) as d(id)
  on conflict do nothing;
  return cardinality(doomed);
end
$$;

-- Deleted accounts whose thirty days are over go for good, in steps that bear being interrupted: first whatever tells who it was or lets
-- them in, then links, a part at a time, then the account, which takes the rest along.

-- Rows that name the account or its address and are held by no foreign key. What others had shared with the address ends too. Of the
-- mails' addresses it stays only that somebody wants none.
create function private.forget_person(user_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  address text := (select lower(u.email) from auth.users u where u.id = $1);
begin
  delete from public.shared_with s where s.email = address;
  delete from private.share_notifications n where n.email = address;
  delete from private.share_mail_addresses a where a.email = address and a.unsubscribed_at is null;
  delete from private.account_mails m where m.user_id = $1;
  delete from private.stripe_events e
  using public.subscribers s where s.user_id = $1 and e.customer = s.stripe_customer_id;
  delete from auth.sessions s where s.user_id = $1;
  delete from auth.identities i where i.user_id = $1;
  delete from auth.one_time_tokens t where t.user_id = $1;
  delete from auth.mfa_factors f where f.user_id = $1;
  delete from auth.flow_state f where f.user_id = $1;
  delete from auth.audit_log_entries a where a.payload ->> 'actor_id' = $1::text;
  update auth.users u
  set email = null, encrypted_password = '', phone = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
    email_change = '', deleted_at = now()
  where u.id = $1;
  update public.profiles p set name = null where p.id = $1;
end
$$;

-- Takes up to so many accounts whose time is over, and those that were begun and not finished; nobody signs in to them from here on.
-- With each the customer that the payment provider knows it by.
create function public.begin_account_purges(max integer default 20, at timestamptz default now())
  returns table (user_id uuid, stripe_customer_id text)
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  begun uuid[];
  closure record;
begin
  for closure in
    select c.user_id, c.id, c.purge_started_at
    from private.account_closures c join auth.users u on u.id = c.user_id
    where c.reason = 'deletion' and c.reopened_at is null and c.purge_after <= at
    order by c.purge_started_at nulls first, c.purge_after
    limit least(greatest(coalesce(max, 20), 0), 100)
    for update of u, c skip locked
  loop
    if closure.purge_started_at is null then
      perform private.forget_person(closure.user_id);
      insert into private.account_events (event, closure_id) values ('purge_started', closure.id);
    end if;
    update private.account_closures c set purge_started_at = at where c.user_id = closure.user_id;
    begun := begun || closure.user_id;
  end loop;
  return query
    select b.id, s.stripe_customer_id
    from unnest(begun) with ordinality as b(id, place) left join public.subscribers s on s.user_id = b.id
    order by b.place;
end
$$;

-- Deletes a part of an account that begin_account_purges took; true when nothing is left of it.
create function public.purge_account(user_id uuid, max_links integer default 10000) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  closure uuid;
  gone integer;
begin
  select c.id into closure from private.account_closures c
  where c.user_id = $1 and c.purge_started_at is not null and c.reopened_at is null for update;
  if not found then
    return not exists (select from auth.users u where u.id = $1);
  end if;
  delete from public.links l where l.ctid = any (array(
    select k.ctid from public.links k where k.user_id = $1 limit greatest(coalesce(max_links, 10000), 1)
  ));
  get diagnostics gone = row_count;
  if gone > 0 then
    return false;
  end if;
  delete from auth.users u where u.id = $1;
  insert into private.account_events (event, closure_id) values ('purged', closure);
  return true;
end
$$;

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

-- True for the one who has the round now. Whoever dies in it leaves it to another after twenty minutes. A turn further in the future
-- than any round is ever put off was set by a clock that was ahead for a while, and is due.
create function public.claim_account_upkeep(at timestamptz default now()) returns boolean
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

-- The round is over, and the next one is due in so many minutes. What has served its purpose goes.
create function public.finish_account_upkeep(next_in integer default 1440, at timestamptz default now()) returns void
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

revoke all on function private.forget_person(uuid) from public;
revoke all on function public.warn_inactive_accounts(integer, timestamptz),
  public.suspend_inactive_accounts(integer, timestamptz), public.begin_account_purges(integer, timestamptz),
  public.purge_account(uuid, integer), public.claim_account_upkeep(timestamptz),
  public.finish_account_upkeep(integer, timestamptz), public.find_account_to_close(uuid),
  public.find_charged_closed_accounts() from public, anon, authenticated, service_role;
grant execute on function public.warn_inactive_accounts(integer, timestamptz),
  public.suspend_inactive_accounts(integer, timestamptz), public.begin_account_purges(integer, timestamptz),
  public.purge_account(uuid, integer), public.claim_account_upkeep(timestamptz),
  public.finish_account_upkeep(integer, timestamptz), public.find_account_to_close(uuid),
  public.find_charged_closed_accounts() to service_role;

comment on function public.begin_account_purges(integer, timestamptz) is
  'Accounts that are to be purged. Nullable: stripe_customer_id.';
comment on function public.find_account_to_close(uuid) is
  'An account as delete-account sees it. Nullable: email, closed_at, stripe_customer_id.';
