-- Quick search: case, accents and white space ignored, inside words, every character literal, newest first.
--
-- A scan of one user's normalised text, held in a covering index in the order of the answer: the table is not read, a common
-- word stops after a few rows, and a word nobody wrote costs one pass over a few megabytes. (A trigram index is no use for
-- one or two letters and doubles the cost of an insert.) The text lives beside `links`, whose columns are the product's.

create extension if not exists unaccent with schema extensions;
create extension if not exists pg_trgm with schema extensions;

-- A cut at 600 characters keeps an index entry under the 2,704 bytes a btree takes even when each has four bytes; what is
-- longer goes on in further pieces. Neighbours share 100 characters, so a term up to that length lies whole in one of them.
create table private.link_search (
  user_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  piece text not null
) with (
  -- An index-only scan is one only where the visibility map is fresh: vacuum after a thousand changed rows, whatever the size.
  autovacuum_vacuum_insert_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05
);
-- Compressed entries would have to be unpacked one by one while scanning.
alter table private.link_search alter column piece set storage external;
create index link_search_newest_of_user on private.link_search (user_id, created_at, id) include (piece);

-- A word that a large library hardly holds would cost quick search a pass over all of its text (43 ms of 100,000 links). So
-- the text of a large library is summed up zone by zone, a zone being sixteen moments in a row: bits for each pair and triple
-- of letters that occurs. A zone that lacks one of the term's is skipped; the others are read as ever, so a zone may say too
-- much and never too little: an edit adds its bits, a deletion takes none away.
create table private.link_search_zones (
  user_id uuid not null,
  oldest timestamptz not null,
  newest timestamptz not null,
  grams bit(8192) not null,
  constraint link_search_zones_pkey primary key (user_id, newest),
  constraint link_search_zones_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
alter table private.link_search_zones alter column grams set storage plain;

-- Lower case, accents dropped, letters without a separable accent spelled out, white space one blank. Declared immutable, which
-- `unaccent` is as long as nobody edits its rules. The same is done by packages/domain/src/fold-text.ts when it highlights.
create function private.normalize_search_text(source text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
begin
  source := replace(replace(replace(source, E'\n', ' '), E'\r', ' '), E'\t', ' ');
  if strpos(source, '  ') > 0 then
    source := regexp_replace(source, ' {2,}', ' ', 'g');
  end if;
  if octet_length(source) <> char_length(source) then
    source := extensions.unaccent('extensions.unaccent', source);
  end if;
  return lower(source);
end
$$;

-- All of a link's text. Normalised text holds no line break, so no term matches across two fields. (One call for the three, told
-- apart by a character that normalising leaves alone: this runs for every link that is written.)
create function private.link_search_text(title text, url text, description text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
begin
  return replace(
    private.normalize_search_text(title || E'\x01' || url || E'\x01' || coalesce(description, '')), E'\x01', E'\n');
end
$$;

create function private.index_links() returns trigger
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
    with changed as (
      select a.* from added a join removed r on r.id = a.id
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

-- Search zones of texts that came with old dates: each zone is widened once by all that falls to it, not once a link as the trigger would.
-- (Materialized, so that no plan sums the texts up again for every zone there is.)
create function private.widen_search_zones(caller uuid, moments timestamptz[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  with placed as materialized (
    select m.moment, (
      select min(z.newest) from private.link_search_zones z where z.user_id = caller and z.newest >= m.moment
    ) as newest
    from unnest(moments) as m(moment)
  ), missing as materialized (
    select p.newest, min(p.moment) as earliest, private.search_grams(string_agg(s.piece, E'\n')) as grams
    from placed p join private.link_search s on s.user_id = caller and s.created_at = p.moment
    where p.newest is not null
    group by p.newest
  )
  update private.link_search_zones z
  set grams = z.grams | m.grams, oldest = least(z.oldest, m.earliest)
  from missing m
  where z.user_id = caller and z.newest = m.newest;
  if (select n.link_count from public.library_counts n where n.user_id = caller) >= 2000 then
    perform private.extend_search_zones(caller);
  end if;
end
$$;

-- Whoever restores or imports links looks after their zones by themselves: restore_search_zones, widen_search_zones. A zone that a
-- deletion leaves empty is kept with what was deleted.
create function private.keep_search_zones() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
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

-- After links were put back: their moments, and for each how far the zones reached when it was deleted; a zone that their deletion
-- left empty comes back with them. Runs under the lock of the counter's row, like everything that writes zones.
create function private.restore_search_zones(caller uuid, moments timestamptz[], reaches timestamptz[]) returns void
  language plpgsql
  set search_path = ''
  set enable_seqscan = off -- nobody has analysed what was just put back
as $$
declare
  kept record;
begin
  -- One by one, as no two may overlap: a link in two zones would be found twice.
  for kept in
    select z.ctid as place, z.oldest, z.newest, z.grams
    from private.deletions d join private.deleted_zones z on z.deletion_id = d.id
    where d.user_id = caller and exists (
      select from private.link_search s where s.user_id = caller and s.created_at between z.oldest and z.newest
    )
  loop
    if not exists (
      select from private.link_search_zones z
      where z.user_id = caller and z.newest >= kept.oldest and z.oldest <= kept.newest
    ) then
      insert into private.link_search_zones (user_id, oldest, newest, grams)
      values (caller, kept.oldest, kept.newest, kept.grams);
      delete from private.deleted_zones where ctid = kept.place;
    end if;
  end loop;

  -- A text that lies in no zone, or in one that was summed up without it, widens the zone where search looks for it: the first that
  -- ends at its moment or later. (One walk back in time over moments and zones together; as zones do not overlap, the smallest
  -- end seen so far and the smallest beginning are those of the same zone.)
  update private.link_search_zones z
  set grams = z.grams | missing.grams, oldest = least(z.oldest, missing.earliest)
  from (
    select placed.newest, min(placed.moment) as earliest, private.search_grams(string_agg(s.piece, E'\n')) as grams
    from (
      select w.moment, w.reach,
        min(w.newest) over (order by w.moment desc) as newest, min(w.oldest) over (order by w.moment desc) as oldest
      from (
        select m.moment, m.reach, null::timestamptz as newest, null::timestamptz as oldest
        from unnest(moments, reaches) as m(moment, reach)
        union all
        select l.newest, null, l.newest, l.oldest from private.link_search_zones l where l.user_id = caller
      ) as w
    ) as placed
    join private.link_search s on s.user_id = caller and s.created_at = placed.moment
    where placed.reach is not null and placed.newest is not null
      and (placed.moment > placed.reach or placed.moment < placed.oldest)
    group by placed.newest
  ) as missing
  where z.user_id = caller and z.newest = missing.newest;
end
$$;

revoke all on function private.normalize_search_text(text), private.link_search_text(text, text, text),
  private.index_links(), private.search_gram_bits(text, boolean), private.search_grams(text),
  private.extend_search_zones(uuid), private.widen_search_zone(uuid, timestamptz, text),
  private.widen_search_zones(uuid, timestamptz[]), private.keep_search_zones(),
  private.restore_search_zones(uuid, timestamptz[], timestamptz[]) from public;

create trigger links_index_added after insert on public.links
  referencing new table as added for each statement execute function private.index_links();
create trigger links_index_removed after delete on public.links
  referencing old table as removed for each statement execute function private.index_links();
create trigger links_index_changed after update on public.links
  referencing old table as removed new table as added for each statement execute function private.index_links();
-- By their names these come after links_count_* (the lock) and links_index_* (the text).
create trigger links_zones_added after insert on public.links
  referencing new table as added for each statement execute function private.keep_search_zones();
create trigger links_zones_removed after delete on public.links
  referencing old table as removed for each statement execute function private.keep_search_zones();
create trigger links_zones_changed after update on public.links
  referencing old table as removed new table as added for each statement execute function private.keep_search_zones();
