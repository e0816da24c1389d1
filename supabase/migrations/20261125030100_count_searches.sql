-- How many links a question finds: the total above a page of results, and the numbers beside saved searches. Counting ends at a most,
-- so that a common word costs no more than a page far down.

-- Of the links that public.search_links_by finds, how many there are, at most `max_count`; without any operator of those that
-- public.search_links finds. What may narrow a search there has to narrow it here: a test compares the two.
create function public.count_links_by(
  term text default '', site text default null, folder text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  tags text[] default null, untagged boolean default false, max_count integer default 1000
)
  returns integer
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  most integer := least(greatest(coalesce(max_count, 1000), 0), 1000);
  is_filtered boolean := num_nonnulls(site, folder, category, kind, saved_before, saved_since) > 0
    or favorite is true or untagged is true or cardinality(tags) > 0;
begin
  if caller is null or most = 0 then
    return 0;
  elsif is_filtered is true then
    return cardinality(private.find_links_left(
      caller, whole, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, most));
  elsif whole = '' then
    return (select least(n.link_count, most) from public.library_counts n where n.user_id = caller);
  end if;
  return cardinality(private.find_links_of_term(caller, whole, most));
end
$$;

-- The same for many questions at once, each an object with the parameters above by name. What takes longer than two seconds together is
-- left out of the answer and asked for again; the first is always counted.
create function public.count_searches(searches jsonb)
  returns table (place integer, total integer)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  began timestamptz := clock_timestamp();
  asked record;
begin
  if jsonb_typeof(searches) is distinct from 'array' or jsonb_array_length(searches) > private.most('saved_searches') then
    raise exception using errcode = 'PT400', message = 'Uma lista de no máximo 100 buscas por vez';
  end if;
  for asked in
    select q.* from rows from (
      jsonb_to_recordset(searches) as (
        term text, site text, folder text, category text, kind text, saved_before timestamptz, saved_since timestamptz, favorite boolean,
        tags text[], untagged boolean
      )
    ) with ordinality as q(term, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, place)
  loop
    place := asked.place;
    total := public.count_links_by(
      asked.term, asked.site, asked.folder, asked.category, asked.kind, asked.saved_before, asked.saved_since, asked.favorite,
      asked.tags, asked.untagged);
    return next;
    exit when clock_timestamp() > began + interval '2 seconds';
  end loop;
end
$$;

revoke all on function
  public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer), public.count_searches(jsonb)
  from public, anon, service_role;
grant execute on function
  public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer), public.count_searches(jsonb)
  to authenticated;
