-- A change of thousands of links ran into the time limit where the connection had changed one at a time before: a trigger's plan is made
-- once, for the rows of that first change, and went through all old rows for each new one. A full join cannot be planned so: each row is
-- met once, whatever the number. Each has its counterpart, so it finds what an inner join finds; materialized, it stays a full join.

create or replace function private.index_addresses()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.link_addresses (user_id, hash, created_at, id)
    select a.user_id, hashtextextended(private.address_key(a.url), 0), a.created_at, a.id from added a;
  elsif tg_op = 'DELETE' then
    delete from private.link_addresses k using removed r
    where k.user_id = r.user_id and k.hash = hashtextextended(private.address_key(r.url), 0)
      and k.created_at = r.created_at and k.id = r.id;
  else
    with changed as materialized (
      select r.user_id, r.created_at, r.id, r.url as old_url, a.url as new_url
      from added a full join removed r on r.id = a.id
      where a.url is distinct from r.url
    )
    update private.link_addresses k set hash = hashtextextended(private.address_key(c.new_url), 0)
    from changed c
    where k.user_id = c.user_id and k.hash = hashtextextended(private.address_key(c.old_url), 0)
      and k.created_at = c.created_at and k.id = c.id;
  end if;
  return null;
end
$$;

create or replace function private.index_links()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.link_search (user_id, created_at, id, piece)
    select t.user_id, t.created_at, t.id, substr(t.whole, 1 + 500 * n, 600)
    from (
      select a.user_id, a.created_at, a.id, private.link_search_text(a.title, a.url, a.description) as whole
      from added a offset 0
    ) as t
    cross join lateral generate_series(0, (greatest(char_length(t.whole), 600) - 101) / 500) as n;
  elsif tg_op = 'DELETE' then
    delete from private.link_search s using removed r
    where s.user_id = r.user_id and s.created_at = r.created_at and s.id = r.id;
  else
    with changed as materialized (
      select a.* from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    ), forgotten as (
      delete from private.link_search s using changed c
      where s.user_id = c.user_id and s.created_at = c.created_at and s.id = c.id
    )
    insert into private.link_search (user_id, created_at, id, piece)
    select t.user_id, t.created_at, t.id, substr(t.whole, 1 + 500 * n, 600)
    from (
      select c.user_id, c.created_at, c.id, private.link_search_text(c.title, c.url, c.description) as whole
      from changed c offset 0
    ) as t
    cross join lateral generate_series(0, (greatest(char_length(t.whole), 600) - 101) / 500) as n;
  end if;
  return null;
end
$$;

create or replace function private.keep_search_zones()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
  total bigint;
begin
  if tg_op = 'DELETE' then
    with emptied as (
      delete from private.link_search_zones z
      using (
        select distinct r.user_id, (
          select min(l.newest) from private.link_search_zones l
          where l.user_id = r.user_id and l.newest >= r.created_at
        ) as newest
        from removed r
      ) as left_behind
      where z.user_id = left_behind.user_id and z.newest = left_behind.newest
        and not exists (
          select from private.link_search s
          where s.user_id = z.user_id and s.created_at between z.oldest and z.newest
        )
      returning z.*
    )
    insert into private.deleted_zones (deletion_id, oldest, newest, grams)
    select d.id, e.oldest, e.newest, e.grams
    from emptied e
    join private.deletions d
      on d.user_id = e.user_id and d.transaction_id = pg_current_xact_id() and d.deleted_at = now();
    return null;
  end if;

  if tg_op = 'UPDATE' then
    with changed as materialized (
      select a.user_id from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    select count(*) into total from (
      select from public.library_counts where user_id in (select c.user_id from changed c) order by user_id for no key update
    ) as held;
    if total = 0 then
      return null;
    end if;
    with changed as materialized (
      select a.user_id, a.created_at, a.title, a.url, a.description
      from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    select count(private.widen_search_zone(c.user_id, c.created_at, private.link_search_text(c.title, c.url, c.description)))
    into total from changed c
    where exists (select from private.link_search_zones z where z.user_id = c.user_id and z.newest >= c.created_at);
    return null;
  end if;

  for change in
    select a.user_id, n.link_count, a.n,
      a.earliest <= (select max(z.newest) from private.link_search_zones z where z.user_id = a.user_id) as is_covered
    from (select user_id, count(*) as n, min(created_at) as earliest from added group by user_id) as a
    join public.library_counts n on n.user_id = a.user_id
    where not exists (select from private.restorations r where r.user_id = a.user_id)
  loop
    if change.is_covered then
      perform private.widen_search_zone(a.user_id, a.created_at, private.link_search_text(a.title, a.url, a.description))
      from added a
      where a.user_id = change.user_id;
    end if;
    -- Small libraries are read whole in no time; in large ones every sixty-fourth link sums up.
    if change.link_count >= 2000 and change.link_count / 64 <> (change.link_count - change.n) / 64 then
      perform private.extend_search_zones(change.user_id);
    end if;
  end loop;
  return null;
end
$$;
