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

revoke all on function private.forget_person(uuid) from public;
revoke all on function public.begin_account_purges(integer, timestamptz), public.purge_account(uuid, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.begin_account_purges(integer, timestamptz), public.purge_account(uuid, integer)
  to service_role;
comment on function public.begin_account_purges(integer, timestamptz) is
  'Accounts that are to be purged. Nullable: stripe_customer_id.';
