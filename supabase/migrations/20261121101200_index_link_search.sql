-- Quick search: case, accents and white space ignored, inside words, every character literal, newest first.
--
-- A scan of one user's normalised text, held in a covering index in the order of the answer: the table is not read, a common
-- word stops after a few rows, and a word nobody wrote costs one pass over a few megabytes. (A trigram index is no use for
-- one or two letters and doubles the cost of an insert.) The text lives beside `links`, whose columns are the product's.

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

create extension if not exists unaccent with schema extensions;

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
revoke all on function private.normalize_search_text(text), private.link_search_text(text, text, text),
  private.index_links() from public;

create trigger links_index_added after insert on public.links
  referencing new table as added for each statement execute function private.index_links();
create trigger links_index_removed after delete on public.links
  referencing old table as removed for each statement execute function private.index_links();
create trigger links_index_changed after update on public.links
  referencing old table as removed new table as added for each statement execute function private.index_links();
