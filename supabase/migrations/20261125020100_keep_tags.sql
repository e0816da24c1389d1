-- What becomes of tags: they are in the account's copy with what is in the bin, a category that is copied brings the names of its links'
-- tags, and so does a file that is imported, as far as the plan has room for new ones.

-- What is in the bin, row by row, for the copy of one's account: as it was, a category with whom it was shared with and whether it had an
-- order, a folder with its look, a link with its place and its tags.
create or replace function public.list_bin_rows(
  after_deletion bigint default 0, after_kind text default '', after_id uuid default null, max integer default 1000
)
  returns table (deletion_id bigint, kind text, id uuid, content jsonb, deleted_at timestamptz, purge_after timestamptz)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  left_over integer := least(greatest(coalesce(max, 1000), 0), 1000);
  found_rows integer;
  d private.deletions;
begin
  for d in
    select o.* from private.deletions o
    where o.user_id = caller and o.purge_after > now() and o.id >= after_deletion
    order by o.id
  loop
    exit when left_over = 0;
    return query
      select d.id, r.kind, r.id, r.content || case r.kind
        when 'category' then jsonb_build_object('shared_with', coalesce(
          (
            select jsonb_agg(jsonb_build_object('email', s.content ->> 'email', 'created_at', s.content ->> 'created_at'))
            from private.deleted_rows s where s.deletion_id = d.id and s.kind = 'share' and s.id = r.id
          ), '[]'
        ), 'manual_order', (
          select jsonb_build_object('category_id', r.id)
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'order' and k.id = r.id limit 1
        ))
        when 'folder' then jsonb_build_object('folder_looks', (
          select jsonb_build_object('color', k.content ->> 'color', 'emoji', k.content ->> 'emoji')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'look' and k.id = r.id limit 1
        ))
        else jsonb_build_object('manual_order', (
          select jsonb_build_object('rank', k.content ->> 'rank')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'order' and k.id = r.id limit 1
        ), 'link_tags', coalesce((
          select jsonb_agg(jsonb_build_object('tags', jsonb_build_object('name', t.name)) order by t.folded)
          from private.deleted_rows k
          cross join lateral jsonb_array_elements_text(k.content -> 'tag_ids') as g(id)
          join public.tags t on t.id = g.id::uuid and t.user_id = caller
          where k.deletion_id = d.id and k.kind = 'tags' and k.id = r.id
        ), '[]'))
      end, d.deleted_at, d.purge_after
      from private.deleted_rows r
      where r.deletion_id = d.id and r.kind in ('folder', 'category', 'link')
        and (d.id > after_deletion or (r.kind, r.id) > (after_kind, after_id))
      order by r.kind, r.id
      limit left_over;
    get diagnostics found_rows = row_count;
    left_over := left_over - found_rows;
  end loop;
end
$$;

-- As before; the links' tags come along by their names.
create or replace function public.copy_shared_category(category_id uuid, folder_id uuid) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  access text := private.category_access($1);
  copy uuid;
  total integer;
  tags record;
begin
  if access = 'limited' then
    raise exception using
      errcode = 'P0001',
      message = 'Limite de categorias compartilhadas atingido',
      hint = 'plan_limit_shares';
  elsif caller is null or access is null or access = 'denied' then
    -- Restricted to others and missing answer alike.
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif not exists (select from public.folders f where f.id = $2 and f.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  end if;
  select n.link_count into total from public.category_counts n where n.category_id = $1;
  if total > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;

  insert into public.categories (name, description, folder_id, user_id)
  select c.name, c.description, $2, caller from public.categories c where c.id = $1
  returning id into copy;
  if copy is null then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  -- Their names, the ones that most links have first, as far as the plan has room. (Before the links, which they are given to.)
  tags := private.make_tags(caller, array(
    select t.name
    from public.links l join public.link_tags k on k.link_id = l.id join public.tags t on t.id = k.tag_id
    where l.category_id = $1
    group by t.name, t.folded order by count(*) desc, t.folded
  ), true);
  -- The last one first: dates are new, the order is the same.
  with source as materialized (
    select gen_random_uuid() as id, l.id as source_id, l.url, l.title, l.description,
      row_number() over (order by coalesce(m.rank, private.birth_rank(l.created_at, l.id)) collate "C") as place
    from public.links l
    left join public.manual_order m on m.link_id = l.id
      and exists (select from public.manual_order o where o.category_id = $1)
    where l.category_id = $1
    order by place
    limit 20000
  ), copied as (
    insert into public.links (id, url, title, description, category_id, user_id)
    select s.id, s.url, s.title, s.description, copy, caller from source s order by s.place
    returning id, created_at
  )
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select s.id, own.id, caller, c.created_at
  from source s
  join copied c on c.id = s.id
  join public.link_tags k on k.link_id = s.source_id
  join public.tags t on t.id = k.tag_id
  join public.tags own on own.user_id = caller and own.folded = t.folded and own.id = any (tags.ids);
  return copy;
exception when foreign_key_violation then
  -- The folder went meanwhile.
  raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
end
$$;

-- What an import has made of tags goes with it when it is taken back.
alter table private.import_parts add column tag_ids uuid[] not null default '{}';

-- Gives the links of a part that were added the tags that the file has for them ("tags" of a link: names): at most as many as a link
-- may have, and new ones as far as the plan has room. Returns those that were made.
create function private.import_tags(caller uuid, content jsonb, link_ids uuid[]) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  given record;
begin
  if not exists (select from jsonb_array_elements(content -> 'links') as g where jsonb_typeof(g -> 'tags') = 'array') then
    return '{}';
  end if;
  given := private.make_tags(caller, array(
    select n.name
    from jsonb_to_recordset(content -> 'links') as g(n integer, id uuid, tags jsonb)
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(g.tags) when 'array' then g.tags else '[]' end)
      with ordinality as n(name, place)
    where g.id = any (link_ids)
    order by g.n, n.place
  ), true);
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select k.link_id, k.tag_id, caller, k.saved_at
  from (
    select l.id as link_id, t.id as tag_id, l.created_at as saved_at,
      row_number() over (partition by l.id order by min(n.place)) as place
    from jsonb_to_recordset(content -> 'links') as g(id uuid, tags jsonb)
    join public.links l on l.id = g.id
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(g.tags) when 'array' then g.tags else '[]' end)
      with ordinality as n(name, place)
    join public.tags t on t.user_id = caller and t.folded = private.normalize_search_text(private.tag_name(n.name))
    where g.id = any (link_ids)
    group by l.id, t.id
  ) as k
  where k.place <= private.most_tags('link');
  return given.made;
