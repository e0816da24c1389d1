-- 'Pedir acesso': whoever may not open a category asks for it. Nobody learns by asking that a category exists, nor whose it is: a request
-- for any id is kept and answered alike, and leads to somebody only where there is somebody to ask.

create table private.access_requests (
  id uuid not null default gen_random_uuid(),
  asker_id uuid not null,
  -- No foreign key: it may be of nothing, and what is deleted and brought back has its requests still.
  category_id uuid not null,
  -- Who is asked; null where it leads to nobody.
  owner_id uuid,
  -- The asker's confirmed address, which the owner reads and lets in.
  email text not null,
  note text not null default '',
  asked_at timestamptz not null default now(),
  -- Kept quietly: whom an owner has refused asks them nothing more.
  refused_at timestamptz,
  constraint access_requests_pkey primary key (id),
  constraint access_requests_once unique (asker_id, category_id),
  constraint access_requests_asker_id_fkey foreign key (asker_id) references public.profiles (id) on delete cascade,
  constraint access_requests_owner_id_fkey foreign key (owner_id) references public.profiles (id) on delete set null,
  constraint access_requests_note_length check (char_length(note) <= 280)
);
create index access_requests_of_owner on private.access_requests (owner_id, asked_at) where owner_id is not null;
create index access_requests_oldest on private.access_requests (asked_at);

-- The mails to owners. Apart from the requests: what was sent counts after the answer, too.
create table private.access_request_mails (
  id uuid not null default gen_random_uuid(),
  request_id uuid not null,
  owner_id uuid not null,
  asker_id uuid not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- Until then the worker that claimed it may be at it.
  leased_until timestamptz,
  -- When it was handed to the mail server. Unknown what became of it, it is never sent again.
  started_at timestamptz,
  constraint access_request_mails_pkey primary key (id),
  constraint access_request_mails_owner_id_fkey foreign key (owner_id) references public.profiles (id) on delete cascade,
  constraint access_request_mails_asker_id_fkey foreign key (asker_id) references public.profiles (id) on delete cascade,
  constraint access_request_mails_state_known check (state in ('waiting', 'sending', 'sent', 'refused', 'expired'))
);
create index access_request_mails_of_owner on private.access_request_mails (owner_id, queued_at);
create index access_request_mails_of_asker on private.access_request_mails (asker_id);
create index access_request_mails_due on private.access_request_mails (next_attempt_at) where state = 'waiting';
create trigger access_request_mails_notify after insert on private.access_request_mails
  for each statement execute function private.notify_mail_queued();

alter table private.access_requests enable row level security;
alter table private.access_request_mails enable row level security;
revoke all on private.access_requests, private.access_request_mails from public, anon, authenticated, service_role;

