-- The order that a person gives a category by hand: that it is shown in that order (a row with its category_id), and the links that they
-- have put somewhere (a row with the link_id and its rank). A table of its own: the columns of links and categories are specified, and a
-- link that moves within its category has not changed. At most one row each, so the bounds of links and categories bound these.
create table public.manual_order (
  -- The hosted platform tells the primary key of a deleted row to everyone who listens to its table: an id tells nothing.
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  category_id uuid,
  link_id uuid,
  -- Hexadecimal digits, compared as text, the greatest on top; between any two there is room for another. A link without one stands
  -- where its birth puts it (private.birth_rank), so a category that nobody has arranged is newest first, and a link that comes is on top.
  rank text collate "C",
  constraint manual_order_pkey primary key (id),
  constraint manual_order_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint manual_order_category_id_fkey foreign key (category_id) references public.categories (id) on delete cascade,
  constraint manual_order_link_id_fkey foreign key (link_id) references public.links (id) on delete cascade,
  constraint manual_order_one_item check (num_nonnulls(link_id, category_id) = 1),
  constraint manual_order_ranks_links check ((rank is null) = (link_id is null)),
  -- The last digit is no zero: between 'a' and 'a0' there would be nothing.
  constraint manual_order_rank_known check (rank ~ '^[0-9a-f]{0,254}[1-9a-f]$'),
  constraint manual_order_category_once unique (category_id),
  constraint manual_order_link_once unique (link_id),
  -- Whoever reads on after a rank must not step over another link with the same.
  constraint manual_order_rank_once unique (user_id, rank)
);

alter table public.manual_order enable row level security;
revoke all on public.manual_order from public, anon, authenticated;
-- Written by place_links alone.
grant select on public.manual_order to authenticated;
grant all on public.manual_order to service_role;

-- Who receives a category learns that it has an order; the ranks of its links come with them (arranged_links).
create policy manual_order_select_own_or_invited on public.manual_order
  for select to authenticated using (
    user_id = (select auth.uid()) or category_id = any ((select private.invited_category_ids())::uuid[])
  );
create policy manual_order_of_open_account on public.manual_order as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy manual_order_service on public.manual_order for all to service_role using (true) with check (true);

-- Where a link stands that nobody has put anywhere: the microseconds since 1970, and among those of one moment its id. Twin of birthRank
-- in packages/domain/src/birth-rank.ts; a test compares the two.
create function private.birth_rank(born timestamptz, id uuid) returns text
  language sql stable parallel safe
  set search_path = ''
as $$ select lpad(to_hex((extract(epoch from born) * 1000000)::bigint), 14, '0') || replace(id::text, '-', '') || '8' $$;

-- No link that was born later stands below this rank, unless somebody has put it there.
create function private.rank_moment(rank text) returns timestamptz
  language sql stable parallel safe
  set search_path = ''
as $$ select timestamptz 'epoch' + ('x' || rpad(left(rank, 14), 14, 'f'))::bit(56)::bigint * interval '1 microsecond' $$;

-- Links of a category from the top of its owner's order down, below a rank or from the start. Both halves walk an index and stop: what
-- was born before that moment, and what was put there. `rank` is null where the birth decides.
create function private.arranged_page(of_category uuid, owner uuid, below text, at_most integer)
  returns table (
    id uuid, url text, title text, description text, user_id uuid,
    created_at timestamptz, updated_at timestamptz, rank text
  )
  language sql stable
  set search_path = ''
as $$
  select p.id, p.url, p.title, p.description, p.user_id, p.created_at, p.updated_at, p.rank
  from (
    (
      select l.id, l.url, l.title, l.description, l.user_id, l.created_at, l.updated_at,
        null::text as rank, private.birth_rank(l.created_at, l.id) collate "C" as stands
      from public.links l
      where l.category_id = of_category
        and l.created_at <= coalesce(private.rank_moment(below), 'infinity')
        and (below is null or private.birth_rank(l.created_at, l.id) collate "C" < below)
        and not exists (select from public.manual_order m where m.link_id = l.id)
      order by l.created_at desc, l.id desc
      limit at_most
    )
    union all
    (
      select l.id, l.url, l.title, l.description, l.user_id, l.created_at, l.updated_at, m.rank, m.rank
      from public.manual_order m join public.links l on l.id = m.link_id
      where m.user_id = owner and l.category_id = of_category and (below is null or m.rank < below)
      order by m.rank desc
      limit at_most
    )
  ) as p
  order by p.stands desc
  limit at_most
