-- Whoever is invited to a folder gets a mail: from the queue of invitations to categories, under its limits and its unsubscriptions. It is
-- queued in the transaction that invites, whoever writes the row. Changed roles, and members that come back with their folder out of the
-- bin, are announced by nothing.

alter table private.share_notifications
  alter column category_id drop not null,
  -- No foreign key, as for categories: a folder that is deleted and brought back must not be announced a second time.
  add column folder_id uuid,
  add constraint share_notifications_of_one_thing check (num_nonnulls(category_id, folder_id) = 1),
  add constraint share_notifications_one_per_folder unique (folder_id, mailbox);

-- Folders' addresses that are to be told: while the owner's plan shares and the owner's account is open, whoever has an account or not.
create view private.folder_invitations as
  select m.folder_id, m.email, m.role
  from public.folder_members m
  join public.profiles p on p.id = m.owner_id
  join private.plan_limits l on l.plan = p.plan
  where l.can_share and not exists (
    select from private.account_closures c where c.user_id = m.owner_id and c.reopened_at is null
  );
revoke all on private.folder_invitations from public, anon, authenticated, service_role;

-- Whether what a notification announces still holds. Nobody is invited in the name of a closed account.
create function private.is_share_standing(notification private.share_notifications) returns boolean
  language sql stable
  set search_path = ''
as $$
  select case
    when notification.folder_id is null then exists (
      select from public.shared_with s where s.category_id = notification.category_id and s.email = notification.email
    )
    else exists (
      select from private.folder_invitations i where i.folder_id = notification.folder_id and i.email = notification.email
    ) and not exists (
      select from private.account_closures c where c.user_id = notification.sender_id and c.reopened_at is null
    )
  end
$$;

-- Queues those who were added by a person, as private.enqueue_share_notifications does for categories: a sender whose queue is full queues
-- no more, and what was never sent (removed and invited again, say) is due anew.
create function private.enqueue_folder_notifications() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  room integer;
begin
  if caller is null or exists (select from private.restorations) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications of ' || caller, 0));
  room := 1000 - (
    select count(*) from private.share_notifications n where n.sender_id = caller and n.state = 'waiting'
  );
  insert into private.share_notifications as n (folder_id, sender_id, email)
  select w.folder_id, caller, w.email
  from (
    select distinct on (a.folder_id, private.mailbox_of(a.email)) a.folder_id, a.email, a.created_at
    from added a
    order by a.folder_id, private.mailbox_of(a.email), a.created_at, a.email
  ) as w
  order by w.created_at, w.email
  limit greatest(room, 0)
  on conflict on constraint share_notifications_one_per_folder do update set
    state = 'waiting', email = excluded.email, sender_id = excluded.sender_id, queued_at = now(), next_attempt_at = now(), attempts = 0
  where n.state = 'expired'
    or n.state = 'waiting' and (n.attempts = 0 or not exists (
      select from public.folder_members m where m.folder_id = n.folder_id and m.email = n.email
    ));
  return null;
end
$$;
-- By its name after folder_members_limit: the sender's lock comes after the owner's counts, as where a category's list is saved.
create trigger folder_members_notify after insert on public.folder_members
  referencing new table as added for each statement execute function private.enqueue_folder_notifications();

-- As before, of categories or of folders: limits count both.
drop function private.list_due_share_notifications(uuid);
create function private.list_due_share_notifications(for_category uuid, of_folders boolean) returns setof uuid
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
    where n.state = 'waiting' and n.next_attempt_at <= now()
      and (n.folder_id is not null) = of_folders
      and (for_category is null or n.category_id = for_category)
      and n.sender_id not in (select f.sender_id from full_senders f)
      and n.mailbox not in (select f.mailbox from full_mailboxes f)
      and private.is_share_standing(n)
      and not private.wants_no_share_mail(n.mailbox)
      and private.may_send_share_mail(n.id, n.sender_id, n.email)
  ) as due
  order by due.turn, due.next_attempt_at, due.queued_at, due.id
  limit 1000
$$;

-- Up to so many that are due, leased for five minutes. One call after the other, of either kind, so the limits hold however many workers
-- there are.
create function private.lease_share_notifications(max integer, for_category uuid, of_folders boolean) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  candidate uuid;
  leased uuid[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications', 0));
  perform private.tidy_share_notifications();
  for candidate in select private.list_due_share_notifications(for_category, of_folders) loop
    exit when cardinality(leased) >= least(greatest(coalesce(max, 10), 0), 100);
    update private.share_notifications n
    set state = 'sending', claimed_at = now(), leased_until = now() + interval '5 minutes', started_at = null,
      attempts = n.attempts + 1
    where n.id = candidate and n.state = 'waiting'
      and private.may_send_share_mail(n.id, n.sender_id, n.email);
    if found then
      leased := leased || candidate;
    end if;
  end loop;

  insert into private.share_mail_addresses (email)
  select distinct n.email from private.share_notifications n where n.id = any (leased)
  on conflict do nothing;
  return leased;
end
$$;

-- As before: mails to people who were invited to a category, and no others: a copy of the server that knows of no folders asks for them.
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
  claimed uuid[] := private.lease_share_notifications(max, for_category, false);
begin
  return query
    select n.id, n.category_id, n.email, c.name, c.description, c.name_users, a.token, n.attempts, n.queued_at
    from unnest(claimed) with ordinality as k(id, place)
    join private.share_notifications n on n.id = k.id
    join public.categories c on c.id = n.category_id
    join private.share_mail_addresses a on a.email = n.email
    order by k.place;
end
$$;

-- The same for folders. Whoever invited is named, which may be a manager; the first category is the first in the list that the invited
-- person sees, none in a folder without any.
create function public.claim_folder_notifications(max integer default 10)
  returns table (
    id uuid,
    folder_id uuid,
    email text,
    folder_name text,
    role text,
    sender_name text,
    first_category_id uuid,
    unsubscribe_token uuid,
    attempts integer,
    queued_at timestamptz
  )
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  claimed uuid[] := private.lease_share_notifications(max, null, true);
begin
  return query
    select n.id, n.folder_id, n.email, f.name, m.role, p.name,
      (
        select c.id from public.categories c
        where c.folder_id = n.folder_id and not c.is_held_back
        order by lower(c.name), c.id limit 1
      ),
      a.token, n.attempts, n.queued_at
    from unnest(claimed) with ordinality as k(id, place)
    join private.share_notifications n on n.id = k.id
    join public.folders f on f.id = n.folder_id
    join public.folder_members m on m.folder_id = n.folder_id and m.email = n.email
    join public.profiles p on p.id = n.sender_id
    join private.share_mail_addresses a on a.email = n.email
    order by k.place;
end
$$;

-- As before, of either kind.
create or replace function public.begin_share_notification(id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  allowed boolean;
begin
  select private.is_share_standing(n) and not private.wants_no_share_mail(n.mailbox)
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

revoke all on function private.is_share_standing(private.share_notifications), private.enqueue_folder_notifications(),
  private.list_due_share_notifications(uuid, boolean), private.lease_share_notifications(integer, uuid, boolean) from public;
revoke all on function public.claim_folder_notifications(integer) from public, anon, authenticated, service_role;
grant execute on function public.claim_folder_notifications(integer) to service_role;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.claim_folder_notifications(integer) is
  'Mails to people invited to folders that are due. Nullable: sender_name, first_category_id.';
