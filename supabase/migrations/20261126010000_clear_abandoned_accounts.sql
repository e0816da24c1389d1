-- Accounts that were opened without an address and left behind: nobody can sign in to them once their session is gone, and nobody can be
-- written to. They are closed for good, and purged by the round that purges deleted ones, files and all. Who has an address by then, or
-- was seen, is left alone: sign-in, refresh and proof of an address come before or after, whole.

-- Closes up to so many accounts that nobody has used for so many days at that time; returns how many.
create function public.close_abandoned_accounts(
  max integer default 500, days integer default 30, at timestamptz default now()
) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  unseen_since timestamptz := at - make_interval(days => greatest(coalesce($2, 30), 9));
  doomed uuid[];
begin
  select array_agg(held.id) into doomed
  from (
    select u.id
    from auth.users u join private.account_activity a on a.user_id = u.id
    where u.is_anonymous and u.email is null and u.deleted_at is null
      and u.created_at <= unseen_since and a.seen_at <= unseen_since
      and not exists (select from private.account_closures c where c.user_id = u.id and c.reopened_at is null)
      and not exists (select from public.subscribers s where s.user_id = u.id and s.subscription_status = 'active')
      and not exists (select from private.installation i where i.admin_user_id = u.id)
    limit least(greatest(coalesce($1, 500), 0), 10000)
    for update of u skip locked
  ) as held;
  if doomed is null then
    return 0;
  end if;
  -- A refresh writes to the session alone: it is waited for. Looked at once more, now that nobody of them comes back meanwhile.
  perform from auth.sessions s where s.user_id = any (doomed) order by s.id for update;
  select array_agg(a.user_id) into doomed
  from private.account_activity a join auth.users u on u.id = a.user_id
  where a.user_id = any (doomed) and u.is_anonymous and u.email is null and a.seen_at <= unseen_since;
  if doomed is null then
    return 0;
  end if;

  insert into private.account_closures as c (user_id, reason, closed_at, purge_after)
  select d.id, 'deletion', at, at from unnest(doomed) as d(id)
  on conflict on constraint account_closures_pkey do update set
    id = excluded.id, reason = excluded.reason, closed_at = excluded.closed_at, purge_after = excluded.purge_after,
    reopened_at = null, is_notice_due = false;
  perform private.withdraw_accounts(doomed);
  insert into private.account_events (event, closure_id)
  select 'deleted', c.id from private.account_closures c where c.user_id = any (doomed);
  return cardinality(doomed);
end
$$;

revoke all on function public.close_abandoned_accounts(integer, integer, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.close_abandoned_accounts(integer, integer, timestamptz) to service_role;
