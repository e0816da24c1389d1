-- Counters, so that no screen and no limit ever scans: one row a user, one row a category. Clients read their own.
create table public.library_counts (
  user_id uuid not null,
  folder_count integer not null default 0,
  category_count integer not null default 0,
  link_count integer not null default 0,
  -- How many bytes the library holds: the row that counting writes anyway takes the weight along, so that a link costs no write more.
  row_bytes bigint not null default 0,
  constraint library_counts_pkey primary key (user_id),
  constraint library_counts_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint library_counts_not_negative check (folder_count >= 0 and category_count >= 0 and link_count >= 0)
) with (fillfactor = 50);

create table public.category_counts (
  category_id uuid not null,
  user_id uuid not null,
  link_count integer not null default 0,
  constraint category_counts_pkey primary key (category_id),
  constraint category_counts_category_id_fkey foreign key (category_id)
    references public.categories (id) on delete cascade,
  constraint category_counts_not_negative check (link_count >= 0)
) with (fillfactor = 50);
create index category_counts_of_user on public.category_counts (user_id);

alter table public.library_counts enable row level security;
alter table public.category_counts enable row level security;
revoke all on public.library_counts, public.category_counts from public, anon, authenticated, service_role;
grant select on public.library_counts, public.category_counts to authenticated, service_role;

create function private.start_counting() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into public.library_counts (user_id) values (new.id) on conflict (user_id) do nothing;
  return null;
end
$$;

-- Hung on profiles and not on auth.users: the platform's table carries one trigger of ours, and every user has a profile.
create trigger library_counts_start after insert on public.profiles
  for each row execute function private.start_counting();

insert into public.library_counts (user_id) select id from public.profiles on conflict (user_id) do nothing;

-- Who is being given back their own in the running transaction, and how much they had then. A row lives inside the one call of
-- undo_deletion that wrote it: nobody else ever sees it, and no request role may write here, so none can widen a limit.
create table private.restorations (
  user_id uuid not null,
  link_count integer not null,
  category_count integer not null,
  constraint restorations_pkey primary key (user_id)
);
alter table private.restorations enable row level security;
revoke all on private.restorations from public, anon, authenticated, service_role;

-- A row weighs what its values take: texts in UTF-8, 16 for an id, 8 for a moment. Written as expressions (`return`): they are folded
-- into the statement that sums them up.
create function private.folder_bytes(f public.folders) returns bigint
  language sql immutable
  return 49 + octet_length(f.name) + coalesce(octet_length(array_to_string(f.shared_with, '')), 0);

create function private.category_bytes(c public.categories) returns bigint
  language sql immutable
  return 65 + octet_length(c.name) + coalesce(octet_length(c.description), 0) + coalesce(octet_length(c.name_users), 0);

create function private.link_bytes(l public.links) returns bigint
  language sql immutable
  return 64 + octet_length(l.url) + octet_length(l.title) + coalesce(octet_length(l.description), 0);

-- Counting and refusing are one act: the statement that adds rows raises its owner's counter, which locks the counter's
-- row until commit, and compares what came back with the plan. Of two statements racing for the last place the second
-- waits, sees the first one's total and is refused; a refused statement takes its counting back with it.

-- Raises a counter by what a statement added and refuses the statement if that is more than the plan allows; returns the total.
-- (Callers assign it: an assignment is evaluated without starting a query of its own.) What is given back may fill the library up to
-- what it was just before the deletion. Where the plan knows no limit, the technical bound holds, and is refused in words of its own:
-- no other plan has more.
create function private.take_places(owner_id uuid, what text, added bigint, bytes bigint) returns integer
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

create function private.count_folders() returns trigger
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

create function private.count_categories() returns trigger
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

create function private.count_links() returns trigger
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

revoke all on function private.start_counting(), private.folder_bytes(public.folders),
  private.category_bytes(public.categories), private.link_bytes(public.links),
  private.take_places(uuid, text, bigint, bigint), private.count_folders(), private.count_categories(),
  private.count_links() from public;

create trigger folders_count_added after insert on public.folders
  referencing new table as added for each statement execute function private.count_folders();
create trigger folders_count_removed after delete on public.folders
  referencing old table as removed for each statement execute function private.count_folders();
create trigger folders_weigh_changed after update on public.folders
  referencing old table as removed new table as added for each statement execute function private.count_folders();

create trigger categories_count_added after insert on public.categories
  referencing new table as added for each statement execute function private.count_categories();
create trigger categories_count_removed after delete on public.categories
  referencing old table as removed for each statement execute function private.count_categories();
create trigger categories_weigh_changed after update on public.categories
  referencing old table as removed new table as added for each statement execute function private.count_categories();

create trigger links_count_added after insert on public.links
  referencing new table as added for each statement execute function private.count_links();
create trigger links_count_removed after delete on public.links
  referencing old table as removed for each statement execute function private.count_links();
create trigger links_count_moved after update on public.links
  referencing old table as removed new table as added for each statement execute function private.count_links();
