-- The queue of share_notifications, for whoever sends: claim, begin, finish. Only the service role calls these.
--
-- A worker that dies between claiming and beginning loses nothing: its lease ends and another claims. One that dies after beginning
-- may have sent, so that mail is never tried again: nobody gets two.

-- What may go out: an hour and a day of a sender, a day of a receiver. What is more waits, three days at most.
create function private.may_send_share_mail(notification_id uuid, sender_id uuid, email text) returns boolean
  language sql stable
  set search_path = ''
as $$
  select
    (select count(*) from private.share_notifications o
     where o.sender_id = $2 and o.claimed_at > now() - interval '1 hour' and o.id <> $1) < 50
    and (select count(*) from private.share_notifications o
     where o.sender_id = $2 and o.claimed_at > now() - interval '1 day' and o.id <> $1) < 200
    and (select count(*) from private.share_notifications o
     where o.email = $3 and o.claimed_at > now() - interval '1 day' and o.id <> $1) < 10
$$;

create function private.share_notification_retry(attempts integer) returns interval
  language sql immutable
  set search_path = ''
as $$ select least(interval '1 minute' * power(2, least(attempts, 10)), interval '6 hours') $$;

-- Leases that ran out, what is too old to be sent, and what is old enough to be forgotten.
create function private.tidy_share_notifications() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update private.share_notifications
  set state = case when started_at is null then 'waiting' else 'sent' end, leased_until = null
  where state = 'sending' and leased_until < now();
  update private.share_notifications set state = 'expired'
  where state = 'waiting' and queued_at < now() - interval '3 days';
  delete from private.share_notifications where queued_at < now() - interval '30 days';
end
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
  candidate record;
  claimed uuid[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications', 0));
  perform private.tidy_share_notifications();
  for candidate in
    select n.id
    from private.share_notifications n
    join public.shared_with s on s.category_id = n.category_id and s.email = n.email
    where n.state = 'waiting' and n.next_attempt_at <= now()
      and (for_category is null or n.category_id = for_category)
      and not exists (
        select from private.share_mail_addresses a where a.email = n.email and a.unsubscribed_at is not null
      )
      and private.may_send_share_mail(n.id, n.sender_id, n.email)
    order by n.next_attempt_at, n.queued_at, n.id
    limit 1000
  loop
    exit when cardinality(claimed) >= least(greatest(coalesce(max, 10), 0), 100);
    update private.share_notifications n
    set state = 'sending', claimed_at = now(), leased_until = now() + interval '5 minutes', started_at = null,
      attempts = n.attempts + 1
    where n.id = candidate.id and n.state = 'waiting'
      and private.may_send_share_mail(n.id, n.sender_id, n.email);
    if found then
      claimed := claimed || candidate.id;
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
    and not exists (
      select from private.share_mail_addresses a where a.email = n.email and a.unsubscribed_at is not null
    )
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

-- No more mails of this kind to the address with this key, from anybody; or, with `stop` false, mails again. Returns the address,
-- or null for a key that is none: whoever has the key has the mail.
create function public.unsubscribe_share_mail(token uuid, stop boolean default true) returns text
  language sql
  security definer
  set search_path = ''
as $$
  update private.share_mail_addresses a
  set unsubscribed_at = case when coalesce($2, true) then coalesce(a.unsubscribed_at, now()) end
  where a.token = $1
  returning a.email
$$;

revoke all on function private.may_send_share_mail(uuid, uuid, text), private.share_notification_retry(integer),
  private.tidy_share_notifications() from public;
revoke all on function public.claim_share_notifications(integer, uuid), public.begin_share_notification(uuid),
  public.finish_share_notification(uuid, text), public.unsubscribe_share_mail(uuid, boolean)
  from public, anon, authenticated, service_role;
grant execute on function public.claim_share_notifications(integer, uuid), public.begin_share_notification(uuid),
  public.finish_share_notification(uuid, text), public.unsubscribe_share_mail(uuid, boolean) to service_role;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.claim_share_notifications(integer, uuid) is
  'Invitation mails that are due. Nullable: description, owner_name.';
