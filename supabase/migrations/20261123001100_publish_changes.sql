-- What open screens hear of. The hosted platform brings the publication along, empty; elsewhere it is made here.
-- `profiles` stays out: no screen listens to it, and a row holds the name and the picture of a person.
do $$
declare
  published text[] := array['folders', 'categories', 'links', 'subscribers', 'shared_with'];
  name text;
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  -- A publication of all tables has them, and takes no single one.
  if exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    return;
  end if;
  foreach name in array published loop
    if not exists (
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = name
    ) then
      execute format('alter publication supabase_realtime add table public.%I', name);
    end if;
  end loop;
end
$$;

-- A deletion is told only to those who could see the row, and a filter sees the old row's columns: both need the whole of
-- it in the log. It also carries along the long values that an update left as they were.
alter table public.folders replica identity full;
alter table public.categories replica identity full;
alter table public.links replica identity full;
alter table public.subscribers replica identity full;
alter table public.shared_with replica identity full;

-- Whoever has a shared page open hears that something of it changed, and asks again: an event without content on the private
-- topic `shared:{category id}`. Nothing is sent for what nobody shares, and nothing for what viewers do not see (its folder, say).
create function private.tell_viewers(category_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  category_id uuid;
begin
  foreach category_id in array category_ids loop
    perform realtime.send('{}', 'changed', 'shared:' || category_id, true);
  end loop;
end
$$;

-- Those of the categories that anybody but their owner may look at.
create function private.shared_category_ids(candidates uuid[]) returns uuid[]
  language sql stable
  set search_path = ''
as $$
  select array(
    select c.id from public.categories c
    where c.id = any (candidates)
      and (c.is_public or exists (select from public.shared_with s where s.category_id = c.id))
  )
$$;

-- Ends of a list and of public categories are told here; a deleted restricted category is told with its list, below.
create function private.tell_viewers_of_categories() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    -- An undone deletion: its viewers still look at the address.
    perform private.tell_viewers(array(select id from added where is_public));
  elsif tg_op = 'DELETE' then
    perform private.tell_viewers(array(select id from removed where is_public));
  else
    perform private.tell_viewers(array(
      select changed.id
      from (
        select u.id
        from (
          select id, name, description, name_users, is_public from removed
          union
          select id, name, description, name_users, is_public from added
        ) as u
        group by u.id having count(*) > 1
      ) as changed
      where changed.id in (select id from removed where is_public)
        or changed.id = any (private.shared_category_ids(array(select id from added)))
    ));
  end if;
  return null;
end
$$;

-- A public category has no list: what goes from one went because it was published, which is told already.
create function private.tell_viewers_of_lists() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  candidates uuid[];
begin
  if tg_op = 'INSERT' then
    candidates := array(select distinct category_id from added);
  else
    candidates := array(select distinct category_id from removed);
  end if;
  perform private.tell_viewers(array(
    select c.id from unnest(candidates) as c(id)
    where not exists (select from public.categories p where p.id = c.id and p.is_public)
  ));
  return null;
end
$$;

-- The links of a deleted category need no word: the category is told.
create function private.tell_viewers_of_links() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  candidates uuid[];
begin
  if tg_op = 'INSERT' then
    candidates := array(select distinct category_id from added);
  elsif tg_op = 'DELETE' then
    candidates := array(select distinct category_id from removed);
  else
    candidates := array(select category_id from removed union select category_id from added);
  end if;
  candidates := private.shared_category_ids(candidates);
  if tg_op = 'UPDATE' and candidates <> '{}' then
    -- Set operations and no join: a plan that was made for one link must bear twenty thousand.
    candidates := array(
      select category_id
      from (
        (select id, category_id, url, title, description from removed
         except select id, category_id, url, title, description from added)
        union all
        (select id, category_id, url, title, description from added
         except select id, category_id, url, title, description from removed)
      ) as changed
      where category_id = any (candidates)
      group by category_id
    );
  end if;
  perform private.tell_viewers(candidates);
  return null;
end
$$;

revoke all on function private.tell_viewers(uuid[]), private.shared_category_ids(uuid[]),
  private.tell_viewers_of_categories(), private.tell_viewers_of_lists(), private.tell_viewers_of_links() from public;

create trigger categories_tell_added after insert on public.categories
  referencing new table as added for each statement execute function private.tell_viewers_of_categories();
create trigger categories_tell_changed after update on public.categories
  referencing old table as removed new table as added
  for each statement execute function private.tell_viewers_of_categories();
create trigger categories_tell_removed after delete on public.categories
  referencing old table as removed for each statement execute function private.tell_viewers_of_categories();

create trigger shared_with_tell_added after insert on public.shared_with
  referencing new table as added for each statement execute function private.tell_viewers_of_lists();
create trigger shared_with_tell_removed after delete on public.shared_with
  referencing old table as removed for each statement execute function private.tell_viewers_of_lists();

create trigger links_tell_added after insert on public.links
  referencing new table as added for each statement execute function private.tell_viewers_of_links();
create trigger links_tell_changed after update on public.links
  referencing old table as removed new table as added
  for each statement execute function private.tell_viewers_of_links();
create trigger links_tell_removed after delete on public.links
  referencing old table as removed for each statement execute function private.tell_viewers_of_links();

-- What pages are told (look again: a shared page has changed, this session was ended) goes to private topics. Policies say who hears
-- them, and no policy lets anybody but the database send: on a public topic whoever knows an id could say the same.

-- Whoever has a category's id hears that it has changed, as the page for that id is anybody's to open; what has changed is asked for.
create policy messages_hear_shared_category on realtime.messages
  for select to anon, authenticated
  using (extension = 'broadcast' and (select realtime.topic()) like 'shared:%');
create policy messages_hear_own_session on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'session:' || (select auth.jwt() ->> 'session_id'));

-- As everywhere: a token that may not act hears and says nothing in private.
create policy messages_of_open_account on realtime.messages as restrictive
  for all to authenticated using ((select private.is_account_open()));
