-- Counting and refusing are one act: the statement that adds rows raises its owner's counter, which locks the counter's
-- row until commit, and compares what came back with the plan. Of two statements racing for the last place the second
-- waits, sees the first one's total and is refused; a refused statement takes its counting back with it.

-- Raises a counter by what a statement added and refuses the statement if that is more than the plan allows; returns the total.
-- (Callers assign it: an assignment is evaluated without starting a query of its own.)
create function private.take_places(owner_id uuid, what text, added bigint) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  total integer;
  allowed integer;
  owner_plan text;
begin
  if what = 'links' then
    update public.library_counts n set link_count = n.link_count + added
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.link_count, l.max_links, p.plan into total, allowed, owner_plan;
  else
    update public.library_counts n set category_count = n.category_count + added
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.category_count, l.max_categories, p.plan into total, allowed, owner_plan;
  end if;
  if not found then
    raise exception 'user % has no counters', owner_id;
  end if;

  if total > allowed then
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
begin
  if tg_op = 'INSERT' then
    for change in select user_id, count(*) as n from added group by user_id order by user_id loop
      update public.library_counts set folder_count = folder_count + change.n where user_id = change.user_id;
    end loop;
  else
    for change in select user_id, count(*) as n from removed group by user_id order by user_id loop
      update public.library_counts set folder_count = folder_count - change.n where user_id = change.user_id;
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
    for change in select user_id, count(*) as n from added group by user_id order by user_id loop
      total := private.take_places(change.user_id, 'categories', change.n);
    end loop;
    insert into public.category_counts (category_id, user_id) select id, user_id from added;
  else
    for change in select user_id, count(*) as n from removed group by user_id order by user_id loop
      update public.library_counts set category_count = category_count - change.n where user_id = change.user_id;
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
      select user_id, category_id, count(*) as n from added group by user_id, category_id order by user_id, category_id
    loop
      total := private.take_places(change.user_id, 'links', change.n);
      update public.category_counts set link_count = link_count + change.n where category_id = change.category_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in select user_id, count(*) as n from removed group by user_id order by user_id loop
      update public.library_counts set link_count = link_count - change.n where user_id = change.user_id;
    end loop;
    for change in select category_id, count(*) as n from removed group by category_id order by category_id loop
      update public.category_counts set link_count = link_count - change.n where category_id = change.category_id;
    end loop;
  else
    -- Links that changed their category; an ordinary edit leaves nothing to do here.
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
revoke all on function private.take_places(uuid, text, bigint), private.count_folders(), private.count_categories(),
  private.count_links() from public;

create trigger folders_count_added after insert on public.folders
  referencing new table as added for each statement execute function private.count_folders();
create trigger folders_count_removed after delete on public.folders
  referencing old table as removed for each statement execute function private.count_folders();

create trigger categories_count_added after insert on public.categories
  referencing new table as added for each statement execute function private.count_categories();
create trigger categories_count_removed after delete on public.categories
  referencing old table as removed for each statement execute function private.count_categories();

create trigger links_count_added after insert on public.links
  referencing new table as added for each statement execute function private.count_links();
create trigger links_count_removed after delete on public.links
  referencing old table as removed for each statement execute function private.count_links();
create trigger links_count_moved after update on public.links
  referencing old table as removed new table as added for each statement execute function private.count_links();
