-- What a program does in one request, or in one call of a tool, is an act. What it changed is kept for thirty days, so that the person can
-- undo it as one. Writes of people pay nothing for it: who writes is asked once a statement, as before.

create or replace function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'favorites' then 1000
    when 'saved_searches' then 100
    when 'invitations' then 10000
    when 'groups' then 100
    when 'group_emails' then 500
    when 'bin_rows' then 100000
    when 'act_rows' then 100000
    when 'rows_of_act' then 20000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

create table private.program_acts (
  id bigint generated always as identity,
  -- Whose library it is. A call that touches the libraries of two people is an act in each.
  owner_id uuid not null,
  -- For whom the program acted.
  person_id uuid not null,
  -- The call that the server names (linkoteca.act), or else the transaction.
  key text not null,
  started_at timestamptz not null default now(),
  -- How many rows it has changed, a row that is changed twice counting twice, and one more for every thousand bytes that are kept of one.
  row_count integer not null,
  -- How many the owner's acts have up to and with this one: what lies behind it is a difference of two.
  rows_until bigint not null,
  -- Tags that were made for it.
  made_tags uuid[] not null default '{}',
  undone_at timestamptz,
  -- What undoing it was answered.
  undone jsonb,
  constraint program_acts_pkey primary key (id),
  -- The counters and not auth.users, as for deletions.
  constraint program_acts_owner_id_fkey foreign key (owner_id) references public.library_counts (user_id) on delete cascade
);
-- A call that goes on after it was undone begins another act.
create unique index program_acts_going_on on private.program_acts (owner_id, person_id, key) where undone_at is null;
create index program_acts_of_owner on private.program_acts (owner_id, rows_until);
create index program_acts_by_age on private.program_acts (started_at);

create table private.program_act_rows (
  act_id bigint not null,
  kind text not null,
  row_id uuid not null,
  -- The fields that were changed, as they were; null: it was not there. Of a tag all of it.
  was jsonb,
  -- What those fields became, each as a hash: enough to see that somebody has changed them since. null: it is gone.
  became jsonb,
  tags_given uuid[] not null default '{}',
  tags_taken uuid[] not null default '{}',
  -- When: of a link that is gone the moment of its deletion.
  happened_at timestamptz not null default now(),
  constraint program_act_rows_pkey primary key (act_id, kind, row_id),
  constraint program_act_rows_act_id_fkey foreign key (act_id) references private.program_acts (id) on delete cascade,
  constraint program_act_rows_kind_known check (kind in ('link', 'category', 'tag'))
);
alter table private.program_acts enable row level security;
alter table private.program_act_rows enable row level security;
revoke all on private.program_acts, private.program_act_rows from public, anon, authenticated, service_role;

alter table private.category_changes
  -- Beyond the bound of acts an entry goes with its act: a program would fill the history otherwise.
  add column act_id bigint,
  add constraint category_changes_act_id_fkey foreign key (act_id) references private.program_acts (id) on delete cascade,
  drop constraint category_changes_act_known,
  add constraint category_changes_act_known check (act in (
    'saved', 'changed', 'moved_in', 'moved_out', 'deleted', 'tagged', 'renamed', 'published', 'unpublished', 'shared', 'unshared'
  ));
create index category_changes_of_act on private.category_changes (act_id) where act_id is not null;

create function private.act_key() returns text
  language sql stable
  set search_path = ''
as $$
  -- The time as well: transactions are numbered anew when a dump is restored.
  select coalesce(
    nullif(current_setting('linkoteca.act', true), ''), pg_current_xact_id()::text || ' ' || extract(epoch from now())::text
  )
$$;

-- The act to which the running statement of a program adds so many rows, and whether it is small enough to be kept; null where the
-- account itself is on its way out.
create function private.open_program_act(owner uuid, weight bigint, out act_id bigint, out is_kept boolean)
  language plpgsql
  set search_path = ''
as $$
#variable_conflict use_variable
declare
  act private.program_acts;
begin
  insert into private.program_acts as a (owner_id, person_id, key, row_count, rows_until)
  select owner, auth.uid(), private.act_key(), weight, weight + coalesce((
    select max(o.rows_until) from private.program_acts o where o.owner_id = owner
  ), 0)
  from public.library_counts n where n.user_id = owner
  on conflict (owner_id, person_id, key) where undone_at is null
  do update set row_count = a.row_count + excluded.row_count, rows_until = a.rows_until + excluded.row_count
  returning * into act;
  act_id := act.id;
  is_kept := act.row_count <= private.most('rows_of_act');
  if is_kept is false then
    delete from private.program_act_rows r where r.act_id = act.id;
  end if;
  -- The oldest go. One that is just being undone is left for the next time: nobody waits for it.
  delete from private.program_acts a where a.id = any (array(
    select o.id from private.program_acts o
    where o.owner_id = owner and o.rows_until <= act.rows_until - private.most('act_rows') and o.id <> act.id
    order by o.rows_until limit 1000 for update skip locked
  ));
