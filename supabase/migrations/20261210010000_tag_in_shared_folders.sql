-- Whoever may write in a category of a shared folder tags its links, as its owner does. Tags stay the owner's: a name that the owner has is
-- that tag, another one is made, of their plan's places. Of the owner's tags nothing is told but the names that stand on links there.

-- Whose tags were changed, which may be somebody else than who changed them.
alter table private.tag_changes
  add column owner_id uuid,
  add constraint tag_changes_owner_id_fkey foreign key (owner_id) references public.library_counts (user_id) on delete cascade;
update private.tag_changes c set owner_id = c.user_id where c.owner_id is null;
alter table private.tag_changes alter column owner_id set not null;
create index tag_changes_of_owner on private.tag_changes (owner_id);

-- As before, of the caller's tags or of somebody else's: what is done with one person's tags comes one after the other.
drop function private.open_tag_change(uuid);
create function private.open_tag_change(caller uuid, owner uuid default null) returns bigint
  language plpgsql
  set search_path = ''
as $$
declare
  opened bigint;
begin
  perform from public.library_counts n where n.user_id = coalesce(owner, caller) for no key update;
  if not found then
    raise exception using
      errcode = '42501', message = 'Você precisa estar autenticado para realizar esta operação';
  end if;
  delete from private.tag_changes where id = any (array(
    select c.id from private.tag_changes c where c.user_id = caller order by c.id desc offset private.most_tags('undo') - 1
  ));
  insert into private.tag_changes (user_id, owner_id) values (caller, coalesce(owner, caller)) returning id into opened;
  return opened;
end
$$;
revoke all on function private.open_tag_change(uuid, uuid) from public, anon, authenticated, service_role;

-- Those of some links whose tags the caller may change, all of one person, locked against whoever deletes them: the caller's own; where there
-- are none, those of another's shared folders.
create function private.links_to_tag(caller uuid, link_ids uuid[], out owner uuid, out ids uuid[])
  language plpgsql
  set search_path = ''
as $$
declare
  writable uuid[];
begin
  owner := caller;
  ids := array(
    select l.id from public.links l where l.id = any (link_ids) and l.user_id = caller order by l.id for key share
  );
  if cardinality(ids) > 0 then
    return;
  end if;
  writable := private.writable_category_ids();
  select l.user_id into owner
  from public.links l where l.id = any (link_ids) and l.category_id = any (writable) and caller is not null
  order by l.user_id limit 1;
  ids := array(
    select l.id from public.links l
    where l.id = any (link_ids) and l.user_id = owner and l.category_id = any (writable) order by l.id for key share
  );
end
$$;
revoke all on function private.links_to_tag(uuid, uuid[]) from public, anon, authenticated, service_role;

-- As before, of those links. Of another's tags no more is returned than their names.
create or replace function public.tag_links(link_ids uuid[], added text[] default '{}', removed text[] default '{}') returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.writer_id();
  reached record;
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
  reached := private.links_to_tag(caller, link_ids);
  if cardinality(reached.ids) = 0 then
    raise exception using errcode = 'PT404', message = 'Este link não existe mais';
  end if;
  change := private.open_tag_change(caller, reached.owner);
  given := private.make_tags(reached.owner, added, false);
  taken := array(
    select t.id from public.tags t
    where t.user_id = reached.owner and t.id <> all (given.ids) and t.folded = any (array(
      select private.normalize_search_text(private.tag_name(r)) from unnest(removed) as r
    ))
  );

  with lost as (
    delete from public.link_tags k where k.tag_id = any (taken) and k.link_id = any (reached.ids) returning k.tag_id, k.link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, false, array_agg(n.link_id)
  from (select l.*, row_number() over (partition by l.tag_id) / 5000 as part from lost l) as n group by n.tag_id, n.part;
  with got as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select l.id, g.id, reached.owner, l.created_at
    from public.links l cross join unnest(given.ids) as g(id)
    where l.id = any (reached.ids)
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
      select distinct l.category_id from public.links l where l.id = any (reached.ids)
    )));
  end if;
  return jsonb_build_object('change', change, 'tags', coalesce((
    select jsonb_agg(case when reached.owner = caller then to_jsonb(t) else jsonb_build_object('name', t.name) end)
    from public.tags t where t.id = any (given.ids || taken)
  ), '[]'));
end
$$;

-- As before; of what was done in another's shared folder as far as the caller may still write there.
create or replace function public.undo_tag_change(change_id bigint) returns boolean
  language plpgsql
  security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
declare
  caller uuid := private.writer_id();
  owner uuid := (select c.owner_id from private.tag_changes c where c.id = $1 and c.user_id = caller);
  -- What was given goes first: a link that has twenty has room for what it lost.
  parts bigint[] := array(
    select k.id from private.tag_changes c join private.tag_change_links k on k.change_id = c.id
    where c.id = $1 and c.user_id = caller order by k.got_it desc, k.id limit 4
  );
  touched uuid[] := array(select u.id from private.tag_change_links k cross join lateral unnest(k.link_ids) as u(id) where k.id = any (parts));
  change private.tag_changes;
begin
  if owner <> caller then
    touched := array(
      select l.id from public.links l
      where l.id = any (touched) and l.user_id = owner and l.category_id = any (private.writable_category_ids())
    );
  end if;
  -- The links first, as whoever deletes them does.
  perform from public.links l where l.id = any (touched) and l.user_id = owner order by l.id for key share;
  perform from public.library_counts n where n.user_id = owner for no key update;
  select c.* into change from private.tag_changes c where c.id = $1 and c.user_id = caller;
  if not found or owner <> caller and cardinality(touched) = 0 then
    -- Somebody else's answers like one that does not exist.
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  end if;

  if change.gone <> '[]' then
    insert into private.restorations (user_id, link_count, category_count) values (owner, 0, 0);
    insert into public.tags (id, user_id, name, color, created_at)
    select t.id, owner, t.name, t.color, t.created_at
    from jsonb_populate_recordset(null::public.tags, change.gone) as t
    on conflict do nothing;
    delete from private.restorations r where r.user_id = owner;
  end if;

  delete from public.link_tags k using private.tag_change_links c
  where c.id = any (parts) and c.got_it and k.tag_id = c.tag_id and k.link_id = any (c.link_ids)
    and (owner = caller or k.link_id = any (touched));
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select distinct l.id, n.tag_id, owner, l.created_at
  from (
    select t.id as tag_id, u.id
    from private.tag_change_links c
    left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
    join public.tags t on t.user_id = owner and (t.id = c.tag_id or t.folded = g.folded)
    cross join lateral unnest(c.link_ids) as u(id)
    where c.id = any (parts) and not c.got_it
    offset 0
  ) as n
  join public.links l on l.id = n.id and l.user_id = owner
  where owner = caller or l.id = any (touched)
  on conflict do nothing;
  update public.tags t set tagged_at = clock_timestamp()
  where t.user_id = owner and t.id in (select c.tag_id from private.tag_change_links c where c.id = any (parts));
  perform private.tell_viewers(private.shared_category_ids(array(
    select distinct l.category_id from public.links l where l.id = any (touched) and l.user_id = owner
  )));
  delete from private.tag_change_links c where c.id = any (parts);
  if exists (select from private.tag_change_links c where c.change_id = $1) then
    return false;
  end if;
  delete from public.tags t where t.id = any (change.made) and t.user_id = owner and t.link_count = 0;
  delete from private.tag_changes c where c.id = $1;
  return true;
end
$$;
