-- Whoever may write in a folder adds, changes, moves and deletes links in it and adds and renames categories, by every way there is: it
-- stands in the policies of the tables. What they add is the owner's: their plan, their counters, their bin. Tags, covers and the order
-- by hand stay the owner's alone, as do publishing, sharing, moving and deleting categories, and the folder.

-- Who added a link, where it was not its owner, with the name they had then. Clients may send these along, as a row that is read and
-- written back has them; what they say counts for nothing.
alter table public.links add column added_by uuid, add column added_by_name text;
grant insert (added_by, added_by_name), update (added_by, added_by_name) on public.links to authenticated;
alter table public.links add constraint links_added_by_name_length check (char_length(added_by_name) <= 100);
alter table public.links add constraint links_added_by_fkey foreign key (added_by) references public.profiles (id) on delete set null;
create index links_added_by_others on public.links (added_by) where added_by is not null;

create or replace function private.link_bytes(l public.links) returns bigint
  language sql immutable
  return 64 + octet_length(l.url) + octet_length(l.title) + coalesce(octet_length(l.description), 0)
    + case when l.added_by is null then 0 else 16 end + coalesce(octet_length(l.added_by_name), 0);

-- What somebody puts into another's category, and may, becomes the owner's: clients need not know whose the category is. What they may
-- not is left as it is, for the policy or the foreign key to refuse.
create function private.add_link_as_member() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  owner uuid;
begin
  if new.user_id = caller then
    select c.user_id into owner from public.categories c where c.id = new.category_id;
    if owner <> caller and new.category_id = any (private.writable_category_ids()) then
      new.user_id := owner;
    elsif new.added_by is null and new.added_by_name is null then
      return new;
    end if;
  end if;
  if exists (select from private.restorations r where r.user_id = new.user_id) then
    -- What is given back was added by whoever added it, if they are still there.
    new.added_by := (select p.id from public.profiles p where p.id = new.added_by);
  elsif caller is not null then
    new.added_by := nullif(caller, new.user_id);
    new.added_by_name := (select p.name from public.profiles p where p.id = new.added_by);
  end if;
  return new;
end
$$;

create function private.keep_adder() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if auth.uid() is not null then
    new.added_by := old.added_by;
    new.added_by_name := old.added_by_name;
  end if;
  return new;
end
$$;
create trigger links_keep_adder before update on public.links
  for each row when ((old.added_by, old.added_by_name) is distinct from (new.added_by, new.added_by_name))
  execute function private.keep_adder();

-- By their names these two come before what fills, gates and counts.
create trigger links_add_as_member before insert on public.links
  for each row execute function private.add_link_as_member();

create function private.add_category_as_member() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  owner uuid;
begin
  if new.user_id = caller then
    select f.user_id into owner from public.folders f where f.id = new.folder_id;
    if owner = caller or owner is null or new.folder_id <> all (private.writable_folder_ids()) then
      return new;
    end if;
    new.user_id := owner;
  end if;
  if caller is not null then
    -- The owner's own name, and not one that somebody else gives them.
    new.name_users := null;
  end if;
  return new;
end
$$;
create trigger categories_add_as_member before insert on public.categories
  for each row execute function private.add_category_as_member();

-- Of a category a member changes name and description.
create function private.keep_owners_choices() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if auth.uid() is null or auth.uid() = old.user_id then
    return new;
  end if;
  raise exception using
    errcode = 'insufficient_privilege',
    message = 'Só o dono da pasta move, publica ou reserva uma categoria.';
end
$$;
create trigger categories_keep_owners_choices before update on public.categories
  for each row when (
    (old.folder_id, old.is_public, old.is_held_back, old.name_users)
      is distinct from (new.folder_id, new.is_public, new.is_held_back, new.name_users)
  ) execute function private.keep_owners_choices();

alter policy categories_insert_own on public.categories with check (
  user_id = (select auth.uid())
  or (folder_id = any ((select private.writable_folder_ids())::uuid[]) and not is_public and not is_held_back)
);
alter policy categories_update_own on public.categories
  using (user_id = (select auth.uid()) or id = any ((select private.writable_category_ids())::uuid[]))
  with check (user_id = (select auth.uid()) or folder_id = any ((select private.writable_folder_ids())::uuid[]));

-- A case, as for reading (links_select_own_or_opened): an `or` would be taken for a way into the table.
alter policy links_insert_own on public.links with check (
  case when user_id = (select auth.uid()) then true else category_id = any ((select private.writable_category_ids())::uuid[]) end
);
alter policy links_update_own on public.links
  using (
    case when user_id = (select auth.uid()) then true else category_id = any ((select private.writable_category_ids())::uuid[]) end
  )
  with check (
    case when user_id = (select auth.uid()) then true else category_id = any ((select private.writable_category_ids())::uuid[]) end
  );
alter policy links_delete_own on public.links using (
  case when user_id = (select auth.uid()) then true else category_id = any ((select private.writable_category_ids())::uuid[]) end
);

-- Links that are in the category already stay untouched and are not counted. Links of one library move within it: into another's they
-- would have to change their owner, which the foreign key refuses.
create or replace function public.move_links(link_ids uuid[], target_category_id uuid) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  moved integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para mover';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  -- Somebody else's category answers like one that does not exist.
  if not exists (
    select from public.categories
    where id = target_category_id
      and (user_id = auth.uid() or private.may_write_links() and id = any (private.writable_category_ids()))
  ) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  update public.links set category_id = target_category_id
  where id = any (link_ids) and category_id <> target_category_id;
  get diagnostics moved = row_count;
  return moved;
exception when foreign_key_violation then
  -- The category went while the links were on their way, or is another person's than the links.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$$;

-- As before, with who added a link.
drop function public.arranged_links(uuid, integer, text);
create function public.arranged_links(category_id uuid, max_results integer default 50, below text default null)
  returns table (
    id uuid, url text, title text, description text, user_id uuid,
    created_at timestamptz, updated_at timestamptz, rank text, tag_ids uuid[], added_by_name text
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  access text := coalesce(private.category_access($1), 'denied');
begin
  if below !~ '^[0-9a-f]{1,255}$' then
    raise exception using errcode = 'PT400', message = 'Lugar inválido na ordem';
  elsif access not in ('owner', 'invited') then
    return;
  end if;
  return query
    select p.*, case when access = 'owner' then array(
      select k.tag_id from public.link_tags k where k.link_id = p.id
    ) end, (select l.added_by_name from public.links l where l.id = p.id)
    from public.categories c
    cross join lateral private.arranged_page(c.id, c.user_id, below, least(greatest(coalesce(max_results, 50), 0), 1000)) as p
    where c.id = $1;
end
$$;
revoke all on function public.arranged_links(uuid, integer, text) from public, anon, authenticated, service_role;
grant execute on function public.arranged_links(uuid, integer, text) to authenticated;
comment on function public.arranged_links(uuid, integer, text) is
  'A page of a category''s links in the order that its owner gave it. Nullable: description, rank, tag_ids, added_by_name.';

revoke all on function private.add_link_as_member(), private.keep_adder(), private.add_category_as_member(), private.keep_owners_choices() from public;
