-- 'Desfazer' of an import: exactly what it made goes. What was there before stays, and so does a category or folder in which
-- something else lies by now. On every plan: taking away is never refused.

-- Up to some five thousand links a call; the caller asks again until `done`. The answer counts what went: {"folders", "categories",
-- "links", "done"}.
create function public.undo_import(import_id uuid) returns jsonb
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
  delete from private.import_parts p where p.user_id = caller and p.import_id = $1;
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links, 'done', true);
end
$$;

-- The caller's last import that can be taken back: {"id", "started_at", "folders", "categories", "links"}, or null.
create function public.last_import() returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', i.id, 'started_at', i.started_at, 'folders', sum((p.answer ->> 'folders')::integer),
      'categories', sum((p.answer ->> 'categories')::integer), 'links', sum((p.answer ->> 'links')::integer)
    )
    from private.imports i
    join private.import_parts p on p.user_id = i.user_id and p.import_id = i.id
    where i.user_id = private.caller_id() and i.started_at > now() - private.import_window()
    group by i.id, i.started_at
    having sum(cardinality(p.link_ids) + cardinality(p.category_ids) + cardinality(p.folder_ids)) > 0
    order by i.started_at desc
    limit 1
  );
end
$$;

revoke all on function public.undo_import(uuid), public.last_import() from public, anon, authenticated, service_role;
grant execute on function public.undo_import(uuid), public.last_import() to authenticated;
