-- An import stores addresses as it compares them, without the blanks around them: one that kept its blank was never known again, and the
-- same file imported twice was there twice.

create or replace function private.import_links(caller uuid, moment timestamptz, content jsonb) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  homes record := private.find_import_homes(caller, content);
  known integer[];
  ids uuid[];
  moments timestamptz[];
begin
  if exists (
    select from jsonb_to_recordset(content -> 'links') as g(place integer)
    where g.place is null or g.place <> all (homes.places)
  ) then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  end if;
  known := private.find_known_links(caller, content, homes.places, homes.category_ids);
  with added as (
    insert into public.links (id, url, title, description, category_id, user_id, created_at)
    select coalesce(w.id, gen_random_uuid()), btrim(w.url, E' \t\n\r'), w.title, w.description, w.category_id, caller, least(
      date_trunc('second', case when w.created_at >= '1970-01-01 00:00:00+00' then w.created_at end) + (999999 - w.n % 1000000) * interval '1 microsecond',
      moment - w.n * interval '1 microsecond'
    )
    from (
      select distinct on (h.category_id, private.comparable_url(g.url)) g.*, h.category_id
      from jsonb_to_recordset(content -> 'links')
        as g(n integer, place integer, id uuid, url text, title text, description text, created_at timestamptz)
      join unnest(homes.places, homes.category_ids) as h(place, category_id) on h.place = g.place
      where g.n <> all (known)
      order by h.category_id, private.comparable_url(g.url), g.n
    ) as w
    order by w.created_at, w.n desc
    returning id, created_at
  )
  select coalesce(array_agg(id), '{}'), coalesce(array_agg(created_at), '{}') into ids, moments from added;

  perform private.widen_search_zones(caller, moments);
  return ids;
end
$$;
