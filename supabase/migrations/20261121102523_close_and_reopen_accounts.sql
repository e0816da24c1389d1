-- Closing an account and opening it again. The function delete-account closes (service role), having cancelled what would be charged;
-- signing in opens.

-- How long a deleted account can be had back.
create function private.restore_window() returns interval
  language sql immutable parallel safe
  set search_path = ''
as $$ select interval '30 days' $$;

-- What was shared by an account that is suspended: set aside, and back when it is opened. Of a public category one row without
-- an address.
create table private.shares_at_rest (
  user_id uuid not null,
  category_id uuid not null,
  email text,
  created_at timestamptz not null,
  constraint shares_at_rest_once unique nulls not distinct (category_id, email),
  constraint shares_at_rest_category_fkey foreign key (category_id, user_id)
    references public.categories (id, user_id) on delete cascade
);
create index shares_at_rest_of_user on private.shares_at_rest (user_id);
alter table private.shares_at_rest enable row level security;
revoke all on private.shares_at_rest from public, anon, authenticated, service_role;

-- Nobody but their owners sees anything of these accounts from here on, and no session of theirs goes on. The one that asked for it
-- hears by the answer.
create function private.withdraw_accounts(user_ids uuid[], asking_session uuid default null) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  sessions uuid[];
  session_id uuid;
begin
  delete from public.shared_with s using public.categories c where c.id = s.category_id and c.user_id = any (user_ids);
  update public.categories set is_public = false where user_id = any (user_ids) and is_public;
  -- The pages that are open there are told to look (20261121102530).
  with ended as (delete from auth.sessions s where s.user_id = any (user_ids) returning s.id)
  select array_agg(e.id) into sessions from ended e where e.id is distinct from asking_session;
  foreach session_id in array coalesce(sessions, '{}') loop
    perform realtime.send('{}', 'ended', 'session:' || session_id, false);
  end loop;
end
$$;

-- Closes the account, once: called again it answers the same. Returns until when it can be had back, or null where there is no such
-- account.
create function public.close_account(user_id uuid, asking_session uuid default null) returns timestamptz
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  until timestamptz;
begin
  if exists (select from private.installation i where i.admin_user_id = $1) then
    raise exception using errcode = 'PT409', message = 'A conta que administra esta instalação não pode ser excluída';
  end if;
  -- A sign-in at the same moment waits here, or has to be waited for: it comes before or after, whole.
  perform from auth.users u where u.id = $1 for update;
  if not found then
    return null;
  end if;
  select c.purge_after into until
  from private.account_closures c where c.user_id = $1 and c.reason = 'deletion' and c.reopened_at is null;
  if found then
    return until;
  end if;

  insert into private.account_closures as c (user_id, reason, purge_after)
  values ($1, 'deletion', now() + private.restore_window())
  on conflict on constraint account_closures_pkey do update set
    id = excluded.id, reason = excluded.reason, closed_at = excluded.closed_at, purge_after = excluded.purge_after,
    reopened_at = null, is_notice_due = false
  returning c.purge_after into until;
  perform private.withdraw_accounts(array[$1], asking_session);
  insert into private.account_events (event, closure_id)
  select 'deleted', c.id from private.account_closures c where c.user_id = $1;
  insert into private.account_mails (user_id, kind, occasion, deadline) values ($1, 'deleted', now(), until);
  return until;
end
$$;

-- What the account had shared when it was suspended, as it was, whatever its plan is by now: it is given back and not extended.
create function private.share_again(user_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  insert into private.restorations (user_id, link_count, category_count) values ($1, 0, 0);
  update public.categories c set is_public = true
  where c.user_id = $1 and c.id in (select r.category_id from private.shares_at_rest r where r.user_id = $1 and r.email is null);
  insert into public.shared_with (category_id, email, created_at)
  select r.category_id, r.email, r.created_at from private.shares_at_rest r where r.user_id = $1 and r.email is not null
  on conflict do nothing;
  delete from private.shares_at_rest r where r.user_id = $1;
  delete from private.restorations r where r.user_id = $1;
end
$$;

-- Whoever signs in is back. A refreshed session is no sign-in; there is none left to refresh. An account whose data is going
-- already cannot be signed in to.
create function private.reopen_account() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  closure private.account_closures;
begin
  update private.account_closures c
  set reopened_at = new.last_sign_in_at, is_notice_due = true
  where c.user_id = new.id and c.reopened_at is null and c.purge_started_at is null
  returning * into closure;
  if not found then
    return null;
  end if;
  insert into private.account_events (event, closure_id) values ('reopened', closure.id);
  if closure.reason = 'inactivity' then
    begin
      perform private.share_again(new.id);
    exception when others then
      -- Nobody is locked out for what could not be shared again.
      raise warning 'shares of user % stay at rest: %', new.id, sqlerrm;
    end;
  end if;
  return null;
end
$$;
create trigger account_closures_end_with_sign_in after update of last_sign_in_at on auth.users
  for each row when (new.last_sign_in_at is distinct from old.last_sign_in_at)
  execute function private.reopen_account();

-- Told once, to whoever has just signed in: 'deletion' or 'inactivity' is over; null when there is nothing to tell.
create function public.take_reopening_notice() returns text
  language sql
  security definer
  set search_path = ''
as $$
  update private.account_closures c set is_notice_due = false
  where c.user_id = private.caller_id() and c.is_notice_due
  returning c.reason
$$;

revoke all on function private.restore_window(), private.withdraw_accounts(uuid[], uuid), private.share_again(uuid),
  private.reopen_account() from public;
revoke all on function public.close_account(uuid, uuid), public.take_reopening_notice()
  from public, anon, authenticated, service_role;
grant execute on function public.close_account(uuid, uuid) to service_role;
grant execute on function public.take_reopening_notice() to authenticated;
comment on function public.take_reopening_notice() is 'Why the account was closed until the caller signed in. Nullable.';
comment on function public.close_account(uuid, uuid) is 'Until when the account can be had back. Nullable.';
