-- Links that do not answer any more. Whoever wants it has each of their links opened once a month; what failed twice, days apart, is
-- broken, and what answers again is not. All of it lies apart from the links: no row of theirs changes, and no device wakes.

-- Who wants it, and how far the round through their links has come, oldest first.
create table private.link_check_rounds (
  user_id uuid not null,
  began_at timestamptz not null default now(),
  -- When every link of the last round had been looked at; null in the first one.
  ended_at timestamptz,
  -- The last link that was looked at, as its place among the person's links.
  reached_at timestamptz not null default '-infinity',
  reached_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- The last link that somebody is looking at now.
  taken_at timestamptz,
  taken_id uuid,
  -- When the next links are taken; while somebody looks at some, when they are given up and taken by another.
  due_at timestamptz not null default now(),
  constraint link_check_rounds_pkey primary key (user_id),
  constraint link_check_rounds_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade
);
create index link_check_rounds_due on private.link_check_rounds (due_at);

-- Links that have not answered the last time, or the last times.
create table private.failing_links (
  -- No foreign key: its check would run for each of ten thousand links that go together.
  link_id uuid not null,
  user_id uuid not null,
  failed_since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  -- What the site said the last time, as HTTP has it; null where nobody answered.
  status smallint,
  due_at timestamptz not null,
  -- A site may be away for a night.
  broken boolean not null generated always as (failed_at - failed_since >= interval '2 days') stored,
  constraint failing_links_pkey primary key (link_id),
  constraint failing_links_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade
);
create index failing_links_due on private.failing_links (due_at);
create index failing_links_broken on private.failing_links (user_id, link_id) where broken;
create index failing_links_of_user on private.failing_links (user_id);

-- Turns it on or off for the caller. Off forgets everything.
create function public.set_link_checks(enabled boolean) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  elsif enabled is null then
    raise exception using errcode = 'PT400', message = 'Diga se a verificação fica ligada';
  elsif enabled then
    insert into private.link_check_rounds (user_id) values (caller) on conflict do nothing;
  else
    delete from private.link_check_rounds r where r.user_id = caller;
    delete from private.failing_links f where f.user_id = caller;
  end if;
end
$$;

-- What became of it so far; no row where it is off.
create function public.link_checks() returns table (total bigint, checked bigint, broken bigint, ended_at timestamptz)
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select
    (select count(*) from public.links l where l.user_id = r.user_id),
    (select count(*) from public.links l where l.user_id = r.user_id and (l.created_at, l.id) <= (r.reached_at, r.reached_id)),
    (select count(*) from private.failing_links f where f.user_id = r.user_id and f.broken),
    r.ended_at
  from private.link_check_rounds r
  where r.user_id = private.caller_id()
$$;
comment on function public.link_checks() is 'Whether the caller''s links are looked at, and how far that has come; nothing where it is off. Nullable: ended_at.';

-- Which of these links of the caller's are broken, since when, and what their sites say; null where nobody answers.
create function public.broken_links(link_ids uuid[]) returns table (link_id uuid, failed_since timestamptz, status integer)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  -- As many as one answer has rows.
  if array_length(link_ids, 1) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 links por vez';
  end if;
  return query
    select f.link_id, f.failed_since, f.status::integer from private.failing_links f
    where f.user_id = private.caller_id() and f.link_id = any ($1) and f.broken;
end
$$;
comment on function public.broken_links(uuid[]) is 'Those of the caller''s links that do not answer any more. Nullable: status.';

-- Whether there is a link to be looked at: asked often, where mostly there is none.
create function public.are_link_checks_due() returns boolean
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select exists (select from private.failing_links f where f.due_at <= now())
    or exists (select from private.link_check_rounds r where r.due_at <= now())
$$;

-- Takes links to be looked at: such as failed before and are due, else the next ones of one person's round, whose `round_of` then is to be
-- told to note_link_checks. Whoever does not come back within ten minutes has given them up.
create function public.take_links_to_check(max_links integer default 20)
  returns table (link_id uuid, url text, round_of uuid)
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  most integer := least(greatest(coalesce(max_links, 20), 1), 100);
  round private.link_check_rounds;
  batch public.links[];
