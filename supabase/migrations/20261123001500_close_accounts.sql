-- Mails about an account's own life: it was closed, it will be suspended, it is. Queued in the transaction that gives the reason;
-- claimed, begun and finished like invitation mails: nobody gets one twice, and none is lost while a mail server is away.

create table private.account_mails (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  kind text not null,
  -- What it is about: when the account was closed or suspended, or since when nobody has signed in. One mail of a kind each.
  occasion timestamptz not null,
  -- The day that the mail names: until when an account can be had back, or when it will be suspended.
  deadline timestamptz not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  constraint account_mails_pkey primary key (id),
  constraint account_mails_one_per_occasion unique (user_id, kind, occasion),
  constraint account_mails_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint account_mails_kind_known check (kind in ('deleted', 'inactive_first', 'inactive_second', 'suspended')),
  constraint account_mails_state_known check (state in ('waiting', 'sending', 'sent', 'refused', 'withdrawn'))
);
create index account_mails_due on private.account_mails (next_attempt_at) where state = 'waiting';
create index account_mails_leased on private.account_mails (leased_until) where state = 'sending';
alter table private.account_mails enable row level security;
revoke all on private.account_mails from public, anon, authenticated, service_role;

-- When each person was last seen: signed in, or a session was refreshed, whichever is later.
create view private.account_activity as
select
  u.id as user_id,
  greatest(
    u.created_at, u.last_sign_in_at,
    (select max(greatest(s.created_at, s.refreshed_at at time zone 'utc')) from auth.sessions s where s.user_id = u.id)
  ) as seen_at
from auth.users u;
revoke all on private.account_activity from public, anon, authenticated, service_role;

-- Whether what the mail says is still so.
create function private.is_account_mail_wanted(mail private.account_mails) returns boolean
  language sql stable
  set search_path = ''
as $$
  select case
    when mail.kind in ('deleted', 'suspended') then exists (
      select from private.account_closures c
      where c.user_id = mail.user_id and c.reopened_at is null and c.closed_at = mail.occasion
    )
    else exists (
      select from private.account_activity a where a.user_id = mail.user_id and a.seen_at = mail.occasion
    )
  end
$$;

-- Up to so many mails that are due, theirs for five minutes. A mail that nobody wants any more ends here.
create function public.claim_account_mails(max integer default 10)
  returns table (id uuid, kind text, email text, name text, deadline timestamptz)
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  claimed uuid[];
begin
  -- Whoever began and never told may have sent it.
  update private.account_mails m
  set state = case when m.started_at is null then 'waiting' else 'sent' end, finished_at = m.started_at, leased_until = null
  where m.state = 'sending' and m.leased_until < now();

  with due as (
    select m.id from private.account_mails m
    where m.state = 'waiting' and m.next_attempt_at <= now()
    order by m.next_attempt_at, m.id
    limit least(greatest(coalesce(max, 10), 0), 100)
    for update skip locked
  ), taken as (
    update private.account_mails m
    set state = case when private.is_account_mail_wanted(m) and u.email is not null then 'sending' else 'withdrawn' end,
      leased_until = now() + interval '5 minutes', attempts = m.attempts + 1, started_at = null
    from due, auth.users u where m.id = due.id and u.id = m.user_id
    returning m.id, m.state
  )
  select array_agg(t.id) into claimed from taken t where t.state = 'sending';
  return query
    select m.id, m.kind, u.email::text, p.name, m.deadline
    from private.account_mails m
    join auth.users u on u.id = m.user_id
    join public.profiles p on p.id = m.user_id
    where m.id = any (claimed)
    order by m.queued_at, m.id;
end
$$;

-- To be asked right before the mail is handed over: may it still go? Once only, for whoever holds the lease.
create function public.begin_account_mail(id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  wanted boolean;
begin
  select private.is_account_mail_wanted(m) into wanted
  from private.account_mails m
  where m.id = $1 and m.state = 'sending' and m.started_at is null and m.leased_until > now()
  for update;
  if wanted then
    update private.account_mails m set started_at = now() where m.id = $1;
  elsif not wanted then
    update private.account_mails m set state = 'withdrawn', leased_until = null where m.id = $1;
  end if;
  return coalesce(wanted, false);
end
$$;

-- What became of it: 'sent'; 'refused' (the address takes no mail, for good); 'retry' (surely not sent), which comes back after one,
-- two, four … minutes, at most six hours. False when it was not being sent.
create function public.finish_account_mail(id uuid, outcome text) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  update private.account_mails m
  set state = case outcome when 'retry' then 'waiting' else outcome end,
    finished_at = case when outcome <> 'retry' then now() end,
    leased_until = null,
    started_at = case outcome when 'retry' then null else m.started_at end,
    next_attempt_at = case outcome
      when 'retry' then now() + private.share_notification_retry(m.attempts - 1) else m.next_attempt_at
    end
  where m.id = $1 and m.state = 'sending';
  return found;
end
$$;

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
  -- The pages that are open there are told to look (private topics of their sessions).
  with ended as (delete from auth.sessions s where s.user_id = any (user_ids) returning s.id)
  select array_agg(e.id) into sessions from ended e where e.id is distinct from asking_session;
  foreach session_id in array coalesce(sessions, '{}') loop
    perform realtime.send('{}', 'ended', 'session:' || session_id, true);
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

revoke all on function private.is_account_mail_wanted(private.account_mails), private.restore_window(),
  private.withdraw_accounts(uuid[], uuid), private.share_again(uuid), private.reopen_account() from public;
revoke all on function public.claim_account_mails(integer), public.begin_account_mail(uuid),
  public.finish_account_mail(uuid, text), public.close_account(uuid, uuid), public.take_reopening_notice()
  from public, anon, authenticated, service_role;
grant execute on function public.claim_account_mails(integer), public.begin_account_mail(uuid),
  public.finish_account_mail(uuid, text), public.close_account(uuid, uuid) to service_role;
grant execute on function public.take_reopening_notice() to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.claim_account_mails(integer) is 'Mails about accounts that are due. Nullable: name.';
comment on function public.take_reopening_notice() is 'Why the account was closed until the caller signed in. Nullable.';
comment on function public.close_account(uuid, uuid) is 'Until when the account can be had back. Nullable.';
