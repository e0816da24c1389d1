-- 'Resumo diário': what others have added to shared places, in one mail a day at most, for whoever has switched it on. Each
-- person's row is their place in the queue: claim, begin, finish, as of the other mails.
create table private.daily_mails (
  user_id uuid not null,
  -- Set by the link in a mail, which can take it back. Switched off in the profile, the row is gone.
  unsubscribed_at timestamptz,
  -- What was added before is told, or was there when it was switched on.
  told_until timestamptz not null default now(),
  -- The morning that this mail is of; a retry moves the next attempt alone.
  due_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  -- The mail that is made: it tells of the time until then, under the same id however often it is tried, since a mail API takes each id once.
  mail_id uuid,
  window_end timestamptz,
  -- Until then the worker that claimed it may be at it; what it says, as a digest.
  leased_until timestamptz,
  content_hash text,
  -- When it was handed to the mail server. Unknown what became of it, it is never sent again.
  started_at timestamptz,
  constraint daily_mails_pkey primary key (user_id),
  constraint daily_mails_mail_id_key unique (mail_id),
  constraint daily_mails_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint daily_mails_made_or_not check (num_nonnulls(mail_id, window_end) in (0, 2)),
  constraint daily_mails_leased_or_not check (
    num_nonnulls(leased_until, content_hash) in (0, 2) and (leased_until is null or mail_id is not null)
      and (started_at is null or leased_until is not null)
  )
);
create index daily_mails_due on private.daily_mails (next_attempt_at) where unsubscribed_at is null;
create index daily_mails_leased on private.daily_mails (leased_until) where leased_until is not null;
alter table private.daily_mails enable row level security;
revoke all on private.daily_mails from public, anon, authenticated, service_role;

-- Nobody is written to earlier than at eight.
create function private.mail_morning(day date) returns timestamptz
  language sql stable
  set search_path = ''
as $$ select (day + time '08:00') at time zone 'America/Sao_Paulo' $$;

create function private.turn_daily_mail_on(person uuid) returns void
  language sql
  set search_path = ''
as $$
  insert into private.daily_mails as d (user_id, due_at, next_attempt_at)
  select person, m.morning, m.morning from private.mail_morning(private.brasilia_day(now()) + 1) as m(morning)
  on conflict on constraint daily_mails_pkey do update set
    unsubscribed_at = null, told_until = now(), due_at = excluded.due_at, next_attempt_at = excluded.next_attempt_at, attempts = 0,
    mail_id = null, window_end = null, leased_until = null, content_hash = null, started_at = null
  where d.unsubscribed_at is not null
$$;

-- Whether the caller gets the mail.
create function public.daily_mail() returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select exists (select from private.daily_mails d where d.user_id = private.caller_id() and d.unsubscribed_at is null)
$$;

-- Switches the caller's mail on or off. The first comes the next morning: however often somebody switches, it is one a day.
create function public.set_daily_mail(enabled boolean) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  elsif enabled is null then
    raise exception using errcode = 'PT400', message = 'Diga se o resumo diário fica ligado';
  elsif enabled then
    perform private.turn_daily_mail_on(caller);
  else
    delete from private.daily_mails d where d.user_id = caller;
  end if;
end
$$;

-- For whoever holds the key of a mail, signed in or not: ends the daily mail to its address, or brings back what a mail's link ended; it
-- never turns on what its owner switched off. Returns the address, null of a key that leads nowhere.
create function public.unsubscribe_daily_mail(token uuid, stop boolean default true) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  address text := (select a.email from private.share_mail_addresses a where a.token = $1);
  people uuid[] := array(
    select d.user_id from private.daily_mails d join auth.users u on u.id = d.user_id where lower(u.email) = address
  );
begin
  if coalesce($2, true) then
    update private.daily_mails d set unsubscribed_at = coalesce(d.unsubscribed_at, now()) where d.user_id = any (people);
  elsif cardinality(people) = 0 then
    return null;
  else
    perform private.turn_daily_mail_on(p.id) from unnest(people) as p(id);
  end if;
  return address;
end
$$;

-- What others have added between two moments to places that the person shares: counted up to a hundred a category, as on the screens,
-- with the five newest of each, and the ten categories with the newest. Null where there is nothing. It asks as that person: what opens is
-- decided where it always is, a folder is named to whom it is shared with or belongs to, and nothing is news that was there when somebody
-- came. Whoever has more than two thousand places holds up nobody else's mail: no more of them are looked at.
create function private.shared_news(person uuid, since timestamptz, until timestamptz) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  names constant text[] := '{request.jwt.claims,request.jwt.claim,request.jwt.claim.sub,request.jwt.claim.email,request.jwt.claim.session_id}';
  settings constant text[] := array(select coalesce(current_setting(n.name, true), '') from unnest(names) with ordinality as n(name, place) order by n.place);
  address constant text := (select lower(u.email) from auth.users u where u.id = person and u.email_confirmed_at is not null);
  news jsonb;
