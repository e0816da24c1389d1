-- Mails to people who were invited: what is to be sent, what was, and who wants none. A notification is queued in the transaction
-- that invites. Workers claim, send and report; they may be many, and any of them may die at any moment.
--
-- Invitation mails are no weapon: limits a minute and a day, of a sender and of a receiver over all senders. What is over waits, and of
-- whatever waits nobody holds up anybody else's. Senders learn nothing of it.

-- The mailbox behind an address, where two addresses are one for certain: what follows a plus at providers that say so, and dots at Gmail.
create function private.mailbox_of(email text) returns text
  language sql immutable
  set search_path = ''
as $$
  select case
    when a.name = '' then lower(email)
    when a.domain in ('gmail.com', 'googlemail.com') then replace(a.name, '.', '') || '@gmail.com'
    else a.name || '@' || a.domain
  end
  from (
    select
      case
        when t.domain in (
          'gmail.com', 'googlemail.com', 'outlook.com', 'outlook.com.br', 'hotmail.com', 'live.com', 'icloud.com', 'me.com',
          'mac.com', 'proton.me', 'protonmail.com', 'pm.me', 'fastmail.com'
        ) then split_part(t.name, '+', 1)
        else t.name
      end as name,
      t.domain
    from (
      select regexp_replace(lower(email), '@[^@]*$', '') as name, regexp_replace(lower(email), '^.*@', '') as domain
    ) as t
  ) as a
$$;

create table private.share_notifications (
  id uuid not null default gen_random_uuid(),
  -- No foreign key: a category that is deleted and brought back must not be announced a second time.
  category_id uuid not null,
  email text not null,
  sender_id uuid not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- Until then the worker that claimed it may be at it.
  leased_until timestamptz,
  -- When a worker last took it; what the limits count.
  claimed_at timestamptz,
  -- When it was handed to the mail server. Unknown what became of it, it is never sent again.
  started_at timestamptz,
  sent_at timestamptz,
  mailbox text not null generated always as (private.mailbox_of(email)) stored,
  constraint share_notifications_pkey primary key (id),
  -- One for a mailbox and a category, as long as the row lives (30 days): inviting, removing and inviting again is no way
  -- to fill somebody's inbox.
  constraint share_notifications_one_per_mailbox unique (category_id, mailbox),
  constraint share_notifications_sender_id_fkey foreign key (sender_id) references public.profiles (id) on delete cascade,
  constraint share_notifications_state_known check (state in ('waiting', 'sending', 'sent', 'refused', 'expired'))
);
create index share_notifications_due on private.share_notifications (next_attempt_at) where state = 'waiting';
create index share_notifications_leased on private.share_notifications (leased_until) where state = 'sending';
create index share_notifications_of_sender on private.share_notifications (sender_id, claimed_at);
create index share_notifications_of_receiver on private.share_notifications (mailbox, claimed_at);
create index share_notifications_claimed on private.share_notifications (claimed_at) where claimed_at is not null;
create index share_notifications_oldest on private.share_notifications (queued_at);

-- Every address that was ever written to, with the key of its unsubscribe link.
create table private.share_mail_addresses (
  email text not null,
  token uuid not null default gen_random_uuid(),
  unsubscribed_at timestamptz,
  mailbox text not null generated always as (private.mailbox_of(email)) stored,
  constraint share_mail_addresses_pkey primary key (email),
  constraint share_mail_addresses_token_unique unique (token)
);
create index share_mail_addresses_of_mailbox on private.share_mail_addresses (mailbox);

alter table private.share_notifications enable row level security;
alter table private.share_mail_addresses enable row level security;
revoke all on private.share_notifications, private.share_mail_addresses from public, anon, authenticated, service_role;

