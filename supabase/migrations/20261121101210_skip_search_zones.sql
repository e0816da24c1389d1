-- A word that a large library hardly holds would cost quick search a pass over all of its text (43 ms of 100,000 links). So
-- the text of a large library is summed up zone by zone, a zone being sixteen moments in a row: bits for each pair and triple
-- of letters that occurs. A zone that lacks one of the term's is skipped; the others are read as ever, so a zone may say too
-- much and never too little: an edit adds its bits, a deletion takes none away.

create extension if not exists pg_trgm with schema extensions;

create table private.link_search_zones (
  user_id uuid not null,
  oldest timestamptz not null,
  newest timestamptz not null,
  grams bit(8192) not null,
  constraint link_search_zones_pkey primary key (user_id, newest),
  constraint link_search_zones_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
alter table private.link_search_zones alter column grams set storage plain;

-- Runs of plain letters and digits give their triples and pairs, with blanks for where a run begins and ends; every other
-- character counts by itself. What a part of a text gives, the whole text gives too, provided that the part is said to be one: its
-- first run may begin, and its last run end, in the middle of a word. Two bits each: a rare one that shares a bit with an
-- everyday one keeps the other to itself.
create function private.search_gram_bits(source text, is_part boolean) returns integer[]
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  runs text := regexp_replace(source, '[^a-z0-9]+', ' ', 'g');
begin
  return array(
    select unnest(array[hash & 8191, (hash >> 13) & 8191])
    from (
      select distinct hashtext(gram) as hash
      from (
        select t as gram from unnest(extensions.show_trgm(runs)) as t where not is_part
        union all
        select t
        from regexp_split_to_table(runs, ' ') with ordinality as run(letters, place)
        cross join lateral unnest(extensions.show_trgm(run.letters)) as t
        where is_part
          and (left(t, 1) <> ' ' or place > 1)
          and (right(t, 1) <> ' ' or place <= length(runs) - length(replace(runs, ' ', '')))
        union all
        select left(t, 2) from unnest(extensions.show_trgm(runs)) as t where strpos(left(t, 2), ' ') = 0
        union all
        select unnest(string_to_array(regexp_replace(source, '[a-z0-9 \n]+', '', 'g'), null))
      ) as grams
    ) as hashes
  );
end
$$;

create function private.search_grams(source text) returns bit
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  bits bit(8192) := 0::bit(8192);
  place integer;
begin
  foreach place in array private.search_gram_bits(source, false) loop
    bits := set_bit(bits, place, 1);
  end loop;
  return bits;
end
$$;

-- Sums up what is not yet in a zone, in full zones. The counter's row lock, which every insert and edit of this user takes
-- before it comes here, makes sure that no text appears in a moment that is being summed up.
create function private.extend_search_zones(owner_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  covered timestamptz := coalesce(
    (select max(newest) from private.link_search_zones where user_id = owner_id), '-infinity');
begin
  insert into private.link_search_zones (user_id, oldest, newest, grams)
  select owner_id, min(created_at), max(created_at), private.search_grams(string_agg(piece, E'\n'))
  from (
    select created_at, piece, (dense_rank() over (order by created_at) - 1) / 16 as zone
    from private.link_search
    where user_id = owner_id and created_at > covered
  ) as uncovered
  group by zone having count(distinct created_at) = 16;
end
$$;

-- Adds the bits of texts that appeared in a moment already summed up: an edited link, or one written with an older date.
create function private.widen_search_zone(owner_id uuid, moment timestamptz, text_added text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update private.link_search_zones
  set grams = grams | private.search_grams(text_added), oldest = least(oldest, moment)
  where user_id = owner_id and newest = (
    select min(newest) from private.link_search_zones where user_id = owner_id and newest >= moment
  );
end
$$;

create function private.keep_search_zones() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
begin
  if tg_op = 'DELETE' then
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
      );
    return null;
  end if;

  if tg_op = 'UPDATE' then
    perform from public.library_counts
    where user_id in (
      select a.user_id from added a join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    order by user_id for no key update;
    perform private.widen_search_zone(a.user_id, a.created_at, private.link_search_text(a.title, a.url, a.description))
    from added a join removed r on r.id = a.id
    where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
      and exists (select from private.link_search_zones z where z.user_id = a.user_id and z.newest >= a.created_at);
    return null;
  end if;

  for change in
    select a.user_id, n.link_count, a.n,
      a.earliest <= (select max(z.newest) from private.link_search_zones z where z.user_id = a.user_id) as is_covered
    from (select user_id, count(*) as n, min(created_at) as earliest from added group by user_id) as a
    join public.library_counts n on n.user_id = a.user_id
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
revoke all on function private.search_gram_bits(text, boolean), private.search_grams(text), private.extend_search_zones(uuid),
  private.widen_search_zone(uuid, timestamptz, text), private.keep_search_zones() from public;

-- By their names these come after links_count_* (the lock) and links_index_* (the text).
create trigger links_zones_added after insert on public.links
  referencing new table as added for each statement execute function private.keep_search_zones();
create trigger links_zones_removed after delete on public.links
  referencing old table as removed for each statement execute function private.keep_search_zones();
create trigger links_zones_changed after update on public.links
  referencing old table as removed new table as added for each statement execute function private.keep_search_zones();
