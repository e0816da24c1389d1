-- Mails about an account's own life: it was closed, it will be suspended, it is. Queued in the transaction that gives the reason;
-- claimed, begun and finished like invitation mails (20261121102403): nobody gets one twice, and none is lost while a mail
-- server is away.

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

revoke all on function private.is_account_mail_wanted(private.account_mails) from public;
revoke all on function public.claim_account_mails(integer), public.begin_account_mail(uuid),
  public.finish_account_mail(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.claim_account_mails(integer), public.begin_account_mail(uuid),
  public.finish_account_mail(uuid, text) to service_role;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.claim_account_mails(integer) is 'Mails about accounts that are due. Nullable: name.';
