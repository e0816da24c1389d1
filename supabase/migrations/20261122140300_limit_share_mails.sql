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

alter table private.share_mail_addresses
  add column mailbox text not null generated always as (private.mailbox_of(email)) stored;
create index share_mail_addresses_of_mailbox on private.share_mail_addresses (mailbox);
alter table private.share_notifications
  add column mailbox text not null generated always as (private.mailbox_of(email)) stored;
drop index private.share_notifications_of_receiver;
create index share_notifications_of_receiver on private.share_notifications (mailbox, claimed_at);
create index share_notifications_claimed on private.share_notifications (claimed_at) where claimed_at is not null;

-- One mail for a mailbox and a category; of two that stand there, the one that went out or is on its way.
delete from private.share_notifications n using (
  select s.id, row_number() over (
    partition by s.category_id, s.mailbox order by s.started_at is null, s.state = 'expired', s.queued_at, s.id
  ) as place
  from private.share_notifications s
) as numbered
where numbered.id = n.id and numbered.place > 1;
alter table private.share_notifications drop constraint share_notifications_one_per_invitation;
alter table private.share_notifications add constraint share_notifications_one_per_mailbox unique (category_id, mailbox);

-- As before: by mailbox, and the queue of a sender is counted by one call at a time.
create or replace function private.enqueue_share_notifications(category_id uuid, sender_id uuid, emails text[]) returns void
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

-- What may go out. Of a receiver's day one sender has half, so that nobody uses it up for the others.
create or replace function private.may_send_share_mail(notification_id uuid, sender_id uuid, email text) returns boolean
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

-- As before; a week, in which a full queue goes out at two hundred a day.
create or replace function private.tidy_share_notifications() returns void
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

create or replace function public.claim_share_notifications(max integer default 10, for_category uuid default null)
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

create or replace function public.begin_share_notification(id uuid) returns boolean
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

-- As before, for every address of the mailbox.
create or replace function public.unsubscribe_share_mail(token uuid, stop boolean default true) returns text
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

revoke all on function private.mailbox_of(text), private.wants_no_share_mail(text),
  private.list_due_share_notifications(uuid) from public;
