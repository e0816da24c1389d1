-- What an import of a bookmark file has made, part by part: so that a part that is sent twice is written once, and the whole can be
-- taken back. Kept for a day.

create table private.imports (
  user_id uuid not null,
  -- Chosen by the client. Under its person, so that nobody can take or probe an id of somebody else's.
  id uuid not null,
  -- What has no date of its own is dated from here, in the order of the file.
  started_at timestamptz not null default now(),
  undone_at timestamptz,
  constraint imports_pkey primary key (user_id, id),
  -- The counters and not auth.users, as for deletions: whoever imports holds their own row of them already.
  constraint imports_user_id_fkey foreign key (user_id) references public.library_counts (user_id) on delete cascade
);
create index imports_oldest on private.imports (started_at);

create table private.import_parts (
  user_id uuid not null,
  import_id uuid not null,
  part integer not null,
  answer jsonb not null,
  -- Lists and no rows of their own: twenty thousand links are forty rows here.
  folder_ids uuid[] not null,
  category_ids uuid[] not null,
  link_ids uuid[] not null,
  constraint import_parts_pkey primary key (user_id, import_id, part),
  constraint import_parts_import_fkey foreign key (user_id, import_id)
    references private.imports (user_id, id) on delete cascade
);

alter table private.imports enable row level security;
alter table private.import_parts enable row level security;
revoke all on private.imports, private.import_parts from public, anon, authenticated, service_role;

create function private.import_window() returns interval
  language sql immutable parallel safe
  set search_path = ''
as $$ select interval '24 hours' $$;

-- Forgets imports that can no longer be taken back, a few at a time; whoever imports next does it. Copies of it never wait.
create function private.purge_imports() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from private.imports where ctid = any (array(
    select i.ctid from private.imports i
    where i.started_at < now() - private.import_window()
    order by i.started_at
    limit 100 for update skip locked
  ));
end
$$;

-- A day's imports leave a bounded record: empty parts, and parts of what is there already, would otherwise be rows without end.
create function private.limit_import_parts() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  total bigint;
begin
  -- Parts of several imports of one person come one after the other here.
  perform from public.library_counts n where n.user_id = new.user_id for no key update;
  select count(*) into total from private.import_parts p where p.user_id = new.user_id;
  if total >= private.most('import_parts') then
    perform private.refuse_beyond('import_parts');
  end if;
  return new;
end
$$;

create trigger import_parts_limit before insert on private.import_parts
  for each row execute function private.limit_import_parts();

-- Writing a bookmark file into the caller's library. It names folders and categories by their names and nothing by an id that is
-- there already, so nothing of anybody else can be named. A part is all or nothing; limits and counters are those of any insert.
--
-- `content`: {"places": [{"n", "folder", "folder_id", "category", "category_id", "description"}],
--             "links": [{"n", "place", "id", "url", "title", "description", "created_at"}], "total": {"links", "categories"}}.
-- The ids are for what is made new: the client knows its own rows when it hears of them. `n` is the place in the file.

-- Which of the caller's categories stands for each place; the oldest one of equal names. Places without one are left out. (Lists, for
-- they are asked several times over.)
create function private.find_import_homes(caller uuid, content jsonb, out places integer[], out category_ids uuid[])
  language plpgsql stable
  set search_path = ''
as $$
begin
  select coalesce(array_agg(h.n), '{}'), coalesce(array_agg(h.id), '{}') into places, category_ids
  from (
    select distinct on (p.n) p.n, c.id
    from jsonb_to_recordset(content -> 'places') as p(n integer, folder text, category text)
    join public.folders f on f.user_id = caller and f.name = p.folder
    join public.categories c on c.folder_id = f.id and c.user_id = caller and c.name = p.category
    order by p.n, c.created_at, c.id
  ) as h;
end
$$;

-- The links of a part whose address lies in its category already, by `n`. Compared as find_links_by_url compares, over its index: the
-- category is compared so that no index of it is taken, behind which a whole category would be read for each link.
create function private.find_known_links(caller uuid, content jsonb, places integer[], category_ids uuid[]) returns integer[]
  language plpgsql stable
  set search_path = ''