end
$$;

-- What a link says and where it is, each as a hash.
create function private.link_trace(url text, title text, description text, category_id uuid) returns jsonb
  language sql immutable
  set search_path = ''
as $$
  select jsonb_build_object('url', hashtextextended($1, 0), 'title', hashtextextended($2, 0),
    'description', hashtextextended($3, 0), 'category_id', $4)
$$;

create function private.category_trace(name text, description text) returns jsonb
  language sql immutable
  set search_path = ''
as $$
  select jsonb_build_object('name', hashtextextended($1, 0), 'description', hashtextextended($2, 0))
$$;

-- The fields of the first object that the second has as well.
create function private.same_fields(fields jsonb, named jsonb) returns jsonb
  language sql immutable
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each($1) as f where $2 ? f.key
$$;

create function private.without(ids uuid[], others uuid[]) returns uuid[]
  language sql immutable
  set search_path = ''
as $$
  select array(select unnest($1) except select unnest($2))
$$;

-- As before, now told who did it; and the act of a program that did it, which has entries of its own.
drop function private.note_category_changes(text, uuid[], bigint[], text[]);
create function private.note_category_changes(act text, category_ids uuid[], counts bigint[], subjects text[], doer text) returns void
  language plpgsql
  set search_path = ''
  set enable_nestloop = on
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  caller constant uuid := auth.uid();
  -- Whom something is shared with is not undone with an act.
  call_key constant text := case when $5 <> '' and $1 not in ('published', 'unpublished', 'shared', 'unshared') then private.act_key() end;
begin
  with happened as (
    select h.category_id, h.count::integer as count, h.subject, nullif(caller, c.user_id) as person_id, a.id as act_id
    from unnest($2, $3, $4) as h(category_id, count, subject)
    join public.categories c on c.id = h.category_id
    left join private.program_acts a on a.owner_id = c.user_id and a.person_id = caller and a.key = call_key and a.undone_at is null
  ), latest as (
    select l.id from happened h cross join lateral (
      select x.id, x.act, x.program, x.person_id, x.act_id, x.changed_at from private.category_changes x
      where x.category_id = h.category_id order by x.id desc limit 1
    ) as l
    where l.act = $1 and l.program is not distinct from $5 and l.person_id is not distinct from h.person_id
      and l.act_id is not distinct from h.act_id and l.changed_at > now() - interval '5 minutes'
  ), own as (
    -- Whoever else adds to one of them right now gets a row of their own: nobody waits for a history.
    select c.id from private.category_changes c where c.id in (select l.id from latest l) for update skip locked
  ), added as (
    update private.category_changes c set count = c.count + h.count, changed_at = now()
    from own o, happened h where c.id = o.id and h.category_id = c.category_id
    returning c.category_id
  )
  insert into private.category_changes (category_id, act, count, subject, program, person_id, act_id)
  select h.category_id, $1, h.count, left(h.subject, 100), $5, h.person_id, h.act_id from happened h
  where h.category_id not in (select a.category_id from added a);
end
$$;

create or replace function private.note_link_changes() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  -- A plan that was made for one link must bear twenty thousand.
  set enable_nestloop = off
  set plan_cache_mode = force_generic_plan
as $$
declare
  doer constant text := private.acting_program();
  change record;
