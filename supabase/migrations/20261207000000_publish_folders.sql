-- A public folder has a page with its public categories.
--
-- `folders.is_public` says whether: its owner's choice, of a plan that shares (folders_gate_change), and of programs that may share
-- (folders_change_in_scope). It opens nothing: each category is public by itself, and only those whose own page is open stand there.

-- The folder as a visitor sees it; no row where it is not public, or nothing in it is. `categories`: id, name, description, link_count and
-- updated_at of each, at most five hundred.
create function public.shared_folder(folder_id uuid)
  returns table (id uuid, name text, owner_name text, categories jsonb)
  language sql stable
  security definer
  set search_path = ''
as $$
  select f.id, f.name, listed.owner_name, listed.categories
  from public.folders f
  cross join lateral (
    select max(c.name_users) as owner_name, jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'description', c.description, 'link_count', c.link_count, 'updated_at', c.updated_at
    ) order by c.name, c.id) as categories
    from (
      select o.id, o.name, o.description, o.name_users, o.updated_at, coalesce(n.link_count, 0) as link_count
      from public.categories o left join public.category_counts n on n.category_id = o.id
      where o.folder_id = f.id and o.is_public and private.is_page_open(o.id)
      order by o.updated_at desc, o.id limit 500
    ) as c
  ) as listed
  where f.id = $1 and f.is_public and listed.categories is not null
$$;

comment on function public.shared_folder(uuid) is 'A public folder with its public categories. Nullable: owner_name.';

revoke all on function public.shared_folder(uuid) from public, anon, authenticated, service_role;
grant execute on function public.shared_folder(uuid) to anon, service_role;
