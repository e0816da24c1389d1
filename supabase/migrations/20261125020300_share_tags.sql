-- Tags where links are shared: their names, to whoever may read the links, and nothing else of the owner's tags.

create function private.tag_names(link_id uuid) returns text[]
  language plpgsql stable
  set search_path = ''
as $$
begin
  return array(
    select t.name from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = $1 order by t.folded
  );
end
$$;

-- As before, with the tags of the owner's own links; who was invited asks for names (shared_tags).
drop function public.arranged_links(uuid, integer, text);
create function public.arranged_links(category_id uuid, max_results integer default 50, below text default null)
  returns table (
    id uuid, url text, title text, description text, user_id uuid,
    created_at timestamptz, updated_at timestamptz, rank text, tag_ids uuid[]
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
    ) end
    from public.categories c
    cross join lateral private.arranged_page(c.id, c.user_id, below, least(greatest(coalesce(max_results, 50), 0), 1000)) as p
    where c.id = $1;
end
$$;

-- As before, with the names of tags.
drop function public.shared_links(uuid, integer, timestamptz, uuid);
create function public.shared_links(
  category_id uuid,
  max_results integer default 50,
  before timestamptz default null,
  before_id uuid default null
)
  returns table (
    id uuid,
    url text,
    title text,
    description text,
    created_at timestamptz,
    updated_at timestamptz,
    tags text[]
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  at_most integer := least(greatest(coalesce(max_results, 50), 0), 100);
  owner uuid;
begin
  if coalesce(private.category_access(shared_links.category_id), 'denied') in ('denied', 'limited') then
    return;
  end if;
  select m.user_id into owner from public.manual_order m where m.category_id = shared_links.category_id;
  if owner is not null then
    return query
      select p.id, p.url, p.title, p.description, p.created_at, p.updated_at, private.tag_names(p.id)
      from private.arranged_page(
        shared_links.category_id,
        owner,
        coalesce(
          (
            select m.rank from public.manual_order m join public.links l on l.id = m.link_id
            where m.link_id = shared_links.before_id and l.category_id = shared_links.category_id
          ),
          case
            -- No link is of before 1970, and none of the year 4000.
            when shared_links.before is not null then private.birth_rank(
              least(greatest(shared_links.before, timestamptz 'epoch'), timestamptz '4000-01-01 00:00:00+00'),
              coalesce(shared_links.before_id, '00000000-0000-0000-0000-000000000000')
            )
          end
        ),
        at_most
      ) as p;
    return;
  end if;
  return query
    select l.id, l.url, l.title, l.description, l.created_at, l.updated_at, private.tag_names(l.id)
    from public.links l
    where l.category_id = shared_links.category_id
      and (l.created_at, l.id) < (
        coalesce(shared_links.before, 'infinity'),
        coalesce(shared_links.before_id, '00000000-0000-0000-0000-000000000000')
      )
    order by l.created_at desc, l.id desc
    limit at_most;
end
$$;

-- The names of the tags of links that the caller reads in the table `links`: received categories have them beside their links.
create function public.shared_tags(link_ids uuid[]) returns table (link_id uuid, names text[])
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  if cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  return query
    select l.id, private.tag_names(l.id)
    from (
      select c.id from (
        select distinct o.category_id as id from public.links o where o.id = any (link_ids)
      ) as c
      where private.category_access(c.id) in ('owner', 'invited')
    ) as readable
    join public.links l on l.category_id = readable.id and l.id = any (link_ids)
    where exists (select from public.link_tags k where k.link_id = l.id);
end
$$;

revoke all on function private.tag_names(uuid) from public;
revoke all on function public.arranged_links(uuid, integer, text), public.shared_links(uuid, integer, timestamptz, uuid),
  public.shared_tags(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.arranged_links(uuid, integer, text), public.shared_tags(uuid[]) to authenticated;
grant execute on function public.shared_links(uuid, integer, timestamptz, uuid) to anon, authenticated, service_role;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.arranged_links(uuid, integer, text) is
  'A page of a category''s links in the order that its owner gave it. Nullable: description, rank, tag_ids.';
comment on function public.shared_links(uuid, integer, timestamptz, uuid) is
  'A page of a shared category''s links. Nullable: description.';
