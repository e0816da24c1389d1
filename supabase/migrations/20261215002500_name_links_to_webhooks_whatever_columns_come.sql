-- The next column of links would have been taken for their place again.

create or replace function private.webhook_links(links public.links[]) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('id', l.id, 'url', l.url, 'title', l.title, 'description', l.description,
    'category_id', l.category_id, 'created_at', to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by l.ordinality)
  from unnest(links) with ordinality as l
$$;