-- Queues those of the addresses that stand in the list since less than a day and are not queued yet. A sender whose queue is full
-- queues no more, and it is counted by one call at a time. What was never sent (revoked and invited again, say) is due anew.
create function private.enqueue_share_notifications(category_id uuid, sender_id uuid, emails text[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  room integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications of ' || sender_id, 0));
  room := 1000 - (
    select count(*) from private.share_notifications n where n.sender_id = $2 and n.state = 'waiting'
  );
  insert into private.share_notifications as n (category_id, sender_id, email)
  select $1, $2, w.email
  from (
    select distinct on (private.mailbox_of(s.email)) s.email, s.created_at
    from public.shared_with s
    where s.category_id = $1 and s.email = any ($3) and s.created_at > now() - interval '1 day'
    order by private.mailbox_of(s.email), s.created_at, s.email
  ) as w
  order by w.created_at, w.email
  limit greatest(room, 0)
  on conflict on constraint share_notifications_one_per_mailbox do update set
    state = 'waiting', email = excluded.email, sender_id = excluded.sender_id, queued_at = now(), next_attempt_at = now(), attempts = 0
  where n.state = 'expired'
    or n.state = 'waiting' and (n.attempts = 0 or not exists (
      select from public.shared_with s where s.category_id = n.category_id and s.email = n.email
    ));
end
$$;

-- For clients that write the list themselves and ask for the mails afterwards. Returns how many of the addresses stand in the list
-- and were invited within a day: who has an account, who unsubscribed and who was written to already makes no difference.
create function public.queue_share_notifications(category_id uuid, emails text[]) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  wanted text[];
  queued integer;
begin
  if cardinality(emails) > 100 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por vez';
  elsif private.caller_id() is null
    or not exists (select from public.categories c where c.id = $1 and c.user_id = private.caller_id())
  then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  wanted := array(select lower(btrim(given.email, E' \t\r\n')) from unnest(emails) as given(email));
  perform private.enqueue_share_notifications($1, private.caller_id(), wanted);
  select count(*) into queued from public.shared_with s
  where s.category_id = $1 and s.email = any (wanted) and s.created_at > now() - interval '1 day';
  return queued;
end
$$;

-- The queue, for whoever sends: claim, begin, finish. Only the service role calls these.
--
-- A worker that dies between claiming and beginning loses nothing: its lease ends and another claims. One that dies after beginning
-- may have sent, so that mail is never tried again: nobody gets two.

-- What may go out. Of a receiver's day one sender has half, so that nobody uses it up for the others.
create function private.may_send_share_mail(notification_id uuid, sender_id uuid, email text) returns boolean
  language sql stable
  set search_path = ''
as $$
  select
    (select count(*) filter (where o.claimed_at > now() - interval '1 minute') < 25
       and count(*) filter (where o.claimed_at > now() - interval '1 hour') < 50
       and count(*) < 200
     from private.share_notifications o
     where o.sender_id = $2 and o.claimed_at > now() - interval '1 day' and o.id <> $1)
    and (select count(*) filter (where o.claimed_at > now() - interval '1 minute') < 3
       and count(*) filter (where o.sender_id = $2) < 5
       and count(*) < 10
     from private.share_notifications o
     where o.mailbox = private.mailbox_of($3) and o.claimed_at > now() - interval '1 day' and o.id <> $1)
$$;

create function private.share_notification_retry(attempts integer) returns interval
  language sql immutable
  set search_path = ''
as $$ select least(interval '1 minute' * power(2, least(attempts, 10)), interval '6 hours') $$;

-- Leases that ran out, what is too old to be sent (a week, in which a full queue goes out at two hundred a day), and what is old
-- enough to be forgotten.
create function private.tidy_share_notifications() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update private.share_notifications
  set state = case when started_at is null then 'waiting' else 'sent' end, leased_until = null
  where state = 'sending' and leased_until < now();
  update private.share_notifications set state = 'expired'
  where state = 'waiting' and queued_at < now() - interval '7 days';
  delete from private.share_notifications where queued_at < now() - interval '30 days';
end
$$;

create function private.wants_no_share_mail(mailbox text) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (
    select from private.share_mail_addresses a where a.mailbox = $1 and a.unsubscribed_at is not null
  )
$$;

-- What is due and may go, a sender's first before anybody's second. Who has used up a limit is left out at once, however much of
-- theirs waits; the claim looks at each again.
create function private.list_due_share_notifications(for_category uuid) returns setof uuid
  language sql stable
  set search_path = ''
as $$
  with recent as materialized (
    select o.sender_id, o.mailbox, o.claimed_at from private.share_notifications o where o.claimed_at > now() - interval '1 day'
  ), full_senders as materialized (
    select r.sender_id from recent r group by r.sender_id
    having count(*) >= 200 or count(*) filter (where r.claimed_at > now() - interval '1 hour') >= 50
      or count(*) filter (where r.claimed_at > now() - interval '1 minute') >= 25
  ), full_mailboxes as materialized (
    select r.mailbox from recent r group by r.mailbox
    having count(*) >= 10 or count(*) filter (where r.claimed_at > now() - interval '1 minute') >= 3
  )
  select due.id
  from (
    select n.id, n.next_attempt_at, n.queued_at,
      row_number() over (partition by n.sender_id order by n.next_attempt_at, n.queued_at, n.id) as turn
    from private.share_notifications n
    join public.shared_with s on s.category_id = n.category_id and s.email = n.email
    where n.state = 'waiting' and n.next_attempt_at <= now()
      and (for_category is null or n.category_id = for_category)
      and n.sender_id not in (select f.sender_id from full_senders f)
      and n.mailbox not in (select f.mailbox from full_mailboxes f)
      and not private.wants_no_share_mail(n.mailbox)
      and private.may_send_share_mail(n.id, n.sender_id, n.email)
  ) as due
  order by due.turn, due.next_attempt_at, due.queued_at, due.id
  limit 1000
$$;

-- Up to so many mails that are due, theirs for five minutes. What was revoked, deleted or unsubscribed meanwhile is not among them.
-- Texts are as they are now. Claims come one after the other, so the limits hold however many workers there are.
create function public.claim_share_notifications(max integer default 10, for_category uuid default null)
  returns table (
    id uuid,
    category_id uuid,
    email text,
    category_name text,
    description text,
    owner_name text,
    unsubscribe_token uuid,
    attempts integer,
    queued_at timestamptz
  )
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  candidate uuid;
  claimed uuid[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications', 0));
  perform private.tidy_share_notifications();
  for candidate in select private.list_due_share_notifications(for_category) loop
    exit when cardinality(claimed) >= least(greatest(coalesce(max, 10), 0), 100);
    update private.share_notifications n
    set state = 'sending', claimed_at = now(), leased_until = now() + interval '5 minutes', started_at = null,
      attempts = n.attempts + 1
    where n.id = candidate and n.state = 'waiting'
      and private.may_send_share_mail(n.id, n.sender_id, n.email);
    if found then
      claimed := claimed || candidate;
    end if;
  end loop;

  insert into private.share_mail_addresses (email)
  select distinct n.email from private.share_notifications n where n.id = any (claimed)
  on conflict do nothing;
  return query
    select n.id, n.category_id, n.email, c.name, c.description, c.name_users, a.token, n.attempts, n.queued_at
    from unnest(claimed) with ordinality as k(id, place)
    join private.share_notifications n on n.id = k.id
    join public.categories c on c.id = n.category_id
    join private.share_mail_addresses a on a.email = n.email
    order by k.place;
end
$$;

-- To be asked right before the mail is handed over: may it still go? Once only, for whoever holds the lease; after a no, it is
-- nobody's again.
create function public.begin_share_notification(id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  allowed boolean;
begin
  select exists (select from public.shared_with s where s.category_id = n.category_id and s.email = n.email)
    and not private.wants_no_share_mail(n.mailbox)
  into allowed
  from private.share_notifications n
  where n.id = $1 and n.state = 'sending' and n.started_at is null and n.leased_until > now()
  for update;
  if allowed then
    update private.share_notifications n set started_at = now() where n.id = $1;
  elsif not allowed then
    update private.share_notifications n
    set state = 'waiting', leased_until = null, claimed_at = null, attempts = n.attempts - 1
    where n.id = $1;
  end if;
  return coalesce(allowed, false);
end
$$;

-- What became of it: 'sent'; 'refused' (the address takes no mail, for good); 'retry' (surely not sent: the mail server was away, or
-- put it off), which comes back after one, two, four … minutes, at most six hours. False when it was not being sent.
create function public.finish_share_notification(id uuid, outcome text) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  update private.share_notifications n
  set state = case outcome when 'retry' then 'waiting' else outcome end,
    sent_at = case outcome when 'sent' then now() end,
    leased_until = null,
    started_at = case outcome when 'retry' then null else n.started_at end,
    -- Counted by the limits is what may have reached somebody.
    claimed_at = case outcome when 'retry' then null else n.claimed_at end,
    next_attempt_at = case outcome
      when 'retry' then now() + private.share_notification_retry(n.attempts - 1) else n.next_attempt_at
    end
  where n.id = $1 and n.state = 'sending';
  return found;
end
$$;

-- No more mails of this kind to any address of the mailbox that this key belongs to, from anybody; or, with `stop` false, mails again.
-- Returns the address, or null for a key that is none: whoever has the key has the mail.
create function public.unsubscribe_share_mail(token uuid, stop boolean default true) returns text
  language sql
  security definer
  set search_path = ''
as $$
  with meant as (
    select a.email, a.mailbox from private.share_mail_addresses a where a.token = $1
  ), changed as (
    update private.share_mail_addresses a
    set unsubscribed_at = case when coalesce($2, true) then coalesce(a.unsubscribed_at, now()) end
    from meant m
    where a.mailbox = m.mailbox
  )
  select m.email from meant m
$$;

revoke all on function private.mailbox_of(text), private.enqueue_share_notifications(uuid, uuid, text[]),
  private.may_send_share_mail(uuid, uuid, text), private.share_notification_retry(integer),
  private.tidy_share_notifications(), private.wants_no_share_mail(text), private.list_due_share_notifications(uuid)
  from public;
revoke all on function public.queue_share_notifications(uuid, text[]), public.claim_share_notifications(integer, uuid),
  public.begin_share_notification(uuid), public.finish_share_notification(uuid, text),
  public.unsubscribe_share_mail(uuid, boolean) from public, anon, authenticated, service_role;
grant execute on function public.queue_share_notifications(uuid, text[]) to authenticated;
grant execute on function public.claim_share_notifications(integer, uuid), public.begin_share_notification(uuid),
  public.finish_share_notification(uuid, text), public.unsubscribe_share_mail(uuid, boolean) to service_role;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.claim_share_notifications(integer, uuid) is
  'Invitation mails that are due. Nullable: description, owner_name.';
