-- The public page of a category. Its address is the key: these answer for one id at a time, so that no one lists what is public.

-- How the caller stands to a category: 'owner', 'public', 'invited', 'limited' (invited, but the free plan opens only the
-- earliest share), 'denied' (restricted to others), or null when there is nothing to know: no such category, or a private one.
create function private.category_access(category_id uuid) returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  select c.user_id, c.is_public into owner_id, published from public.categories c where c.id = category_access.category_id;
  if not found then
    return null;
  elsif owner_id = auth.uid() then
    return 'owner';
  elsif published then
    return 'public';
  elsif category_access.category_id = any (private.openable_category_ids()) then
    return 'invited';
  elsif category_access.category_id = any (private.invited_category_ids()) then
    return 'limited';
  elsif exists (select from public.shared_with s where s.category_id = category_access.category_id) then
    return 'denied';
  end if;
  return null;
end
$$;

-- One row, or none when there is nothing to know. A denied caller learns that the category is restricted, and nothing of it.
create function public.shared_category(category_id uuid)
  returns table (
    id uuid,
    access text,
    name text,
    description text,
    owner_name text,
    link_count integer,
    created_at timestamptz,
    updated_at timestamptz
  )
  language sql stable
  security definer
  set search_path = ''
as $$
  select $1, a.access, c.name, c.description, c.name_users, n.link_count, c.created_at, c.updated_at
  from (select private.category_access($1) as access) as a
  left join public.categories c on c.id = $1 and a.access <> 'denied'
  left join public.category_counts n on n.category_id = c.id
  where a.access is not null
$$;

-- A page of its links, newest first; `before` is the created_at of the last link seen. Links born in the same microsecond
-- come together, so a page may be a little longer than asked for, and none is ever skipped.
create function public.shared_links(category_id uuid, max_results integer default 50, before timestamptz default null)
  returns table (
    id uuid,
    url text,
    title text,
    description text,
    created_at timestamptz,
    updated_at timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  if coalesce(private.category_access(shared_links.category_id), 'denied') in ('denied', 'limited') then
    return;
  end if;
  return query
    select page.id, page.url, page.title, page.description, page.created_at, page.updated_at
    from (
      select l.*
      from public.links l
      where l.category_id = shared_links.category_id
        and l.created_at < coalesce(shared_links.before, 'infinity')
      order by l.created_at desc
      fetch first least(greatest(coalesce(max_results, 50), 0), 100) rows with ties
    ) as page
    order by page.created_at desc, page.id desc;
end
$$;

revoke all on function private.category_access(uuid) from public;
revoke all on function public.shared_category(uuid), public.shared_links(uuid, integer, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.shared_category(uuid), public.shared_links(uuid, integer, timestamptz)
  to anon, authenticated, service_role;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.shared_category(uuid) is
  'How the caller stands to a category. Nullable: name, description, owner_name, link_count, created_at, updated_at.';
comment on function public.shared_links(uuid, integer, timestamptz) is
  'A page of a shared category''s links. Nullable: description.';
