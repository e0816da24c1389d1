-- Links that are there twice: found, and joined into one.

-- The caller's addresses with more than one link, those with the newest link first; a row for each of the oldest 50 links of an address. A page
-- begins after the `newest` and `address` of the last row of the one before. One walk over the index of addresses.
create function public.list_repeated_links(
  before timestamptz default null, before_address text default null, max_addresses integer default 20
)
  returns table (
    address text, newest timestamptz, address_count integer, copy_count integer,
    id uuid, title text, url text, description text, category_id uuid, category_name text, folder_name text,
    favorite boolean, created_at timestamptz, updated_at timestamptz
  )
  language sql
  stable
  security definer
  set search_path = ''
as $$
  with repeated as materialized (
    select a.hash, max(a.created_at) as newest, count(*) as copies
    from private.link_addresses a
    where a.user_id = private.caller_id()
    group by a.hash
    having count(*) > 1
  ), page as materialized (
    select r.hash, r.newest, r.copies
    from repeated r
    where before is null or (r.newest, r.hash) < (before, before_address::bigint)
    order by r.newest desc, r.hash desc
    limit least(greatest(coalesce(max_addresses, 20), 0), 50)
  )
  select p.hash::text, p.newest, (select count(*) from repeated)::integer, p.copies::integer,
    l.id, l.title, l.url, l.description, l.category_id, c.name, f.name,
    exists (select from public.favorites s where s.link_id = l.id and s.user_id = l.user_id), l.created_at, l.updated_at
  from page p
  cross join lateral (
    select a.created_at, a.id from private.link_addresses a
    where a.user_id = private.caller_id() and a.hash = p.hash
    order by a.created_at, a.id limit 50
  ) as copy
  join public.links l on l.id = copy.id
  join public.categories c on c.id = l.category_id
  join public.folders f on f.id = c.folder_id
  order by p.newest desc, p.hash desc, copy.created_at, copy.id
$$;

-- What several links say, the first one first, each once: as much as a description holds.
create function private.join_descriptions(descriptions text[]) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  joined text := '';
  description text;
begin
  foreach description in array descriptions loop
    if btrim(coalesce(description, '')) <> '' and strpos(joined, btrim(description)) = 0 then
      joined := joined || case joined when '' then '' else E'\n\n' end || btrim(description);
    end if;
  end loop;
  return nullif(case when char_length(joined) > 1200 then left(joined, 1199) || '…' else joined end, '');
end
$$;

-- Joins links of one address into one: `joins` is a list of {"kept": id, "links": [{"id": …, "updated_at": …}]}, the kept one among them, as
-- they were seen. What is kept has the title, the address and the place of that link, and the identity and date of the oldest: a date
-- belongs to a row for life. Descriptions and tags are joined, a star on any of them stays. The others go to the bin, all in one deletion.
-- A link that changed since it was seen, went, or has another address, takes no part; a list of which less than two are left, or which
-- has lost the kept one, does nothing. Answers with the lists that did something: what the link was before, for undo_join.
create function public.join_repeated_links(joins jsonb)
  returns table (kept uuid, remaining uuid, gone uuid[], version timestamptz, was jsonb)
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  asked jsonb;
  members public.links[];
  chosen public.links;
  oldest public.links;
  is_starred boolean;
  was_starred boolean;
  own_tags uuid[];
  more_tags uuid[];