as $$
begin
  return array(
    select given.n
    from jsonb_to_recordset(content -> 'links') as given(n integer, place integer, url text)
    join unnest(places, category_ids) as home(place, category_id) on home.place = given.place
    cross join lateral (
      select from public.links k
      where k.user_id = caller
        and hashtextextended(rtrim(lower(k.url collate "C"), '/'), 0)
          = hashtextextended(rtrim(lower(btrim(given.url, E' \t\n\r') collate "C"), '/'), 0)
        and k.category_id is not distinct from home.category_id
        and private.comparable_url(k.url) = private.comparable_url(given.url)
      limit 1
    ) as known
  );
end
$$;

create function private.require_import_content(content jsonb) returns void
  language plpgsql immutable
  set search_path = ''
as $$
begin
  if content is null
    or jsonb_typeof(content -> 'places') is distinct from 'array'
    or jsonb_typeof(content -> 'links') is distinct from 'array'
  then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  elsif jsonb_array_length(content -> 'places') > 1000 or jsonb_array_length(content -> 'links') > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 links por vez';
  end if;
end
$$;

-- The caller, if they are somebody whose plan imports; the refusal is that of sharing.
create function private.require_importer() returns uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
begin
  if caller is null then
    raise exception using
      errcode = '42501', message = 'Você precisa estar autenticado para realizar esta operação';
  end if;
  perform private.require_sharing_plan(caller);
  return caller;
end
$$;

-- Refuses, as the bounds would in the end, what does not fit as a whole: before anything of it is written.
create function private.require_import_room(caller uuid, total jsonb) returns void
  language plpgsql stable
  set search_path = ''
as $$
declare
  kind text;
  allowed integer;
  owner_plan text;
begin
  select f.what, f.allowed, f.plan into kind, allowed, owner_plan
  from public.profiles p
  join private.plan_limits l on l.plan = p.plan
  join public.library_counts n on n.user_id = p.id
  cross join lateral (values
    ('categories', n.category_count, (total ->> 'categories')::bigint, l.max_categories, private.most('categories'), p.plan),
    ('links', n.link_count, (total ->> 'links')::bigint, l.max_links, private.most('links'), p.plan)
  ) as f(what, present, added, allowed, bound, plan)
  where p.id = caller and f.added > 0 and f.present + f.added > least(f.allowed, f.bound)
  limit 1;
  if found and allowed is null then
    perform private.refuse_beyond(kind);
  elsif found then
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case kind when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', kind);
  end if;
end
$$;

-- Makes the folders and categories of a part that are not there yet. What stands first in the file is made newest: lists show it on top.
create function private.import_places(
  caller uuid, moment timestamptz, content jsonb, out folder_ids uuid[], out category_ids uuid[]
)
  language plpgsql
  set search_path = ''