begin
  perform set_config(n.name, case n.name
    when 'request.jwt.claims' then
      jsonb_build_object('sub', person, 'role', 'authenticated', 'email', address, 'iat', extract(epoch from now()))::text
    else ''
  end, true)
  from unnest(names) as n(name);

  -- Nobody's are nobody's news: an account that is closed or banned reads nothing, and none is written to before its address is confirmed.
  with reader as materialized (
    select private.reader_id() as id where address is not null
  ), received as materialized (
    select o.id from reader, unnest(private.openable_category_ids()) as o(id) where reader.id = person limit 2000
  ), places as (
    select c.id, c.name, c.folder_id, r.since is not null as names_folder, least(r.since, s.created_at) as joined_at
    from received o
    join public.categories c on c.id = o.id and c.user_id <> person
    left join private.folder_places r on r.folder_id = c.folder_id and r.person_id = person
    left join public.shared_with s on s.category_id = c.id and s.email = address
    union all
    (
      select c.id, c.name, c.folder_id, true, '-infinity'
      from reader join public.categories c on c.user_id = reader.id
      where c.folder_id in (select m.folder_id from public.folder_members m where m.owner_id = person)
      limit 2000
    )
  ), fresh as materialized (
    select p.id, p.name, p.folder_id, p.names_folder, n.added, n.newest, n.links
    from places p
    cross join lateral (
      select count(*) as added, max(l.created_at) as newest,
        jsonb_agg(jsonb_build_object('title', l.title, 'url', l.url) order by l.turn) filter (where l.turn <= 5) as links
      from (
        select o.title, o.url, o.created_at, row_number() over (order by o.created_at desc, o.id desc) as turn
        from public.links o
        where o.category_id = p.id and o.created_at > greatest(since, p.joined_at) and o.created_at <= until
          and coalesce(o.added_by, o.user_id) <> person
        order by o.created_at desc, o.id desc
        limit 100
      ) as l
    ) as n
    where n.added > 0
  )
  select jsonb_build_object('places', count(*), 'added', sum(f.added), 'shown', jsonb_agg(f.place order by f.turn) filter (where f.turn <= 10))
  into news
  from (
    select k.added, row_number() over (order by k.newest desc, k.id) as turn, jsonb_build_object(
      'category_id', k.id, 'category', k.name, 'folder', case when k.names_folder then o.name end, 'added', k.added, 'links', k.links
    ) as place
    from fresh k join public.folders o on o.id = k.folder_id
  ) as f
  having count(*) > 0;

  perform set_config(n.name, n.setting, true) from unnest(names, settings) as n(name, setting);
  return news;
end
$$;

-- What a mail to this person says, as a digest: it goes only as long as that is what may be told.
create function private.daily_mail_hash(address text, news jsonb) returns text
  language sql immutable
  set search_path = ''
as $$ select encode(sha256(convert_to(address || news::text, 'UTF8')), 'hex') $$;

-- Up to so many mails that are due, theirs for five minutes. Looks at no more than a hundred people a call, for two seconds; whoever has
-- nothing new is looked at again the next morning. What is younger than five minutes waits: a request that is still writing is not passed over.
create function public.claim_daily_mails(max integer default 10, at timestamptz default now())
  returns table (id uuid, email text, news jsonb, unsubscribe_token uuid)
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  most constant integer := least(greatest(coalesce($1, 10), 0), 100);
  reach constant timestamptz := $2 - interval '5 minutes';
  tomorrow constant timestamptz := private.mail_morning(private.brasilia_day($2) + 1);
  due record;
  told jsonb;
  key uuid;
  claimed integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.daily_mails', 0));
  update private.daily_mails d
  set told_until = case when d.started_at is null then d.told_until else d.window_end end,
    due_at = case when d.started_at is null then d.due_at else m.morning end,
    next_attempt_at = case when d.started_at is null then d.next_attempt_at else m.morning end,
    attempts = case when d.started_at is null then d.attempts else 0 end,
    mail_id = case when d.started_at is null then d.mail_id end,
    window_end = case when d.started_at is null then d.window_end end,
    leased_until = null, content_hash = null, started_at = null
  from private.daily_mails b
  cross join lateral private.mail_morning(private.brasilia_day(coalesce(b.started_at, $2)) + 1) as m(morning)
  where b.user_id = d.user_id and d.leased_until < $2;
  for due in
    select d.user_id, d.told_until, coalesce(d.window_end, reach) as window_end, lower(u.email) as address
    from private.daily_mails d join auth.users u on u.id = d.user_id
    where d.unsubscribed_at is null and d.next_attempt_at <= $2 and d.leased_until is null
    order by d.next_attempt_at, d.user_id
    limit 100
    for update of d skip locked
  loop
    exit when claimed >= most or clock_timestamp() > statement_timestamp() + interval '2 seconds';
    told := private.shared_news(due.user_id, due.told_until, due.window_end);
    if told is null then
      update private.daily_mails d
      set told_until = greatest(d.told_until, due.window_end), due_at = tomorrow, next_attempt_at = tomorrow, attempts = 0,
        mail_id = null, window_end = null
      where d.user_id = due.user_id;
      continue;
    end if;
    update private.daily_mails d
    set mail_id = coalesce(d.mail_id, gen_random_uuid()), window_end = due.window_end,
      content_hash = private.daily_mail_hash(due.address, told), leased_until = $2 + interval '5 minutes', attempts = d.attempts + 1
    where d.user_id = due.user_id
    returning d.mail_id into key;
    insert into private.share_mail_addresses (email) values (due.address) on conflict do nothing;
    claimed := claimed + 1;
    return query select key, due.address, told, a.token from private.share_mail_addresses a where a.email = due.address;
  end loop;