begin
  if tg_op = 'INSERT' then
    if doer <> '' then
      with opened as materialized (
        select o.user_id, p.act_id, p.is_kept
        from (select user_id, count(*) as n from added group by user_id order by user_id) as o
        cross join lateral private.open_program_act(o.user_id, o.n) as p
      )
      insert into private.program_act_rows as r (act_id, kind, row_id, became)
      select p.act_id, 'link', a.id, private.link_trace(a.url, a.title, a.description, a.category_id)
      from opened p join added a on a.user_id = p.user_id
      where p.is_kept
      on conflict (act_id, kind, row_id) do update set became = excluded.became, happened_at = excluded.happened_at;
    end if;
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into change
    from (select category_id, count(*) as n, min(title) as title from added group by category_id) as g;
    perform private.note_category_changes('saved', change.ids, change.counts, change.subjects, doer);
  elsif tg_op = 'DELETE' then
    if doer <> '' then
      -- What went with its category has no history, and lies in the bin with it.
      with gone as materialized (
        select r.id, r.user_id from removed r join public.categories c on c.id = r.category_id
      ), opened as materialized (
        select o.user_id, p.act_id, p.is_kept
        from (select g.user_id, count(*) as n from gone g group by g.user_id order by g.user_id) as o
        cross join lateral private.open_program_act(o.user_id, o.n) as p
      )
      insert into private.program_act_rows as r (act_id, kind, row_id, was)
      select p.act_id, 'link', g.id, '{}'
      from opened p join gone g on g.user_id = p.user_id
      where p.is_kept
      on conflict (act_id, kind, row_id) do update set became = null, happened_at = excluded.happened_at;
    end if;
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into change
    from (select category_id, count(*) as n, min(title) as title from removed group by category_id) as g;
    perform private.note_category_changes('deleted', change.ids, change.counts, change.subjects, doer);
  else
    if doer <> '' then
      -- A full join: each row is met once, whatever the number.
      with changed as materialized (
        select a.id, a.user_id, private.link_trace(a.url, a.title, a.description, a.category_id) as became,
          case when a.url <> r.url then jsonb_build_object('url', r.url) else '{}' end
          || case when a.title <> r.title then jsonb_build_object('title', r.title) else '{}' end
          || case when a.description is distinct from r.description then jsonb_build_object('description', r.description) else '{}' end
          || case when a.category_id <> r.category_id then jsonb_build_object('category_id', r.category_id) else '{}' end as was
        from added a full join removed r on r.id = a.id
        where (a.url, a.title, a.category_id) <> (r.url, r.title, r.category_id) or a.description is distinct from r.description
      ), opened as materialized (
        select o.user_id, p.act_id, p.is_kept
        from (
          select c.user_id, sum(1 + octet_length(c.was::text) / 1000) as weight from changed c group by c.user_id order by c.user_id
        ) as o
        cross join lateral private.open_program_act(o.user_id, o.weight) as p
      )
      insert into private.program_act_rows as r (act_id, kind, row_id, was, became)
      select p.act_id, 'link', c.id, c.was, private.same_fields(c.became, c.was)
      from opened p join changed c on c.user_id = p.user_id
      where p.is_kept
      on conflict (act_id, kind, row_id) do update set
        -- Of what the act itself had made there is nothing that it was before.
        was = case when r.was is not null then excluded.was || r.was end, became = r.became || excluded.became;
    end if;
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
      perform private.note_category_changes(change.act, change.ids, change.counts, change.subjects, doer);
    end loop;
  end if;
  return null;
end
$$;

create or replace function private.note_category_updates() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  doer constant text := private.acting_program();
  change record;
begin
  if doer <> '' then
    with changed as materialized (
      select a.id, a.user_id, private.category_trace(a.name, a.description) as became,
        case when a.name <> r.name then jsonb_build_object('name', r.name) else '{}' end
        || case when a.description is distinct from r.description then jsonb_build_object('description', r.description) else '{}' end as was
      from added a join removed r on r.id = a.id
      where a.name <> r.name or a.description is distinct from r.description
    ), opened as materialized (
      select o.user_id, p.act_id, p.is_kept
      from (select c.user_id, count(*) as n from changed c group by c.user_id order by c.user_id) as o
      cross join lateral private.open_program_act(o.user_id, o.n) as p
    )
    insert into private.program_act_rows as r (act_id, kind, row_id, was, became)
    select p.act_id, 'category', c.id, c.was, private.same_fields(c.became, c.was)
    from opened p join changed c on c.user_id = p.user_id
    where p.is_kept
    on conflict (act_id, kind, row_id) do update set was = excluded.was || r.was, became = r.became || excluded.became;
  end if;
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
    perform private.note_category_changes(change.act, change.ids, change.counts, change.subjects, doer);
  end loop;
  return null;
end
$$;

create or replace function private.note_invitations() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  doer constant text := private.acting_program();
  change record;
begin
  if tg_op = 'INSERT' then
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts into change
    from (select category_id, count(*) as n from added group by category_id) as g;
    perform private.note_category_changes('shared', change.ids, change.counts, '{}', doer);
  else
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts into change
    from (select category_id, count(*) as n from removed group by category_id) as g;
    perform private.note_category_changes('unshared', change.ids, change.counts, '{}', doer);
  end if;
  return null;
end
$$;

-- Tags that a program gives to links and takes from them, and those that it makes and deletes. (What people do with theirs has an undo of
-- its own, undo_tag_change.)
create function private.note_link_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  set enable_nestloop = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  doer constant text := private.acting_program();
  changed_links uuid[];
  changed_tags uuid[];
  tagged record;
  opened record;
  -- Links that the act has not tagged before, nor made.
  fresh uuid[];
  places record;
