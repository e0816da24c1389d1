-- What changed in a category, when, and through which program: for thirty days, for its owner. A statement writes one row for each category it
-- touches; what the same hand does in the same category within five minutes is one row that counts.
create table private.category_changes (
  id bigint generated always as identity,
  category_id uuid not null,
  act text not null,
  count integer not null,
  -- What it was about, the first of several: a link's title.
  subject text,
  -- Who did it: null is the person, '' the server (a mail to their address, say), else the name that a program or a token has.
  program text,
  changed_at timestamptz not null default now(),
  constraint category_changes_pkey primary key (id),
  constraint category_changes_category foreign key (category_id) references public.categories (id) on delete cascade,
  constraint category_changes_act_known check (act in (
    'saved', 'changed', 'moved_in', 'moved_out', 'deleted', 'renamed', 'published', 'unpublished', 'shared', 'unshared'
  ))
);
create index category_changes_newest on private.category_changes (category_id, id);
create index category_changes_by_age on private.category_changes (changed_at);
alter table private.category_changes enable row level security;
revoke all on private.category_changes from public, anon, authenticated, service_role;

-- Who acts: null is a person, '' nobody who is signed in, else a program by its name.
create function private.acting_program() returns text
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  claims constant jsonb := auth.jwt();
  claimed constant text := coalesce(claims ->> 'session_id', '');
  session record;
begin
  if claims ->> 'role' is distinct from 'authenticated' then
    return '';
  elsif claimed !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
    return null;
  end if;
  select s.oauth_client_id, s.scopes into session from auth.sessions s where s.id = claimed::uuid;
  if session.oauth_client_id is not null then
    return coalesce((
      select left(nullif(btrim(c.client_name), ''), 100) from auth.oauth_clients c where c.id = session.oauth_client_id
    ), 'Programa');
  elsif session.scopes is not null then
    return coalesce((select t.name from auth.personal_tokens t where t.session_id = claimed::uuid), 'Programa');
  end if;
  return null;
end
$$;

-- Writes down what was done to these categories, each with how many and the first of them. One that is gone, or on its way, has no history.
create function private.note_category_changes(act text, category_ids uuid[], counts bigint[], subjects text[]) returns void
  language plpgsql
  set search_path = ''
  set enable_nestloop = on
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  doer constant text := private.acting_program();
begin
  with happened as (
    select h.category_id, h.count::integer as count, h.subject
    from unnest($2, $3, $4) as h(category_id, count, subject)
    where exists (select from public.categories c where c.id = h.category_id)
  ), latest as (
    select l.id from happened h cross join lateral (
      select x.id, x.act, x.program, x.changed_at from private.category_changes x
      where x.category_id = h.category_id order by x.id desc limit 1
    ) as l
    where l.act = $1 and l.program is not distinct from doer and l.changed_at > now() - interval '5 minutes'
  ), own as (
    -- Whoever else adds to one of them right now gets a row of their own: nobody waits for a history.
    select c.id from private.category_changes c where c.id in (select l.id from latest l) for update skip locked
  ), added as (
    update private.category_changes c set count = c.count + h.count, changed_at = now()
    from own o, happened h where c.id = o.id and h.category_id = c.category_id
    returning c.category_id
  )
  insert into private.category_changes (category_id, act, count, subject, program)
  select h.category_id, $1, h.count, left(h.subject, 100), doer from happened h
  where h.category_id not in (select a.category_id from added a);
end
$$;