$$;

-- The same for whoever reads the table `links`: the owner, and who was invited. Others read public categories by shared_links.
create function public.arranged_links(category_id uuid, max_results integer default 50, below text default null)
  returns table (
    id uuid, url text, title text, description text, user_id uuid,
    created_at timestamptz, updated_at timestamptz, rank text
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
begin
  if below !~ '^[0-9a-f]{1,255}$' then
    raise exception using errcode = 'PT400', message = 'Lugar inválido na ordem';
  elsif coalesce(private.category_access($1), 'denied') not in ('owner', 'invited') then
    return;
  end if;
  return query
    select p.* from public.categories c
    cross join lateral private.arranged_page(c.id, c.user_id, below, least(greatest(coalesce(max_results, 50), 0), 1000)) as p
    where c.id = $1;
end
$$;

-- Puts links of a category at ranks ('': back to where their birth puts them), and says whether the category is shown in this order.
-- What is no link of the caller's in that category counts for nothing. Returns how many have a place now that they had not.
create function public.place_links(category_id uuid, link_ids uuid[], ranks text[], manual boolean default true) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  placed integer;
begin
  if manual is null or link_ids is null or ranks is null or cardinality(link_ids) <> cardinality(ranks) then
    raise exception using errcode = 'PT400', message = 'Ordem inválida';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  elsif not exists (select from public.categories c where c.id = $1 and c.user_id = caller) then
    -- Somebody else's category answers like one that does not exist.
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;

  if manual then
    insert into public.manual_order (user_id, category_id) values (caller, $1) on conflict (category_id) do nothing;
  else
    delete from public.manual_order m where m.category_id = $1;
  end if;
  -- Each link once, and in one order for everybody who writes, so that no two wait for each other.
  with wanted as materialized (
    select distinct on (l.id) l.id, nullif(w.rank, '') as rank
    from unnest(link_ids, ranks) with ordinality as w(id, rank, place)
    join public.links l on l.id = w.id and l.category_id = $1 and l.user_id = caller
    order by l.id, w.place
  ), unplaced as (
    delete from public.manual_order m using wanted w where m.link_id = w.id and w.rank is null
  )
  insert into public.manual_order as m (user_id, link_id, rank)
  select caller, w.id, w.rank from wanted w where w.rank is not null order by w.id
  on conflict (link_id) do update set rank = excluded.rank where m.rank <> excluded.rank;
  get diagnostics placed = row_count;
  perform private.tell_viewers(private.shared_category_ids(array[$1]));
  return placed;
exception when foreign_key_violation then
  -- It went while it was being placed.
  raise exception using errcode = 'PT404', message = 'Este link ou esta categoria não existe mais';
end
$$;

-- As before; where the owner has given the category an order, in that. `before` and `before_id` stay the last link seen, wherever it
-- stands now; one that is gone meanwhile stood where its birth had put it.
create or replace function public.shared_links(
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
    updated_at timestamptz
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
      select p.id, p.url, p.title, p.description, p.created_at, p.updated_at
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
    select l.id, l.url, l.title, l.description, l.created_at, l.updated_at
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

revoke all on function private.birth_rank(timestamptz, uuid), private.rank_moment(text),
  private.arranged_page(uuid, uuid, text, integer) from public;
revoke all on function public.arranged_links(uuid, integer, text), public.place_links(uuid, uuid[], text[], boolean)
  from public, anon, authenticated, service_role;
grant execute on function public.arranged_links(uuid, integer, text), public.place_links(uuid, uuid[], text[], boolean)
  to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.arranged_links(uuid, integer, text) is
  'A page of a category''s links in the order that its owner gave it. Nullable: description, rank.';

-- Other devices learn of it as of the library. A publication of all tables has it already, and takes no single one.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    alter publication supabase_realtime add table public.manual_order;
  end if;
end
$$;
alter table public.manual_order replica identity full;