end
$$;

-- May it still go, as it is? Once only, for whoever holds the lease; after a no, it is nobody's again, and made anew.
create function public.begin_daily_mail(id uuid, at timestamptz default now()) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  mail private.daily_mails;
  allowed boolean;
begin
  select d.* into mail from private.daily_mails d
  where d.mail_id = $1 and d.started_at is null and d.leased_until > $2 for update;
  if not found then
    return false;
  end if;
  select mail.unsubscribed_at is null
    and private.daily_mail_hash(lower(u.email), private.shared_news(u.id, mail.told_until, mail.window_end)) = mail.content_hash
  into allowed
  from auth.users u where u.id = mail.user_id;
  if allowed then
    update private.daily_mails d set started_at = $2 where d.user_id = mail.user_id;
    return true;
  end if;
  update private.daily_mails d
  set leased_until = null, content_hash = null, attempts = d.attempts - 1
  where d.user_id = mail.user_id;
  return false;
end
$$;

-- What became of it: 'sent', 'refused' or 'retry', as of invitations. What was not sent goes later as it
-- may be read then; what has come since is of the next morning. False when it was not being sent.
create function public.finish_daily_mail(id uuid, outcome text, at timestamptz default now()) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  again timestamptz;
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  select $3 + private.share_notification_retry(d.attempts - 1) into again from private.daily_mails d where d.mail_id = $1 and d.leased_until is not null;
  update private.daily_mails d
  set told_until = case outcome when 'retry' then d.told_until else d.window_end end,
    due_at = case outcome when 'retry' then d.due_at else m.morning end,
    next_attempt_at = case outcome
      when 'retry' then greatest(again, private.mail_morning(private.brasilia_day(again))) else m.morning
    end,
    attempts = case outcome when 'retry' then d.attempts else 0 end,
    mail_id = case outcome when 'retry' then d.mail_id end,
    window_end = case outcome when 'retry' then d.window_end end,
    leased_until = null, content_hash = null, started_at = null
  from private.mail_morning(private.brasilia_day($3) + 1) as m(morning)
  where d.mail_id = $1 and d.leased_until is not null;
  return found;
end
$$;

-- Those that are due are counted as waiting.
do $$
declare
  counts constant text := 'where m.state in (''waiting'', ''sending'') and not private.wants_no_share_mail(private.mailbox_of(u.email))';
  definition text := pg_catalog.pg_get_functiondef('private.measure_installation()'::regprocedure);
begin
  if position(counts in definition) = 0 then
    raise exception 'measure_installation does not count %', counts;
  end if;
  execute replace(definition, counts, counts || '
        union all
        select ''daily'', count(*), min(d.due_at)
        from private.daily_mails d where d.unsubscribed_at is null and d.due_at <= now()');
end
$$;
create index daily_mails_waiting on private.daily_mails (due_at) where unsubscribed_at is null;

revoke all on function private.mail_morning(date), private.turn_daily_mail_on(uuid), private.shared_news(uuid, timestamptz, timestamptz),
  private.daily_mail_hash(text, jsonb) from public;
revoke all on function public.daily_mail(), public.set_daily_mail(boolean), public.unsubscribe_daily_mail(uuid, boolean),
  public.claim_daily_mails(integer, timestamptz), public.begin_daily_mail(uuid, timestamptz),
  public.finish_daily_mail(uuid, text, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.daily_mail(), public.set_daily_mail(boolean) to authenticated;
grant execute on function public.unsubscribe_daily_mail(uuid, boolean), public.claim_daily_mails(integer, timestamptz),
  public.begin_daily_mail(uuid, timestamptz), public.finish_daily_mail(uuid, text, timestamptz) to service_role;