begin
  if jsonb_typeof(joins) is distinct from 'array' or jsonb_array_length(joins) > 50
    or (select count(*) from jsonb_array_elements(joins) as j(one), jsonb_array_elements(j.one -> 'links')) > 2500 then
    raise exception using errcode = 'PT400', message = 'No máximo 50 endereços por vez';
  end if;
  -- All of them in one order: of two that join the same, the second waits and finds what the first has left.
  perform from public.links l
  where l.user_id = caller and l.id in (
    select (k.link ->> 'id')::uuid from jsonb_array_elements(joins) as j(one), jsonb_array_elements(j.one -> 'links') as k(link)
  )
  order by l.id for update;

  for asked in select j.one from jsonb_array_elements(joins) with ordinality as j(one, place) order by j.place loop
    select l.* into chosen from public.links l where l.id = (asked ->> 'kept')::uuid and l.user_id = caller;
    continue when chosen.id is null;
    members := array(
      select l
      from public.links l
      join (
        select distinct on ((k.link ->> 'id')::uuid) (k.link ->> 'id')::uuid as id, (k.link ->> 'updated_at')::timestamptz as seen
        from jsonb_array_elements(asked -> 'links') as k(link)
      ) as given on given.id = l.id and given.seen = l.updated_at
      where l.user_id = caller and private.address_key(l.url) = private.address_key(chosen.url)
      order by l.created_at, l.id
    );
    continue when cardinality(members) < 2 or not exists (select from unnest(members) as m where m.id = chosen.id);
    oldest := members[1];
    kept := chosen.id;
    remaining := oldest.id;
    gone := array(select m.id from unnest(members[2:]) as m);
    was_starred := exists (select from public.favorites s where s.user_id = caller and s.link_id = remaining);
    is_starred := was_starred or exists (select from public.favorites s where s.user_id = caller and s.link_id = any (gone));
    own_tags := array(select k.tag_id from public.link_tags k where k.link_id = remaining);
    -- As many as a link has room for, those that most links have first.
    more_tags := array(
      select t.id from public.tags t
      where t.id in (select k.tag_id from public.link_tags k where k.link_id = any (gone)) and t.id <> all (own_tags)
      order by t.link_count desc, t.id limit greatest(private.most_tags('link') - cardinality(own_tags), 0)
    );
    was := jsonb_build_object(
      'title', oldest.title, 'url', oldest.url, 'description', oldest.description, 'category_id', oldest.category_id,
      'favorite', was_starred, 'more_tags', more_tags);
    -- What hangs on the links that go, goes with them into the bin: what is to stay is taken note of before, and written after.
    delete from public.links l where l.id = any (gone);
    update public.links l
    set title = chosen.title, url = chosen.url, category_id = chosen.category_id, description = private.join_descriptions(array(
      select m.description from unnest(members) as m order by m.id <> chosen.id, m.created_at, m.id
    ))
    where l.id = remaining
    returning l.updated_at into version;
    if is_starred and not was_starred then
      insert into public.favorites (user_id, link_id) values (caller, remaining);
    end if;
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select remaining, m.id, caller, oldest.created_at from unnest(more_tags) as m(id);
    update public.tags t set tagged_at = clock_timestamp() where t.id = any (more_tags);
    return next;
  end loop;
end
$$;

-- Takes joins back, as `join_repeated_links` answered them: the links come back from the bin, and what stayed is what it was, unless it
-- changed meanwhile or its category is gone. All comes back or, refused, nothing.
create function public.undo_join(joins jsonb) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  restored jsonb;
begin
  if jsonb_typeof(joins) is distinct from 'array' or jsonb_array_length(joins) > 50 then
    raise exception using errcode = 'PT400', message = 'No máximo 50 endereços por vez';
  end if;
  restored := public.undo_deletion('link', array(
    select g.id::uuid from jsonb_array_elements(joins) as j(one), jsonb_array_elements_text(j.one -> 'gone') as g(id)
  ));
  if (restored ->> 'links')::integer = 0 then
    return 0;
  end if;
  delete from public.favorites s using jsonb_array_elements(joins) as j(one)
  where s.user_id = caller and s.link_id = (j.one ->> 'remaining')::uuid and (j.one -> 'was' ->> 'favorite')::boolean is false;
  delete from public.link_tags k using jsonb_array_elements(joins) as j(one)
  where k.user_id = caller and k.link_id = (j.one ->> 'remaining')::uuid
    and k.tag_id::text in (select jsonb_array_elements_text(j.one -> 'was' -> 'more_tags'));
  update public.links l
  set title = j.one -> 'was' ->> 'title', url = j.one -> 'was' ->> 'url', description = j.one -> 'was' ->> 'description',
    category_id = c.id
  from jsonb_array_elements(joins) as j(one)
  join public.categories c on c.id = (j.one -> 'was' ->> 'category_id')::uuid and c.user_id = caller
  where l.id = (j.one ->> 'remaining')::uuid and l.user_id = caller and l.updated_at = (j.one ->> 'version')::timestamptz;
  return (restored ->> 'links')::integer;
end
$$;

comment on function public.list_repeated_links(timestamptz, text, integer) is
  'The caller''s links whose address another of their links has, by address. Nullable: description.';

revoke all on function private.join_descriptions(text[]) from public;
revoke all on function public.list_repeated_links(timestamptz, text, integer), public.join_repeated_links(jsonb), public.undo_join(jsonb)
  from public, anon, service_role;
grant execute on function public.list_repeated_links(timestamptz, text, integer), public.join_repeated_links(jsonb), public.undo_join(jsonb)
  to authenticated;