begin
  if doer is null or doer = '' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    select array_agg(a.link_id), array_agg(a.tag_id) into changed_links, changed_tags from added a;
  else
    select array_agg(r.link_id), array_agg(r.tag_id) into changed_links, changed_tags from removed r;
  end if;
  -- The tags of a link that is gone lie in the bin with it.
  for tagged in
    select l.user_id, array_agg(k.link_id) as link_ids, array_agg(k.tag_id) as tag_ids, count(distinct k.link_id) as n
    from unnest(changed_links, changed_tags) as k(link_id, tag_id) join public.links l on l.id = k.link_id
    group by l.user_id order by l.user_id
  loop
    opened := private.open_program_act(tagged.user_id, tagged.n);
    continue when opened.act_id is null;
    fresh := array(
      select distinct u.id from unnest(tagged.link_ids) as u(id)
      except
      select r.row_id from private.program_act_rows r
      where r.act_id = opened.act_id and r.kind = 'link' and (r.was is null or r.tags_given <> '{}' or r.tags_taken <> '{}')
    );
    if opened.is_kept then
      insert into private.program_act_rows as r (act_id, kind, row_id, was, became, tags_given, tags_taken)
      select opened.act_id, 'link', k.link_id, '{}', '{}', case when tg_op = 'INSERT' then array_agg(k.tag_id) else '{}' end,
        case when tg_op = 'DELETE' then array_agg(k.tag_id) else '{}' end
      from unnest(tagged.link_ids, tagged.tag_ids) as k(link_id, tag_id)
      group by k.link_id
      on conflict (act_id, kind, row_id) do update set
        tags_given = private.without(r.tags_given || private.without(excluded.tags_given, r.tags_taken), excluded.tags_taken),
        tags_taken = private.without(r.tags_taken || private.without(excluded.tags_taken, r.tags_given), excluded.tags_given);
    end if;
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into places
    from (
      select l.category_id, count(*) as n, min(l.title) as title from public.links l where l.id = any (fresh) group by l.category_id
    ) as g;
    perform private.note_category_changes('tagged', places.ids, places.counts, places.subjects, doer);
  end loop;
  return null;
end
$$;

create function private.note_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  doer constant text := private.acting_program();
  made record;
  opened record;
begin
  if doer is null or doer = '' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    for made in select user_id, count(*) as n, array_agg(id) as ids from added group by user_id order by user_id loop
      opened := private.open_program_act(made.user_id, made.n);
      update private.program_acts a set made_tags = a.made_tags || made.ids where a.id = opened.act_id and opened.is_kept;
    end loop;
  else
    with opened as materialized (
      select o.user_id, p.act_id, p.is_kept
      from (select user_id, count(*) as n from removed group by user_id order by user_id) as o
      cross join lateral private.open_program_act(o.user_id, o.n) as p
    )
    insert into private.program_act_rows (act_id, kind, row_id, was)
    select p.act_id, 'tag', r.id, to_jsonb(r) from opened p join removed r on r.user_id = p.user_id
    where p.is_kept
    on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger link_tags_note_added after insert on public.link_tags
  referencing new table as added for each statement execute function private.note_link_tags();
create trigger link_tags_note_removed after delete on public.link_tags
  referencing old table as removed for each statement execute function private.note_link_tags();
create trigger tags_note_added after insert on public.tags
  referencing new table as added for each statement execute function private.note_tags();
create trigger tags_note_removed after delete on public.tags
  referencing old table as removed for each statement execute function private.note_tags();

-- As before, and acts of that age: as many as have that many rows together, at least one.
create or replace function private.purge_category_changes(at_most integer default 10000) returns integer
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
  delete from private.program_acts where id = any (array(
    select w.id from (
      select o.id, sum(o.row_count) over (order by o.started_at, o.id) - o.row_count as before
      from (
        select a.id, a.started_at, a.row_count from private.program_acts a
        where a.started_at < now() - interval '30 days' order by a.started_at limit at_most
      ) as o
    ) as w
    where w.before < at_most
  ));
  return purged;
end
$$;

revoke all on function private.act_key(), private.open_program_act(uuid, bigint), private.link_trace(text, text, text, uuid),
  private.category_trace(text, text), private.same_fields(jsonb, jsonb), private.without(uuid[], uuid[]),
  private.note_category_changes(text, uuid[], bigint[], text[], text), private.note_link_tags(), private.note_tags() from public;