create function private.is_account_closed(person uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (select from private.account_closures c where c.user_id = person and c.reopened_at is null)
$$;

-- What owners have to answer: of categories that are theirs and there, from people who are there and cannot open them yet.
create view private.open_access_requests as
  select r.id, r.owner_id, r.category_id, c.name as category_name, r.asker_id, p.name as asker_name, r.email, r.note, r.asked_at
  from private.access_requests r
  join public.categories c on c.id = r.category_id and c.user_id = r.owner_id and not c.is_public
  join public.profiles p on p.id = r.asker_id
  where r.refused_at is null and not private.is_account_closed(r.asker_id)
    and not exists (select from public.shared_with s where s.category_id = r.category_id and s.email = r.email);
revoke all on private.open_access_requests from public, anon, authenticated, service_role;

-- Who would be asked: no owner who is gone, who has refused this person, or who has a hundred requests to answer already.
create function private.addressee_of_request(category_id uuid, asker uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  select c.user_id from public.categories c
  where c.id = $1 and not c.is_public and c.user_id <> asker and not private.is_account_closed(c.user_id)
    and not exists (
      select from private.access_requests r where r.owner_id = c.user_id and r.asker_id = asker and r.refused_at is not null
    )
    and (select count(*) from private.access_requests r where r.owner_id = c.user_id and r.refused_at is null) < 100
$$;

-- Owners' screens hear that something has changed, and ask.
create function private.tell_owner_of_requests(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform realtime.send('{}', 'changed', 'requests:' || owner, true);
end
$$;
create policy messages_hear_own_requests on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'requests:' || (select auth.uid()));

-- At most three mails a day to one owner, and one of them about the same asker: the rest is told in the app alone.
create function private.queue_access_request_mail(request private.access_requests) returns void
  language sql
  set search_path = ''
as $$
  insert into private.access_request_mails (request_id, owner_id, asker_id)
  select request.id, request.owner_id, request.asker_id
  where (
    select count(*) < 3 and count(*) filter (where m.asker_id = request.asker_id) = 0
    from private.access_request_mails m where m.owner_id = request.owner_id and m.queued_at > now() - interval '1 day'
  )
$$;

-- Asks for a category, with a line for its owner. Says nothing of the category, whatever it is: errors are of the asker alone. Asking again
-- within 30 days changes nothing.
create function public.request_access(category_id uuid, note text default '') returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  asker constant uuid := private.caller_id();
  address text;
  addressee uuid;
  request private.access_requests;
begin
  if asker is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  elsif $1 is null then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para o pedido';
  elsif char_length(coalesce($2, '')) > 280 then
    raise exception using errcode = 'PT400', message = 'A mensagem pode ter no máximo 280 caracteres';
  end if;
  select lower(u.email) into address from auth.users u where u.id = asker and u.email_confirmed_at is not null;
  if address is null then
    raise exception using errcode = 'PT403', message = 'Confirme seu e-mail para pedir acesso', hint = 'address_unconfirmed';
  end if;
  -- One after the other: limits hold.
  perform pg_advisory_xact_lock(hashtextextended('private.access_requests of ' || asker, 0));
  delete from private.access_requests r where r.refused_at is null and r.asked_at < now() - interval '30 days';
  if exists (
    select from private.access_requests r
    where r.asker_id = asker and r.category_id = $1 and r.asked_at > now() - interval '30 days'
  ) then
    return;
  elsif (
    select count(*) from private.access_requests r where r.asker_id = asker and r.asked_at > now() - interval '1 day'
  ) >= 20 then
    raise exception using
      errcode = 'PT429', message = 'Você já fez muitos pedidos hoje. Tente de novo amanhã.', hint = 'too_many_requests';
  end if;

  if coalesce(private.category_access($1), 'denied') = 'denied' then
    perform pg_advisory_xact_lock(hashtextextended('requests to ' || c.user_id, 0)) from public.categories c where c.id = $1;
    addressee := private.addressee_of_request($1, asker);
  end if;
  insert into private.access_requests as r (asker_id, category_id, owner_id, email, note)
  values (asker, $1, addressee, address, btrim(regexp_replace(coalesce($2, ''), '\s+', ' ', 'g')))
  on conflict on constraint access_requests_once do update set asked_at = now()
  returning r.* into request;
  if addressee is not null then
    perform private.queue_access_request_mail(request);
    perform private.tell_owner_of_requests(addressee);
  end if;
end
$$;

-- Whether the caller has asked for it within 30 days, for its page: the same whatever has become of it.
create function public.has_requested_access(category_id uuid) returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select exists (
    select from private.access_requests r
    where r.asker_id = private.caller_id() and r.category_id = $1 and r.asked_at > now() - interval '30 days'
  )
$$;

-- What the caller asked for, for the copy of their account: the same whatever has become of it.
create function public.list_own_access_requests()
  returns table (category_id uuid, note text, asked_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select r.category_id, r.note, r.asked_at from private.access_requests r
  where r.asker_id = private.caller_id() order by r.asked_at, r.id
$$;

-- The requests that wait for the caller's answer, the oldest first.
create function public.list_access_requests()
  returns table (id uuid, category_id uuid, category_name text, asker_name text, email text, note text, asked_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select r.id, r.category_id, r.category_name, r.asker_name, r.email, r.note, r.asked_at
  from private.open_access_requests r where r.owner_id = private.caller_id()
  order by r.asked_at, r.id limit 100
$$;
comment on function public.list_access_requests() is 'Requests for one''s own categories. Nullable: asker_name.';

-- The owner's answer. Allowing invites the asker, with all that holds of invitations: plan, limits, mail. Refusing says nothing to
-- anybody; null takes a refusal back, for as long as it can be undone.
create function public.answer_access_request(request_id uuid, allow boolean) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.caller_id();
  request private.access_requests;
begin
  select r.* into request from private.access_requests r where r.id = $1 and r.owner_id = caller;
  -- As whoever saves the list does: one after the other, and the category's row before the request's.
  perform from public.categories c where c.id = request.category_id and c.user_id = caller for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pedido não encontrado';
  elsif $2 then
    delete from private.access_requests r
    where r.id = $1 and r.id in (select o.id from private.open_access_requests o where o.owner_id = caller);
  else
    update private.access_requests r set refused_at = case when not $2 then now() end
    where r.id = $1 and case
      when $2 is null then r.refused_at > now() - private.undo_window()
      else r.refused_at is null
    end;
  end if;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pedido não encontrado';
  end if;
  if $2 then
    -- Who asks has thought better of having left.
    delete from private.left_shares l where l.user_id = request.asker_id and l.category_id = request.category_id;
    insert into public.shared_with (category_id, email) values (request.category_id, request.email);
    perform private.enqueue_share_notifications(request.category_id, caller, array[request.email]);
  end if;
  perform private.tell_owner_of_requests(caller);
end
$$;

-- Another address, or none: what was asked with the old one asks nothing any more. So it is when an account is forgotten.
create function private.end_access_requests() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner uuid;
begin
  for owner in
    with gone as (delete from private.access_requests r where r.asker_id = new.id and r.refused_at is null returning r.owner_id)
    select distinct g.owner_id from gone g where g.owner_id is not null
  loop
    perform private.tell_owner_of_requests(owner);
  end loop;
  if new.email is null then
    delete from private.access_requests r where r.asker_id = new.id;
    update private.access_requests r set owner_id = null, refused_at = null where r.owner_id = new.id;
    delete from private.access_request_mails m where new.id in (m.asker_id, m.owner_id);
  end if;
  return null;
end
$$;
create trigger access_requests_follow_address after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function private.end_access_requests();

-- The queue of mails, as that of invitations: claim, begin, finish. Only the service role calls these.
create function public.claim_access_request_mails(max integer default 10)
  returns table (
    id uuid,
    email text,
    category_id uuid,
    category_name text,
    asker_name text,
    asker_email text,
    note text,
    unsubscribe_token uuid
  )
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  leased uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('private.access_request_mails', 0));
  update private.access_request_mails m
  set state = case when m.started_at is null then 'waiting' else 'sent' end, leased_until = null
  where m.state = 'sending' and m.leased_until < now();
  delete from private.access_request_mails m where m.queued_at < now() - interval '7 days';
  with due as (
    select m.id from private.access_request_mails m
    join private.open_access_requests r on r.id = m.request_id and r.owner_id = m.owner_id
    join auth.users u on u.id = m.owner_id and u.email_confirmed_at is not null
    where m.state = 'waiting' and m.next_attempt_at <= now() and not private.is_account_closed(m.owner_id)
      and not private.wants_no_share_mail(private.mailbox_of(u.email))
    order by m.next_attempt_at, m.queued_at, m.id
    limit least(greatest(coalesce($1, 10), 0), 100)
  ), taken as (
    update private.access_request_mails m
    set state = 'sending', leased_until = now() + interval '5 minutes', started_at = null, attempts = m.attempts + 1
    where m.id in (select d.id from due d)
    returning m.id
  )
  select coalesce(array_agg(t.id), '{}') into leased from taken t;
  insert into private.share_mail_addresses (email)
  select distinct lower(u.email) from private.access_request_mails m join auth.users u on u.id = m.owner_id where m.id = any (leased)
  on conflict do nothing;
  return query
    select m.id, lower(u.email), r.category_id, r.category_name, r.asker_name, r.email, r.note, a.token
    from private.access_request_mails m
    join private.open_access_requests r on r.id = m.request_id
    join auth.users u on u.id = m.owner_id
    join private.share_mail_addresses a on a.email = lower(u.email)
    where m.id = any (leased)
    order by m.next_attempt_at, m.queued_at, m.id;
end
$$;
comment on function public.claim_access_request_mails(integer) is 'Mails about requests for access that are due. Nullable: asker_name.';

-- May it still go? Once only, for whoever holds the lease; after a no, it is nobody's again.
create function public.begin_access_request_mail(id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  allowed boolean;
begin
  select exists (select from private.open_access_requests r where r.id = m.request_id)
    and not private.wants_no_share_mail(private.mailbox_of(u.email))
  into allowed
  from private.access_request_mails m join auth.users u on u.id = m.owner_id
  where m.id = $1 and m.state = 'sending' and m.started_at is null and m.leased_until > now()
  for update of m;
  if allowed then
    update private.access_request_mails m set started_at = now() where m.id = $1;
  elsif not allowed then
    update private.access_request_mails m set state = 'waiting', leased_until = null, attempts = m.attempts - 1 where m.id = $1;
  end if;
  return coalesce(allowed, false);
end
$$;

-- What became of it: 'sent', 'refused' or 'retry', as of invitations. False when it was not being sent.
create function public.finish_access_request_mail(id uuid, outcome text) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  update private.access_request_mails m
  set state = case outcome when 'retry' then 'waiting' else outcome end,
    leased_until = null,
    started_at = case outcome when 'retry' then null else m.started_at end,
    next_attempt_at = case outcome
      when 'retry' then now() + private.share_notification_retry(m.attempts - 1) else m.next_attempt_at
    end
  where m.id = $1 and m.state = 'sending';
  return found;
end
$$;

-- Requests take room as invited addresses do, of whoever asks, and their mails are counted as waiting while they may go.
do $$
declare
  changed record;
  definition text;
begin
  for changed in
    select w.*
    from (values
      ('private.storage_used(uuid[])',
        'from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = o.id)',
        ' + (select coalesce(sum(64 + octet_length(r.email) + octet_length(r.note)), 0) from private.access_requests r where r.asker_id = o.id)'),
      ('private.total_storage_used()',
        'coalesce((select sum(24 + octet_length(s.email)) from public.shared_with s), 0)',
        ' + coalesce((select sum(64 + octet_length(r.email) + octet_length(r.note)) from private.access_requests r), 0)'),
      ('private.written_since(date)',
        'from public.shared_with s where s.created_at >= beginning group by 1;',
        '
  return query
    select private.brasilia_day(r.asked_at), 0::bigint, sum(64 + octet_length(r.email) + octet_length(r.note))::numeric
    from private.access_requests r where r.asked_at >= beginning group by 1;'),
      ('private.measure_installation()',
        'where private.may_send_share_mail(n.id, n.sender_id, n.email)',
        '
        union all
        select ''access_request'', count(*), min(m.queued_at)
        from private.access_request_mails m
        join private.open_access_requests r on r.id = m.request_id
        join auth.users u on u.id = m.owner_id
        where m.state in (''waiting'', ''sending'') and not private.wants_no_share_mail(private.mailbox_of(u.email))')
    ) as w(name, counts, further)
  loop
    definition := pg_catalog.pg_get_functiondef(to_regprocedure(changed.name));
    if definition is null or position(changed.counts in definition) = 0 then
      raise exception '% does not count %', changed.name, changed.counts;
    end if;
    execute replace(definition, changed.counts, changed.counts || changed.further);
  end loop;
end
$$;

revoke all on function private.is_account_closed(uuid), private.addressee_of_request(uuid, uuid), private.tell_owner_of_requests(uuid),
  private.queue_access_request_mail(private.access_requests), private.end_access_requests() from public;
revoke all on function public.request_access(uuid, text), public.has_requested_access(uuid), public.list_own_access_requests(),
  public.list_access_requests(), public.answer_access_request(uuid, boolean), public.claim_access_request_mails(integer),
  public.begin_access_request_mail(uuid), public.finish_access_request_mail(uuid, text)
  from public, anon, authenticated, service_role;
grant execute on function public.request_access(uuid, text), public.has_requested_access(uuid), public.list_own_access_requests(),
  public.list_access_requests(), public.answer_access_request(uuid, boolean) to authenticated;
grant execute on function public.claim_access_request_mails(integer), public.begin_access_request_mail(uuid),
  public.finish_access_request_mail(uuid, text) to service_role;
