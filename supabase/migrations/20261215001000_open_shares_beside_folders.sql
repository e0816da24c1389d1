-- A category that also comes by a shared folder, which counts towards no plan but its owner's, took the only place that the free plan has
-- for what is shared by category.

create or replace function private.openable_category_ids() returns uuid[]
  language sql stable security definer set search_path = ''
as $$
  with by_folder as materialized (
    select c.id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where r.person_id = auth.uid() and not c.is_held_back
  )
  select coalesce(array_agg(openable.id), '{}')
  from (
    (
      select s.category_id as id
      from public.shared_with s
      where s.email = lower(auth.email()) and s.category_id not in (select f.id from by_folder f)
      order by s.category_id = (select c.category_id from private.chosen_shares c where c.user_id = auth.uid()) desc nulls last,
        s.created_at, s.category_id
      limit coalesce(
        (select coalesce(l.max_received_shares, 2147483647)
         from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = auth.uid()),
        (select max_received_shares from private.plan_limits where plan = 'free')
      )
    )
    union all
    select f.id from by_folder f
  ) as openable
$$;