end
$$;

-- As before, with tags.
create or replace function public.import_library(import_id uuid, part integer, content jsonb) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.require_importer();
  running private.imports;
  made record;
  link_ids uuid[];
  tag_ids uuid[];
  answer jsonb;
begin
  perform private.require_import_content(content);
  if import_id is null or part is null or part < 0 or part >= 10000 then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  end if;
  perform private.purge_imports();
  insert into private.imports (user_id, id) values (caller, $1) on conflict (user_id, id) do nothing;
  -- Parts of one import come one after the other, also those that a slow network sent twice.
  select i.* into running from private.imports i where i.user_id = caller and i.id = $1 for update;
  if running.undone_at is not null then
    raise exception using errcode = 'PT409', message = 'Esta importação foi desfeita';
  end if;
  select p.answer into answer from private.import_parts p
  where p.user_id = caller and p.import_id = $1 and p.part = $2;
  if found then
    return answer;
  end if;
  if (select count(*) from private.imports i where i.user_id = caller) > 50 then
    raise exception using errcode = 'PT429', message = 'Muitas importações em um dia. Tente de novo amanhã.';
  end if;
  perform private.require_import_room(caller, content -> 'total');

  -- Limits hold as ever (there is nothing to be given back); the trigger of search leaves the summing up to widen_search_zones.
  insert into private.restorations (user_id, link_count, category_count) values (caller, 0, 0);
  made := private.import_places(caller, running.started_at, content);
  link_ids := private.import_links(caller, running.started_at, content);
  tag_ids := private.import_tags(caller, content, link_ids);
  delete from private.restorations where user_id = caller;

  answer := jsonb_build_object(
    'folders', cardinality(made.folder_ids),
    'categories', cardinality(made.category_ids),
    'links', cardinality(link_ids),
    'known', jsonb_array_length(content -> 'links') - cardinality(link_ids)
  );
  insert into private.import_parts (user_id, import_id, part, answer, folder_ids, category_ids, link_ids, tag_ids)
  values (caller, $1, $2, answer, made.folder_ids, made.category_ids, link_ids, tag_ids);
  return answer;
exception
  when not_null_violation or invalid_text_representation or invalid_datetime_format or datetime_field_overflow
    or numeric_value_out_of_range or invalid_parameter_value then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
end
$$;

-- As before; the tags that it made go where no link has them.
create or replace function public.undo_import(import_id uuid) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  doomed uuid[];
  links integer := 0;
  categories integer := 0;
  folders integer := 0;
begin
  -- Somebody else's import answers like one that does not exist. From here on no further part of it is taken.
  update private.imports i set undone_at = coalesce(i.undone_at, now())
  where i.user_id = caller and i.id = $1 and i.started_at > now() - private.import_window();
  if not found then
    raise exception using errcode = 'PT404', message = 'Importação não encontrada';
  end if;

  with emptied as (
    update private.import_parts p set link_ids = '{}'
    from (
      select q.part, q.link_ids from private.import_parts q
      where q.user_id = caller and q.import_id = $1 and q.link_ids <> '{}'
      order by q.part limit 10
    ) as full_parts
    where p.user_id = caller and p.import_id = $1 and p.part = full_parts.part
    returning full_parts.link_ids
  )
  select array_agg(gone.id) into doomed from emptied cross join lateral unnest(emptied.link_ids) as gone(id);
  delete from public.links l where l.id = any (doomed) and l.user_id = caller;
  get diagnostics links = row_count;
  if exists (
    select from private.import_parts p where p.user_id = caller and p.import_id = $1 and p.link_ids <> '{}'
  ) then
    return jsonb_build_object('folders', 0, 'categories', 0, 'links', links, 'done', false);
  end if;

  delete from public.categories c
  where c.user_id = caller
    and c.id = any (array(
      select unnest(p.category_ids) from private.import_parts p where p.user_id = caller and p.import_id = $1
    ))
    and not exists (select from public.links l where l.category_id = c.id);
  get diagnostics categories = row_count;
  delete from public.folders f
  where f.user_id = caller
    and f.id = any (array(
      select unnest(p.folder_ids) from private.import_parts p where p.user_id = caller and p.import_id = $1
    ))
    and not exists (select from public.categories c where c.folder_id = f.id);
  get diagnostics folders = row_count;
  delete from public.tags t
  where t.user_id = caller and t.link_count = 0
    and t.id = any (array(
      select unnest(p.tag_ids) from private.import_parts p where p.user_id = caller and p.import_id = $1
    ));
  delete from private.import_parts p where p.user_id = caller and p.import_id = $1;
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links, 'done', true);
end
$$;

revoke all on function private.import_tags(uuid, jsonb, uuid[]) from public;