begin
  return query
    with due as (
      select f.link_id from private.failing_links f
      where f.due_at <= now()
        and not exists (select from private.account_closures c where c.user_id = f.user_id and c.reopened_at is null)
      order by f.due_at
      limit most
      for update skip locked
    ), taken as (
      update private.failing_links f set due_at = now() + interval '10 minutes' from due d where f.link_id = d.link_id returning f.link_id
    )
    select l.id, l.url, null::uuid from taken t join public.links l on l.id = t.link_id;
  if found then
    return;
  end if;
  loop
    select r.* into round from private.link_check_rounds r where r.due_at <= now() order by r.due_at limit 1 for update skip locked;
    exit when not found;
    -- Who has closed their account wants nothing opened. It is thought of again tomorrow.
    if exists (select from private.account_closures c where c.user_id = round.user_id and c.reopened_at is null) then
      update private.link_check_rounds r set due_at = now() + interval '1 day' where r.user_id = round.user_id;
      continue;
    end if;
    if round.ended_at >= round.began_at then
      round.began_at := now();
      round.reached_at := '-infinity';
      round.reached_id := '00000000-0000-0000-0000-000000000000';
    end if;
    batch := array(
      select l from public.links l
      where l.user_id = round.user_id and (l.created_at, l.id) > (round.reached_at, round.reached_id)
      order by l.created_at, l.id
      limit most
    );
    update private.link_check_rounds r
    set began_at = round.began_at, reached_at = round.reached_at, reached_id = round.reached_id,
      taken_at = batch[cardinality(batch)].created_at, taken_id = batch[cardinality(batch)].id,
      ended_at = case when batch = '{}' then now() else round.ended_at end,
      due_at = case when batch = '{}' then round.began_at + interval '30 days' else now() + interval '10 minutes' end
    where r.user_id = round.user_id;
    return query select b.id, b.url, round.user_id from unnest(batch) as b;
    exit when found;
  end loop;
end
$$;

-- Notes what came of looking at links: [{"link_id", "url", "outcome": "works" | "fails" | "unsure", "status"}]. What is 'unsure' says nothing and
-- is left as it was, and so is a link that leads elsewhere by now. The round of this person goes on where these links end.
create function public.note_link_checks(checks jsonb, round_of uuid default null) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  with noted as (
    select c.link_id, l.user_id, c.outcome, c.status
    from jsonb_to_recordset(checks) as c(link_id uuid, url text, outcome text, status smallint)
    join public.links l on l.id = c.link_id and l.url = c.url
    -- Who has turned it off meanwhile has nothing noted.
    join private.link_check_rounds r on r.user_id = l.user_id
    for key share of l, r
  ), healed as (
    delete from private.failing_links f using noted n where n.outcome = 'works' and f.link_id = n.link_id
  ), unsure as (
    update private.failing_links f set due_at = now() + interval '1 day' from noted n where n.outcome = 'unsure' and f.link_id = n.link_id
  )
  insert into private.failing_links as f (link_id, user_id, status, due_at)
  select n.link_id, n.user_id, n.status, now() + interval '3 days' from noted n where n.outcome = 'fails'
  on conflict on constraint failing_links_pkey do update set
    failed_at = now(), status = excluded.status,
    -- What is known to be broken may be mended, but there is no hurry.
    due_at = case when now() - f.failed_since >= interval '2 days' then now() + interval '7 days' else excluded.due_at end;
  update private.link_check_rounds r
  set reached_at = r.taken_at, reached_id = r.taken_id, taken_at = null, taken_id = null, due_at = now()
  where r.user_id = $2 and r.taken_at is not null;
end
$$;

-- A link that leads elsewhere has not failed.
create function private.forget_failing_link() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.failing_links f where f.link_id = new.id;
  return null;
end
$$;
create trigger links_forget_failing_link after update of url on public.links
  for each row when (old.url is distinct from new.url) execute function private.forget_failing_link();

-- And one that is gone is forgotten. Who notes a failure holds the link meanwhile.
create function private.forget_failing_links() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.failing_links f using removed r where f.link_id = r.id;
  return null;
end
$$;
create trigger links_forget_failing_links after delete on public.links
  referencing old table as removed for each statement execute function private.forget_failing_links();

revoke all on private.link_check_rounds, private.failing_links from public, anon, authenticated, service_role;
revoke all on function private.forget_failing_link(), private.forget_failing_links() from public;
revoke all on function public.set_link_checks(boolean), public.link_checks(), public.broken_links(uuid[]), public.are_link_checks_due(),
  public.take_links_to_check(integer), public.note_link_checks(jsonb, uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.set_link_checks(boolean), public.link_checks(), public.broken_links(uuid[]) to authenticated;
grant execute on function public.are_link_checks_due(), public.take_links_to_check(integer), public.note_link_checks(jsonb, uuid) to service_role;