create function private.note_link_changes() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  -- A plan that was made for one link must bear twenty thousand.
  set enable_nestloop = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into change
    from (select category_id, count(*) as n, min(title) as title from added group by category_id) as g;
    perform private.note_category_changes('saved', change.ids, change.counts, change.subjects);
  elsif tg_op = 'DELETE' then
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into change
    from (select category_id, count(*) as n, min(title) as title from removed group by category_id) as g;
    perform private.note_category_changes('deleted', change.ids, change.counts, change.subjects);
  else
    for change in
      select g.act, array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects
      from (
        select m.act, m.category_id, count(*) as n, min(m.title) as title
        from added a join removed r on r.id = a.id
        cross join lateral (
          select 'changed' as act, a.category_id, a.title
          where (a.url, a.title) <> (r.url, r.title) or a.description is distinct from r.description
          union all select 'moved_in', a.category_id, a.title where a.category_id <> r.category_id
          union all select 'moved_out', r.category_id, r.title where a.category_id <> r.category_id
        ) as m
        group by m.act, m.category_id
      ) as g
      group by g.act
    loop
      perform private.note_category_changes(change.act, change.ids, change.counts, change.subjects);
    end loop;
  end if;
  return null;
end
$$;

create function private.note_category_updates() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
begin
  for change in
    select g.act, array_agg(g.id) as ids, array_agg(1::bigint) as counts, array_agg(g.name) as subjects
    from (
      select 'renamed' as act, c.id, c.name
      from (select id, name, description from added except select id, name, description from removed) as c
      union all
      select case when c.is_public then 'published' else 'unpublished' end, c.id, null
      from (select id, is_public from added except select id, is_public from removed) as c
    ) as g
    group by g.act
  loop
    perform private.note_category_changes(change.act, change.ids, change.counts, change.subjects);
  end loop;
  return null;
end
$$;

create function private.note_invitations() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts into change
    from (select category_id, count(*) as n from added group by category_id) as g;
    perform private.note_category_changes('shared', change.ids, change.counts, '{}');
  else
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts into change
    from (select category_id, count(*) as n from removed group by category_id) as g;
    perform private.note_category_changes('unshared', change.ids, change.counts, '{}');
  end if;
  return null;
end
$$;

create trigger links_note_added after insert on public.links
  referencing new table as added for each statement execute function private.note_link_changes();
create trigger links_note_changed after update on public.links
  referencing old table as removed new table as added for each statement execute function private.note_link_changes();
create trigger links_note_removed after delete on public.links
  referencing old table as removed for each statement execute function private.note_link_changes();
create trigger categories_note_changed after update on public.categories
  referencing old table as removed new table as added for each statement execute function private.note_category_updates();
create trigger shared_with_note_added after insert on public.shared_with
  referencing new table as added for each statement execute function private.note_invitations();
create trigger shared_with_note_removed after delete on public.shared_with
  referencing old table as removed for each statement execute function private.note_invitations();

-- What changed in one's own category in the last thirty days: the newest first, fifty at a time.
create function public.category_history(category_id uuid, before bigint default null)
  returns table (id bigint, act text, count integer, subject text, program text, changed_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select h.id, h.act, h.count, h.subject, h.program, h.changed_at
  from public.categories c join private.category_changes h on h.category_id = c.id
  where c.id = $1 and c.user_id = private.caller_id() and ($2 is null or h.id < $2) and h.changed_at > now() - interval '30 days'
  order by h.id desc
  limit 50
$$;
comment on function public.category_history(uuid, bigint) is 'What changed in a category of one''s own. Nullable: subject, program.';

-- Forgets what is older than thirty days: a bounded part. Called by the server now and then.
create function private.purge_category_changes(at_most integer default 10000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  purged integer;
begin
  delete from private.category_changes where id = any (array(
    select h.id from private.category_changes h
    where h.changed_at < now() - interval '30 days' order by h.changed_at limit at_most for update skip locked
  ));
  get diagnostics purged = row_count;
  return purged;
end
$$;

revoke all on function private.acting_program(), private.note_category_changes(text, uuid[], bigint[], text[]), private.note_link_changes(),
  private.note_category_updates(), private.note_invitations(), private.purge_category_changes(integer) from public;
revoke all on function public.category_history(uuid, bigint) from public, anon, authenticated, service_role;
grant execute on function public.category_history(uuid, bigint) to authenticated;
grant execute on function private.purge_category_changes(integer) to service_role;
