-- Tags are counted where the plan limits them and nothing before them has refused the folder: all of a large one take long to count.

create or replace function public.available_folders()
  returns table (folder_id uuid, name text, owner_name text, is_closed boolean, category_count integer, link_count integer, refusal text)
  language sql stable security definer
  set search_path = ''
as $$
  select a.folder_id, f.name, p.name, a.is_closed, has.categories::integer, has.links::integer,
    case
      when not l.can_share then 'plan_sharing'
      when n.link_count + nullif(has.links, 0) > l.max_links then 'plan_limit_links'
      when n.category_count + nullif(has.categories, 0) > l.max_categories then 'plan_limit_categories'
      when has.people > l.max_folder_members then 'plan_limit_folder_members'
      -- A plan without a limit meets the bound of all, which no other plan lifts: private.limit_tags says so.
      when l.max_links is null then null
      when (select count(*) from public.tags o where o.user_id = a.person_id) + nullif((
        select count(distinct t.folded)
        from public.categories c
        join public.links i on i.category_id = c.id
        join public.link_tags k on k.link_id = i.id
        join public.tags t on t.id = k.tag_id
        where c.folder_id = f.id
          and not exists (select from public.tags o where o.user_id = a.person_id and o.folded = t.folded)
      ), 0) > l.max_links then 'plan_limit_tags'
    end
  from private.available_folders a
  join public.folders f on f.id = a.folder_id
  join public.profiles p on p.id = a.owner_id
  join public.profiles own on own.id = a.person_id
  join private.plan_limits l on l.plan = own.plan
  join public.library_counts n on n.user_id = a.person_id
  cross join lateral (
    select (select count(*) from public.categories c where c.folder_id = f.id) as categories,
      (select coalesce(sum(k.link_count), 0) from public.categories c join public.category_counts k on k.category_id = c.id
        where c.folder_id = f.id) as links,
      -- The old owner comes in the new one's place.
      (select count(distinct m.email) from public.folder_members m where m.folder_id = f.id) as people
  ) as has
  where a.person_id = private.caller_id()
  order by f.name, f.id
$$;