as $$
begin
  with made as (
    insert into public.folders (id, name, user_id, created_at)
    select coalesce(w.folder_id, gen_random_uuid()), w.folder, caller, moment - w.n * interval '1 microsecond'
    from (
      select distinct on (p.folder) p.n, p.folder, p.folder_id
      from jsonb_to_recordset(content -> 'places') as p(n integer, folder text, folder_id uuid)
      order by p.folder, p.n
    ) as w
    on conflict (user_id, name) do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into folder_ids from made;

  with made as (
    insert into public.categories (id, name, folder_id, user_id, description, created_at)
    select coalesce(w.category_id, gen_random_uuid()), w.category, f.id, caller, w.description,
      moment - w.n * interval '1 microsecond'
    from (
      select distinct on (p.folder, p.category) p.*
      from jsonb_to_recordset(content -> 'places')
        as p(n integer, folder text, category text, category_id uuid, description text)
      where p.category is not null
      order by p.folder, p.category, p.n
    ) as w
    join public.folders f on f.user_id = caller and f.name = w.folder
    where not exists (
      select from public.categories c where c.folder_id = f.id and c.user_id = caller and c.name = w.category
    )
    returning id
  )
  select coalesce(array_agg(id), '{}') into category_ids from made;
end
$$;

-- Adds the links of a part that are not there yet, with the dates of the file. Dates know seconds: the place in the file is added below
-- the second, so that the order stays and no two are alike where lists are read page by page. A date before 1970 is none: all of them
-- at the same moment could not be read page by page.
create function private.import_links(caller uuid, moment timestamptz, content jsonb) returns uuid[]
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
    select coalesce(w.id, gen_random_uuid()), w.url, w.title, w.description, w.category_id, caller, least(
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

-- One part of an import, numbered from 0: {"folders", "categories", "links", "known"}, how many were made and how many addresses were
-- there already. The same part sent again answers the same and writes nothing.
create function public.import_library(import_id uuid, part integer, content jsonb) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.require_importer();
  running private.imports;
  made record;
  link_ids uuid[];
  answer jsonb;
begin
  perform private.require_import_content(content);
  if import_id is null or part is null or part < 0 or part >= 10000 then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  end if;
  perform private.purge_imports();
  insert into private.imports (user_id, id) values (caller, $1) on conflict (user_id, id) do nothing;
  -- Parts of one import come one after the other, also those that a slow network sent twice.
  select i.* into running from private.imports i where i.user_id = caller and i.id = $1 for update;
  if running.undone_at is not null then
    raise exception using errcode = 'PT409', message = 'Esta importação foi desfeita';
  end if;
  select p.answer into answer from private.import_parts p
  where p.user_id = caller and p.import_id = $1 and p.part = $2;
  if found then
    return answer;
  end if;
  if (select count(*) from private.imports i where i.user_id = caller) > 50 then
    raise exception using errcode = 'PT429', message = 'Muitas importações em um dia. Tente de novo amanhã.';
  end if;
  perform private.require_import_room(caller, content -> 'total');

  -- Limits hold as ever (there is nothing to be given back); the trigger of search leaves the summing up to widen_search_zones.
  insert into private.restorations (user_id, link_count, category_count) values (caller, 0, 0);
  made := private.import_places(caller, running.started_at, content);
  link_ids := private.import_links(caller, running.started_at, content);
  delete from private.restorations where user_id = caller;

  answer := jsonb_build_object(
    'folders', cardinality(made.folder_ids),
    'categories', cardinality(made.category_ids),
    'links', cardinality(link_ids),
    'known', jsonb_array_length(content -> 'links') - cardinality(link_ids)
  );
  insert into private.import_parts (user_id, import_id, part, answer, folder_ids, category_ids, link_ids)
  values (caller, $1, $2, answer, made.folder_ids, made.category_ids, link_ids);
  return answer;
exception
  when not_null_violation or invalid_text_representation or invalid_datetime_format or datetime_field_overflow
    or numeric_value_out_of_range or invalid_parameter_value then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
end
$$;

-- What an import of this content would find there already, by the `n` of its links. Reads only; on every plan.
create function public.preview_import(content jsonb) returns integer[]
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  homes record;
begin
  perform private.require_import_content(content);
  if caller is null then
    return '{}';
  end if;
  homes := private.find_import_homes(caller, content);
  return private.find_known_links(caller, content, homes.places, homes.category_ids);
exception
  when invalid_text_representation or numeric_value_out_of_range or invalid_parameter_value then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
end
$$;

revoke all on function private.import_window(), private.purge_imports(), private.limit_import_parts(),
  private.find_import_homes(uuid, jsonb), private.find_known_links(uuid, jsonb, integer[], uuid[]),
  private.require_import_content(jsonb), private.require_importer(), private.require_import_room(uuid, jsonb),
  private.import_places(uuid, timestamptz, jsonb), private.import_links(uuid, timestamptz, jsonb) from public;
revoke all on function public.import_library(uuid, integer, jsonb), public.preview_import(jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.import_library(uuid, integer, jsonb), public.preview_import(jsonb) to authenticated;
