-- Words that a person gives to their links, across folders and categories. A person has as many as their plan has links, and a link
-- has at most twenty. Tables of their own: the columns of links are specified, and a link that gets a tag has not changed.
create table public.tags (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  -- The name as search compares it: 'Física' and 'fisica' are one tag.
  folded text not null,
  color text,
  -- Kept by triggers: the page of tags counts nothing.
  link_count integer not null default 0,
  -- When links were last given it, or lost it, by hand. Other devices hear of this row alone, not of twenty thousand links, and read
  -- their lists again when it says so; a link that is deleted takes no part.
  tagged_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint tags_pkey primary key (id),
  constraint tags_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  -- What the tags of links point at: a tag together with its owner, so that ownership cannot be crossed.
  constraint tags_id_and_owner unique (id, user_id),
  constraint tags_name_unique_per_user unique (user_id, folded),
  constraint tags_name_length check (char_length(name) between 1 and 50),
  -- What separates tags in a field, in a question or in a file is in none of them.
  constraint tags_name_plain check (name !~ '^[\s#]|\s$|\s\s|[",;|\u201c\u201d\x01-\x1f\x7f]'),
  constraint tags_name_compares check (folded ~ '\S'),
  -- Those of folders; twin of FOLDER_COLORS in packages/domain/src/folder-look.ts.
  constraint tags_color_known
    check (color in ('red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'))
);

create table public.link_tags (
  link_id uuid not null,
  tag_id uuid not null,
  user_id uuid not null,
  -- The birth of the link, which never changes: the newest links of a tag are found without reading the others.
  saved_at timestamptz not null,
  constraint link_tags_pkey primary key (link_id, tag_id),
  constraint link_tags_link_id_fkey foreign key (link_id) references public.links (id) on delete cascade,
  constraint link_tags_tag_of_same_owner foreign key (tag_id, user_id) references public.tags (id, user_id) on delete cascade
);
create index link_tags_newest_of_tag on public.link_tags (tag_id, saved_at, link_id);

alter table public.tags enable row level security;
alter table public.link_tags enable row level security;
revoke all on public.tags, public.link_tags from public, anon, authenticated;
-- Made, given to links, merged and deleted by the functions below alone, which can be undone.
grant select, update (name, color) on public.tags to authenticated;
grant select on public.link_tags to authenticated;
grant all on public.tags, public.link_tags to service_role;

create policy tags_select_own on public.tags
  for select to authenticated using (user_id = (select auth.uid()));
create policy tags_update_own on public.tags
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy tags_of_open_account on public.tags as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy tags_service on public.tags for all to service_role using (true) with check (true);
create policy link_tags_select_own on public.link_tags
  for select to authenticated using (user_id = (select auth.uid()));
create policy link_tags_of_open_account on public.link_tags as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy link_tags_service on public.link_tags for all to service_role using (true) with check (true);

