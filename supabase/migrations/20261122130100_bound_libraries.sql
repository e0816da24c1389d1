-- Folders, categories and links within their technical bounds, and addresses on a folder.

-- As before. Where the plan knows no limit, the technical bound holds, and is refused in words of its own: no other plan has more.
create or replace function private.take_places(owner_id uuid, what text, added bigint, bytes bigint) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  total integer;
  allowed integer;
  bound integer;
  owner_plan text;
begin
  if what = 'links' then
    update public.library_counts n set link_count = n.link_count + added, row_bytes = n.row_bytes + bytes
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.link_count, l.max_links, p.plan into total, allowed, owner_plan;
  else
    update public.library_counts n set category_count = n.category_count + added, row_bytes = n.row_bytes + bytes
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.category_count, l.max_categories, p.plan into total, allowed, owner_plan;
  end if;
  if not found then
    raise exception 'user % has no counters', owner_id;
  end if;

  bound := case what when 'links' then private.most('links') else private.most('categories') end;
  if total > least(allowed, bound) and not exists (
    select from private.restorations r
    where r.user_id = owner_id and total <= case what when 'links' then r.link_count else r.category_count end
  ) then
    if allowed is null then
      perform private.refuse_beyond(what);
    end if;
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case what when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', what);
  end if;
  return total;
end
$$;

-- As before, and counting is refusing here, too: the raised row stays locked until commit.
create or replace function private.count_folders() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
  total integer;
begin
  if tg_op = 'INSERT' then
    for change in
      select a.user_id, count(*) as n, sum(private.folder_bytes(a::public.folders)) as bytes
      from added a group by a.user_id order by a.user_id
    loop
      update public.library_counts set folder_count = folder_count + change.n, row_bytes = row_bytes + change.bytes
      where user_id = change.user_id
      returning folder_count into total;
      if total > private.most('folders') then
        perform private.refuse_beyond('folders');
      end if;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select r.user_id, count(*) as n, sum(private.folder_bytes(r::public.folders)) as bytes
      from removed r group by r.user_id order by r.user_id
    loop
      update public.library_counts set folder_count = folder_count - change.n, row_bytes = row_bytes - change.bytes
      where user_id = change.user_id;
    end loop;
  else
    for change in
      select w.user_id, sum(w.bytes) as bytes
      from (
        select r.user_id, -private.folder_bytes(r::public.folders) as bytes from removed r
        union all select a.user_id, private.folder_bytes(a::public.folders) from added a
      ) as w
      group by w.user_id having sum(w.bytes) <> 0 order by w.user_id
    loop
      update public.library_counts set row_bytes = row_bytes + change.bytes where user_id = change.user_id;
    end loop;
  end if;
  return null;
end
$$;

-- A folder's list is written whole with every change of the folder.
alter table public.folders add constraint folders_shared_with_length
  check (cardinality(shared_with) <= 100) not valid;

-- Refuses, as the bounds would in the end, what does not fit as a whole: before anything of it is written.
create or replace function private.require_import_room(caller uuid, total jsonb) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  kind text;
  allowed integer;
  owner_plan text;
begin
  select f.what, f.allowed, f.plan into kind, allowed, owner_plan
  from public.profiles p
  join private.plan_limits l on l.plan = p.plan
  join public.library_counts n on n.user_id = p.id
  cross join lateral (values
    ('categories', n.category_count, (total ->> 'categories')::bigint, l.max_categories, private.most('categories'), p.plan),
    ('links', n.link_count, (total ->> 'links')::bigint, l.max_links, private.most('links'), p.plan)
  ) as f(what, present, added, allowed, bound, plan)
  where p.id = caller and f.added > 0 and f.present + f.added > least(f.allowed, f.bound)
  limit 1;
  if found and allowed is null then
    perform private.refuse_beyond(kind);
  elsif found then
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case kind when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', kind);
  end if;
end
$$;
