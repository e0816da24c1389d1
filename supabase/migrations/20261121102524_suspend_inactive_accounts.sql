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

revoke all on function public.warn_inactive_accounts(integer, timestamptz),
  public.suspend_inactive_accounts(integer, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.warn_inactive_accounts(integer, timestamptz),
  public.suspend_inactive_accounts(integer, timestamptz) to service_role;
