-- How many bytes a library holds, kept beside its counters: the row that counting writes anyway takes the weight along, so that a
-- link costs no write more than before. A row weighs what its values take: texts in UTF-8, 16 for an id, 8 for a moment.
-- Written as expressions (`return`): they are folded into the statement that sums them up.

create function private.folder_bytes(f public.folders) returns bigint
  language sql immutable
  return 49 + octet_length(f.name) + coalesce(octet_length(array_to_string(f.shared_with, '')), 0);

create function private.category_bytes(c public.categories) returns bigint
  language sql immutable
  return 65 + octet_length(c.name) + coalesce(octet_length(c.description), 0) + coalesce(octet_length(c.name_users), 0);

create function private.link_bytes(l public.links) returns bigint
  language sql immutable
  return 64 + octet_length(l.url) + octet_length(l.title) + coalesce(octet_length(l.description), 0);

-- Nobody writes while what is there is weighed. In a block, because the hosted platform's command line opens no transaction of its own.
do $$
begin
  lock table public.folders, public.categories, public.links in share row exclusive mode;
end
$$;

alter table public.library_counts add column row_bytes bigint not null default 0;

update public.library_counts n set row_bytes = weighed.bytes
from (
  select w.user_id, sum(w.bytes) as bytes
  from (
    select f.user_id, private.folder_bytes(f) as bytes from public.folders f
    union all select c.user_id, private.category_bytes(c) from public.categories c
    union all select l.user_id, private.link_bytes(l) from public.links l
  ) as w
  group by w.user_id
) as weighed
where n.user_id = weighed.user_id;

-- As before, with the weight of what was added.
create function private.take_places(owner_id uuid, what text, added bigint, bytes bigint) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  total integer;
  allowed integer;
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

  if total > allowed and not exists (
    select from private.restorations r
    where r.user_id = owner_id and total <= case what when 'links' then r.link_count else r.category_count end
  ) then
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case what when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', what);
  end if;
  return total;
end
$$;

create or replace function private.count_folders() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in
      select a.user_id, count(*) as n, sum(private.folder_bytes(a::public.folders)) as bytes
      from added a group by a.user_id order by a.user_id
    loop
      update public.library_counts set folder_count = folder_count + change.n, row_bytes = row_bytes + change.bytes
      where user_id = change.user_id;
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

create or replace function private.count_categories() returns trigger
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
      select a.user_id, count(*) as n, sum(private.category_bytes(a::public.categories))::bigint as bytes
      from added a group by a.user_id order by a.user_id
    loop
      total := private.take_places(change.user_id, 'categories', change.n, change.bytes);
    end loop;
    insert into public.category_counts (category_id, user_id) select id, user_id from added;
  elsif tg_op = 'DELETE' then
    for change in
      select r.user_id, count(*) as n, sum(private.category_bytes(r::public.categories)) as bytes
      from removed r group by r.user_id order by r.user_id
    loop
      update public.library_counts set category_count = category_count - change.n, row_bytes = row_bytes - change.bytes
      where user_id = change.user_id;
    end loop;
  else
    for change in
      select w.user_id, sum(w.bytes) as bytes
      from (
        select r.user_id, -private.category_bytes(r::public.categories) as bytes from removed r
        union all select a.user_id, private.category_bytes(a::public.categories) from added a
      ) as w
      group by w.user_id having sum(w.bytes) <> 0 order by w.user_id
    loop
      update public.library_counts set row_bytes = row_bytes + change.bytes where user_id = change.user_id;
    end loop;
  end if;
  return null;
end
$$;

create or replace function private.count_links() returns trigger
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
      select a.user_id, a.category_id, count(*) as n, sum(private.link_bytes(a::public.links))::bigint as bytes
      from added a group by a.user_id, a.category_id order by a.user_id, a.category_id
    loop
      total := private.take_places(change.user_id, 'links', change.n, change.bytes);
      update public.category_counts set link_count = link_count + change.n where category_id = change.category_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select r.user_id, count(*) as n, sum(private.link_bytes(r::public.links)) as bytes
      from removed r group by r.user_id order by r.user_id
    loop
      update public.library_counts set link_count = link_count - change.n, row_bytes = row_bytes - change.bytes
      where user_id = change.user_id;
    end loop;
    for change in select category_id, count(*) as n from removed group by category_id order by category_id loop
      update public.category_counts set link_count = link_count - change.n where category_id = change.category_id;
    end loop;
  else
    -- Links whose texts grew or shrank; then those that changed their category.
    for change in
      select w.user_id, sum(w.bytes) as bytes
      from (
        select r.user_id, -private.link_bytes(r::public.links) as bytes from removed r
        union all select a.user_id, private.link_bytes(a::public.links) from added a
      ) as w
      group by w.user_id having sum(w.bytes) <> 0 order by w.user_id
    loop
      update public.library_counts set row_bytes = row_bytes + change.bytes where user_id = change.user_id;
    end loop;
    for change in
      select category_id, sum(step) as n
      from (select category_id, -1 as step from removed union all select category_id, 1 from added) as steps
      group by category_id having sum(step) <> 0 order by category_id
    loop
      update public.category_counts set link_count = link_count + change.n where category_id = change.category_id;
    end loop;
  end if;
  return null;
end
$$;

drop function private.take_places(uuid, text, bigint);

create trigger folders_weigh_changed after update on public.folders
  referencing old table as removed new table as added for each statement execute function private.count_folders();
create trigger categories_weigh_changed after update on public.categories
  referencing old table as removed new table as added for each statement execute function private.count_categories();

revoke all on function private.folder_bytes(public.folders), private.category_bytes(public.categories),
  private.link_bytes(public.links), private.take_places(uuid, text, bigint, bigint) from public;