-- Twin of TAG_LIMITS in packages/domain/src/tags.ts; a test compares the two.
create function private.most_tags(whose text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$ select case whose when 'person' then 10000 when 'link' then 20 when 'undo' then 30 end $$;

-- A name as it is kept, of one that was typed or stands in a file; null where nothing is left. Twin of readTagName in
-- packages/domain/src/tags.ts; a test compares the two.
create function private.tag_name(typed text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  plain text := regexp_replace(left(typed, 1000), '[\s",;|\u201c\u201d\u00a0\x01-\x1f\x7f-\u009f]+', ' ', 'g');
begin
  plain := rtrim(left(ltrim(plain, ' #'), 50), ' ');
  return case when private.normalize_search_text(plain) ~ '\S' then plain end;
end
$$;

create function private.fold_tag() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.folded := private.normalize_search_text(new.name);
  return new;
end
$$;

create trigger tags_fold before insert or update of name, folded on public.tags
  for each row execute function private.fold_tag();

-- Of two statements racing for the last place the second waits and sees what the first has written. What is given back fits.
create function private.limit_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person record;
  total bigint;
begin
  for person in
    select p.id, p.plan, l.max_links as allowed
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where p.id in (select a.user_id from added a)
    order by p.id
  loop
    perform from public.library_counts n where n.user_id = person.id for no key update;
    select count(*) into total from public.tags t where t.user_id = person.id;
    continue when total <= least(person.allowed, private.most_tags('person'))
      or exists (select from private.restorations r where r.user_id = person.id);
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s tags atingido',
        replace(to_char(least(person.allowed, private.most_tags('person')), 'FM9,999,999'), ',', '.')),
      detail = json_build_object('max', least(person.allowed, private.most_tags('person')), 'plan', person.plan)::text,
      hint = case when person.allowed < private.most_tags('person') then 'plan_limit_tags' else 'bound_tags' end;
  end loop;
  return null;
end
$$;

create trigger tags_limit after insert on public.tags
  referencing new table as added for each statement execute function private.limit_tags();

create function private.count_tagged() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if exists (
      select from public.link_tags k where k.link_id in (select a.link_id from added a)
      group by k.link_id having count(*) > private.most_tags('link')
    ) then
      raise exception using
        errcode = 'P0001', message = format('No máximo %s tags por link', private.most_tags('link')),
        detail = json_build_object('max', private.most_tags('link'))::text, hint = 'bound_link_tags';
    end if;
    update public.tags t set link_count = t.link_count + n.total
    from (select a.tag_id, count(*) as total from added a group by a.tag_id) as n
    where t.id = n.tag_id;
  elsif exists (select from removed) then
    update public.tags t set link_count = t.link_count - n.total
    from (select r.tag_id, count(*) as total from removed r group by r.tag_id) as n
    where t.id = n.tag_id;
  end if;
  return null;
end
$$;

create trigger link_tags_count_added after insert on public.link_tags
  referencing new table as added for each statement execute function private.count_tagged();
create trigger link_tags_count_removed after delete on public.link_tags
  referencing old table as removed for each statement execute function private.count_tagged();

-- What a person did with their tags, as far back as they can undo it: the tags that went, those that were made for it, and the links
-- that got or lost one.
create table private.tag_changes (
  id bigint generated always as identity,
  user_id uuid not null,
  gone jsonb not null default '[]',
  made uuid[] not null default '{}',
  constraint tag_changes_pkey primary key (id),
  -- The counters and not auth.users, as for deletions: whoever writes tags holds their own row of them already.
  constraint tag_changes_user_id_fkey foreign key (user_id) references public.library_counts (user_id) on delete cascade
);
create index tag_changes_of_user on private.tag_changes (user_id, id);
-- Lists of at most 5,000 and no rows of their own: they are written once and read at most once.
create table private.tag_change_links (
  id bigint generated always as identity,
  change_id bigint not null,
  tag_id uuid not null,
  got_it boolean not null,
  link_ids uuid[] not null,
  constraint tag_change_links_pkey primary key (id),
  constraint tag_change_links_change_fkey foreign key (change_id) references private.tag_changes (id) on delete cascade
);
create index tag_change_links_of_change on private.tag_change_links (change_id);
alter table private.tag_changes enable row level security;
alter table private.tag_change_links enable row level security;
revoke all on private.tag_changes, private.tag_change_links from public, anon, authenticated, service_role;

-- Begins a change; what one person does with tags comes one after the other.
create function private.open_tag_change(caller uuid) returns bigint
  language plpgsql
  set search_path = ''
as $$
declare
  opened bigint;
begin
  perform from public.library_counts n where n.user_id = caller for no key update;
  if not found then
    raise exception using
      errcode = '42501', message = 'Você precisa estar autenticado para realizar esta operação';
  end if;
  delete from private.tag_changes where id = any (array(
    select c.id from private.tag_changes c where c.user_id = caller order by c.id desc offset private.most_tags('undo') - 1
  ));
  insert into private.tag_changes (user_id) values (caller) returning id into opened;
  return opened;
end
$$;

-- The caller's tags of these names, in their order and each once; those that are missing are made, with room for all of them or, where
-- that is asked for, as far as there is room.
create function private.make_tags(caller uuid, names text[], fits_only boolean, out ids uuid[], out made uuid[])
  language plpgsql
  set search_path = ''
as $$
declare
  room bigint;
begin
  if fits_only then
    select greatest(least(l.max_links, private.most_tags('person')) - (
      select count(*) from public.tags t where t.user_id = caller
    ), 0) into room
    from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = caller;
  end if;
  with wanted as materialized (
    select distinct on (f.folded) n.name, f.folded, t.place
    from unnest(names) with ordinality as t(typed, place)
    cross join lateral (select private.tag_name(t.typed) as name) as n
    cross join lateral (select private.normalize_search_text(n.name) as folded) as f
    where n.name is not null
    order by f.folded, t.place
  ), known as materialized (
    select t.id, t.folded from public.tags t
    where t.user_id = caller and t.folded in (select w.folded from wanted w)
  ), added as (
    insert into public.tags (user_id, name)
    select caller, w.name from wanted w
    where not exists (select from known k where k.folded = w.folded)
    order by w.place
    limit room
    returning id, folded
  )
  select array_agg(u.id order by w.place), array_agg(u.id) filter (where u.is_new) into ids, made
  from (select k.id, k.folded, false as is_new from known k union all select a.id, a.folded, true from added a) as u
  join wanted w on w.folded = u.folded;
  ids := coalesce(ids, '{}');
  made := coalesce(made, '{}');
end
$$;

-- The caller's categories that others look at and that have links with these tags.
create function private.shared_categories_with_tags(caller uuid, tag_ids uuid[]) returns uuid[]
  language plpgsql stable
  set search_path = ''
as $$
begin
  return array(
    select s.id
    from unnest(private.shared_category_ids(array(select c.id from public.categories c where c.user_id = caller))) as s(id)
    where exists (
      select from public.links l join public.link_tags k on k.link_id = l.id
      where l.category_id = s.id and k.tag_id = any (tag_ids)
    )
  );
end
$$;

-- Gives links the tags of some names and takes those of others away. Ids of others' links count for nothing. Returns {"change", "tags"}:
-- what undo_tag_change is asked for, and the tags that were asked about, as they are now.
create function public.tag_links(link_ids uuid[], added text[] default '{}', removed text[] default '{}') returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  own uuid[];
  change bigint;
  given record;
  taken uuid[];
begin
  if coalesce(cardinality(link_ids), 0) = 0 or added is null or removed is null then
    raise exception using errcode = 'PT400', message = 'Nenhum link para receber tags';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  elsif cardinality(added) > private.most_tags('link') or cardinality(removed) > private.most_tags('person') then
    raise exception using
      errcode = 'P0001', message = format('No máximo %s tags por link', private.most_tags('link')),
      detail = json_build_object('max', private.most_tags('link'))::text, hint = 'bound_link_tags';
  end if;
  -- The links first, as whoever deletes them does.
  own := array(
    select l.id from public.links l where l.id = any (link_ids) and l.user_id = caller order by l.id for key share
  );
  if cardinality(own) = 0 then
    raise exception using errcode = 'PT404', message = 'Este link não existe mais';
  end if;
  change := private.open_tag_change(caller);
  given := private.make_tags(caller, added, false);
  taken := array(
    select t.id from public.tags t
    where t.user_id = caller and t.id <> all (given.ids) and t.folded = any (array(
      select private.normalize_search_text(private.tag_name(r)) from unnest(removed) as r
    ))
  );

  with lost as (
    delete from public.link_tags k where k.tag_id = any (taken) and k.link_id = any (own) returning k.tag_id, k.link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, false, array_agg(n.link_id)
  from (select l.*, row_number() over (partition by l.tag_id) / 5000 as part from lost l) as n group by n.tag_id, n.part;
  with got as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select l.id, g.id, caller, l.created_at
    from public.links l cross join unnest(given.ids) as g(id)
    where l.id = any (own)
    on conflict do nothing
    returning tag_id, link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, true, array_agg(n.link_id)
  from (select g.*, row_number() over (partition by g.tag_id) / 5000 as part from got g) as n group by n.tag_id, n.part;

  update private.tag_changes c set made = given.made where c.id = change;
  update public.tags t set tagged_at = clock_timestamp()
  where t.id in (select c.tag_id from private.tag_change_links c where c.change_id = change);
  if found then
    perform private.tell_viewers(private.shared_category_ids(array(
      select distinct l.category_id from public.links l where l.id = any (own)
    )));
  end if;
  return jsonb_build_object('change', change, 'tags', coalesce((
    select jsonb_agg(to_jsonb(t)) from public.tags t where t.id = any (given.ids || taken)
  ), '[]'));
end
$$;

-- Takes tags away, from all of their links. Returns what undo_tag_change is asked for.
create function public.delete_tags(tag_ids uuid[]) returns bigint
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  change bigint := private.open_tag_change(caller);
  own uuid[] := array(select t.id from public.tags t where t.id = any (tag_ids) and t.user_id = caller);
begin
  if cardinality(own) = 0 then
    raise exception using errcode = 'PT404', message = 'Esta tag não existe mais';
  end if;
  perform private.keep_tags(change, own);
  perform private.tell_viewers(private.shared_categories_with_tags(caller, own));
  delete from public.tags t where t.id = any (own);
  return change;
end
$$;

-- Keeps tags that are about to go, and which links have them.
create function private.keep_tags(change bigint, tag_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update private.tag_changes c
  set gone = (select jsonb_agg(to_jsonb(t)) from public.tags t where t.id = any (tag_ids))
  where c.id = change;
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, false, array_agg(n.link_id)
  from (
    select k.tag_id, k.link_id, row_number() over (partition by k.tag_id) / 5000 as part
    from public.link_tags k where k.tag_id = any (tag_ids)
  ) as n
  group by n.tag_id, n.part;
end
$$;

-- Makes one tag of several: what has one of the sources has the target from now on. At most 20,000 links a call; the caller asks again
-- until `done`, and then the sources are gone. Returns {"change", "done"}. What is in the bin follows.
create function public.merge_tags(source_ids uuid[], target_id uuid) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  change bigint;
  sources uuid[] := array(
    select t.id from public.tags t where t.id = any (source_ids) and t.id <> target_id and t.user_id = caller
  );
  moved uuid[];
  is_rest boolean;
begin
  moved := array(select distinct k.link_id from public.link_tags k where k.tag_id = any (sources) limit 20001);
  is_rest := cardinality(moved) <= 20000;
  moved := moved[:20000];
  -- The links first, as whoever deletes them does.
  perform from public.links l where l.id = any (moved) order by l.id for key share;
  change := private.open_tag_change(caller);
  if cardinality(sources) = 0 or not exists (select from public.tags t where t.id = target_id and t.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Esta tag não existe mais';
  end if;
  perform private.tell_viewers(private.shared_categories_with_tags(caller, sources));
  if is_rest then
    perform private.keep_tags(change, sources);
    -- The sources first: a link that has twenty has room for the target.
    delete from public.tags t where t.id = any (sources);
  else
    with lost as (
      delete from public.link_tags k where k.tag_id = any (sources) and k.link_id = any (moved) returning k.tag_id, k.link_id
    )
    insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
    select change, n.tag_id, false, array_agg(n.link_id)
    from (select l.*, row_number() over (partition by l.tag_id) / 5000 as part from lost l) as n group by n.tag_id, n.part;
  end if;
  with got as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select l.id, target_id, caller, l.created_at from public.links l where l.id = any (moved) and l.user_id = caller
    on conflict do nothing
    returning link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, target_id, true, array_agg(n.link_id)
  from (select g.*, row_number() over () / 5000 as part from got g) as n group by n.part;
  update public.tags t set tagged_at = clock_timestamp() where t.id = any (sources || target_id);
  update private.deleted_rows r
  set content = jsonb_build_object('tag_ids', (
    select jsonb_agg(distinct case when o.id = any (sources::text[]) then target_id::text else o.id end)
    from jsonb_array_elements_text(r.content -> 'tag_ids') as o(id)
  ))
  from private.deletions d
  where d.user_id = caller and r.deletion_id = d.id and r.kind = 'tags' and r.content -> 'tag_ids' ?| sources::text[];
  return jsonb_build_object('change', change, 'done', is_rest);
end
$$;

-- Undoes one of the caller's last changes, once: tags come back as they were, with their links, and links have the tags that they had.
-- At most 20,000 links a call; the caller asks again until the answer is true. A tag whose name was given to another meanwhile comes back
-- as that one; what was made for the change goes where nothing else has it.
create function public.undo_tag_change(change_id bigint) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  -- What was given goes first: a link that has twenty has room for what it lost.
  parts bigint[] := array(
    select k.id from private.tag_changes c join private.tag_change_links k on k.change_id = c.id
    where c.id = $1 and c.user_id = caller order by k.got_it desc, k.id limit 4
  );
  touched uuid[] := array(select u.id from private.tag_change_links k cross join lateral unnest(k.link_ids) as u(id) where k.id = any (parts));
  change private.tag_changes;
begin
  -- The links first, as whoever deletes them does.
  perform from public.links l where l.id = any (touched) and l.user_id = caller order by l.id for key share;
  perform from public.library_counts n where n.user_id = caller for no key update;
  select c.* into change from private.tag_changes c where c.id = $1 and c.user_id = caller;
  if not found then
    -- Somebody else's answers like one that does not exist.
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  end if;

  insert into private.restorations (user_id, link_count, category_count) values (caller, 0, 0);
  insert into public.tags (id, user_id, name, color, created_at)
  select t.id, caller, t.name, t.color, t.created_at
  from jsonb_populate_recordset(null::public.tags, change.gone) as t
  on conflict do nothing;
  delete from private.restorations r where r.user_id = caller;

  delete from public.link_tags k using private.tag_change_links c
  where c.id = any (parts) and c.got_it and k.tag_id = c.tag_id and k.link_id = any (c.link_ids);
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select distinct l.id, n.tag_id, caller, l.created_at
  from (
    select t.id as tag_id, u.id
    from private.tag_change_links c
    left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
    join public.tags t on t.user_id = caller and (t.id = c.tag_id or t.folded = g.folded)
    cross join lateral unnest(c.link_ids) as u(id)
    where c.id = any (parts) and not c.got_it
    offset 0
  ) as n
  join public.links l on l.id = n.id and l.user_id = caller
  on conflict do nothing;
  update public.tags t set tagged_at = clock_timestamp()
  where t.user_id = caller and t.id in (select c.tag_id from private.tag_change_links c where c.id = any (parts));
  perform private.tell_viewers(private.shared_category_ids(array(
    select distinct l.category_id from public.links l where l.id = any (touched) and l.user_id = caller
  )));
  delete from private.tag_change_links c where c.id = any (parts);
  if exists (select from private.tag_change_links c where c.change_id = $1) then
    return false;
  end if;
  delete from public.tags t where t.id = any (change.made) and t.user_id = caller and t.link_count = 0;
  delete from private.tag_changes c where c.id = $1;
  return true;
end
$$;

-- Whoever looks at a shared category sees the new name.
create function private.tell_viewers_of_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform private.tell_viewers(private.shared_categories_with_tags(new.user_id, array[new.id]));
  return null;
end
$$;

create trigger tags_tell_renamed after update of name on public.tags
  for each row when (old.name is distinct from new.name) execute function private.tell_viewers_of_tags();

-- The tags of a link that its person deletes lie beside it, in one row under its id, and come back with it as far as they are still
-- there: a tag that was deleted meanwhile would have gone from it.
alter table private.deleted_rows drop constraint deleted_rows_kind_known;
alter table private.deleted_rows add constraint deleted_rows_kind_known
  check (kind in ('folder', 'category', 'share', 'link', 'favorite', 'look', 'order', 'tags'));

create function private.keep_deleted_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  -- Nobody has analysed what has just gone: joined by hash the cost stays in proportion.
  set enable_nestloop = off
as $$
declare
  kept bigint := (
    select d.id from private.deletions d
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
  );
  total bigint;
begin
  if kept is null then
    return null;
  end if;
  insert into private.deleted_rows (deletion_id, kind, id, content)
  select kept, 'tags', i.id, jsonb_build_object('tag_ids', jsonb_agg(r.tag_id))
  from removed r join private.deleted_rows i on i.deletion_id = kept and i.kind = 'link' and i.id = r.link_id
  group by i.id;
  get diagnostics total = row_count;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$$;

-- Runs with every added link, and does something only where links are given back.
create function private.restore_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'tags' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.id, r.content
  ), newest as (
    -- Of what was deleted more than once.
    select distinct on (t.id) t.id, t.content from taken t order by t.id, t.deletion_id desc
  )
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select a.id, g.id, caller, a.created_at
  from newest n
  join added a on a.id = n.id
  cross join lateral jsonb_array_elements_text(n.content -> 'tag_ids') as kept(id)
  join public.tags g on g.id = kept.id::uuid and g.user_id = caller
  on conflict do nothing;
  return null;
end
$$;

-- After a link's own, so that it lies in the bin when its tags come (see shared_with_keep_deleted).
create trigger link_tags_keep_deleted after delete on public.link_tags
  referencing old table as removed for each statement execute function private.keep_deleted_tags();
create trigger links_restore_tags after insert on public.links
  referencing new table as added for each statement execute function private.restore_tags();

revoke all on function private.most_tags(text), private.tag_name(text), private.fold_tag(), private.limit_tags(),
  private.count_tagged(), private.open_tag_change(uuid), private.make_tags(uuid, text[], boolean),
  private.shared_categories_with_tags(uuid, uuid[]), private.keep_tags(bigint, uuid[]), private.tell_viewers_of_tags(),
  private.keep_deleted_tags(), private.restore_tags() from public;
revoke all on function public.tag_links(uuid[], text[], text[]), public.delete_tags(uuid[]), public.merge_tags(uuid[], uuid),
  public.undo_tag_change(bigint) from public, anon, authenticated, service_role;
grant execute on function public.tag_links(uuid[], text[], text[]), public.delete_tags(uuid[]), public.merge_tags(uuid[], uuid),
  public.undo_tag_change(bigint) to authenticated;

-- Other devices learn of it as of the library. A publication of all tables has it already, and takes no single one.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    alter publication supabase_realtime add table public.tags;
  end if;
end
$$;
alter table public.tags replica identity full;
