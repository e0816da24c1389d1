-- Twelve months without sign-in: warned thirty and seven days before, then suspended. What is suspended is kept; it is seen by nobody
-- until its owner signs in. A job calls these, a batch at a time, with the time it is; nobody is suspended who was not warned.

-- Accounts that nobody has used since then. Whoever pays is never one, nor is the administrator, nor who cannot be written to. At most
-- so many, the longest unused first; their rows are held, so that who signs in right now is none of them.
create function private.lock_inactive_accounts(unused_since timestamptz, stage text, max integer)
  returns table (user_id uuid, seen_at timestamptz)
  language sql
  set search_path = ''
as $$
  select u.id, private.last_seen_at(u.id)
  from auth.users u
  where greatest(u.created_at, u.last_sign_in_at) <= unused_since
    and u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null
    and private.last_seen_at(u.id) <= unused_since
    and not exists (select from private.account_closures c where c.user_id = u.id and c.reopened_at is null)
    and not exists (select from public.subscribers s where s.user_id = u.id and s.subscription_status = 'active')
    and not exists (select from private.installation i where i.admin_user_id = u.id)
    and not exists (
      select from private.account_mails m
      where m.user_id = u.id and m.kind = stage and m.occasion = private.last_seen_at(u.id)
    )
  order by greatest(u.created_at, u.last_sign_in_at)
  limit least(greatest(coalesce(max, 1000), 0), 10000)
  for update of u skip locked
$$;

-- Queues the first and second warnings that are due at that time; returns how many. Called again, it queues those that are left.
create function public.warn_inactive_accounts(max integer default 1000, at timestamptz default now()) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  first_count integer;
  second_count integer;
begin
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select i.user_id, 'inactive_first', i.seen_at, greatest(i.seen_at + interval '12 months', at + interval '30 days')
  from private.lock_inactive_accounts(at - interval '12 months' + interval '30 days', 'inactive_first', max) as i
  on conflict do nothing;
  get diagnostics first_count = row_count;

  insert into private.account_mails (user_id, kind, occasion, deadline)
  select w.user_id, 'inactive_second', w.occasion, greatest(w.occasion + interval '12 months', at + interval '7 days')
  from (
    select m.user_id, m.occasion
    from private.account_mails m
    where m.kind = 'inactive_first' and m.state in ('sent', 'refused') and m.finished_at <= at - interval '23 days'
      and m.occasion <= at - interval '12 months' + interval '7 days'
      and m.occasion = private.last_seen_at(m.user_id)
      and not exists (
        select from private.account_mails s
        where s.user_id = m.user_id and s.kind = 'inactive_second' and s.occasion = m.occasion
      )
      and not exists (select from private.account_closures c where c.user_id = m.user_id and c.reopened_at is null)
      and not exists (select from public.subscribers s where s.user_id = m.user_id and s.subscription_status = 'active')
    order by m.finished_at
    limit least(greatest(coalesce(max, 1000), 0), 10000)
  ) as w
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
    from private.account_mails m join auth.users u on u.id = m.user_id
    where m.kind = 'inactive_second' and m.state in ('sent', 'refused') and m.finished_at <= at - interval '7 days'
      and m.occasion <= at - interval '12 months'
      and private.last_seen_at(u.id) = m.occasion
      and not exists (select from private.account_closures c where c.user_id = u.id and c.reopened_at is null)
      and not exists (select from public.subscribers s where s.user_id = u.id and s.subscription_status = 'active')
      and not exists (select from private.installation i where i.admin_user_id = u.id)
    order by m.finished_at
    limit least(greatest(coalesce(max, 500), 0), 10000)
    for update of u skip locked
  ) as held
  -- Read once more under the lock: a sign-in that was under way has come through by now.
  where greatest(private.last_seen_at(held.id), '-infinity') <= at - interval '12 months';
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

revoke all on function private.lock_inactive_accounts(timestamptz, text, integer) from public;
revoke all on function public.warn_inactive_accounts(integer, timestamptz),
  public.suspend_inactive_accounts(integer, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.warn_inactive_accounts(integer, timestamptz),
  public.suspend_inactive_accounts(integer, timestamptz) to service_role;
