-- Each part of an import names the same new ids. Once what a part had made was renamed, moved or deleted, the next one found no place of
-- that name, made it under the id that was there already, and was refused for good. What had been deleted could not come back either.

create or replace function private.import_places(
  caller uuid, moment timestamptz, content jsonb, out folder_ids uuid[], out category_ids uuid[]
)
  language plpgsql
  set search_path = ''
as $$
declare
  -- Ids that a place has by now, also one in the bin: what is made again is another.
  taken uuid[] := array(
    select g.id
    from jsonb_to_recordset(content -> 'places') as p(folder_id uuid, category_id uuid)
    cross join lateral (values (p.folder_id), (p.category_id)) as g(id)
    where exists (select from public.folders f where f.id = g.id)
      or exists (select from public.categories c where c.id = g.id)
      or g.id in (
        select r.id from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
        where d.user_id = caller and r.kind in ('folder', 'category')
      )
  );
begin
  with made as (
    insert into public.folders (id, name, user_id, created_at)
    select coalesce(case when w.folder_id <> all (taken) then w.folder_id end, gen_random_uuid()), w.folder, caller,
      moment - w.n * interval '1 microsecond'
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
    select coalesce(case when w.category_id <> all (taken) then w.category_id end, gen_random_uuid()), w.category, f.id, caller,
      w.description, moment - w.n * interval '1 microsecond'
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
