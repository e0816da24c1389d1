-- What others have added to shared folders since one last looked: a count a category, up to a hundred. When one looked is one's own.
create table private.category_visits (
  person_id uuid not null,
  -- No foreign key: of a category that comes back from the bin, or changes its owner, nothing old is news.
  category_id uuid not null,
  seen_at timestamptz not null default now(),
  constraint category_visits_pkey primary key (person_id, category_id),
  constraint category_visits_person_is_a_user foreign key (person_id) references auth.users (id) on delete cascade
);
alter table private.category_visits enable row level security;
revoke all on private.category_visits from public, anon, authenticated, service_role;

-- The caller has looked at a category that they may see by a folder's place; of any other nothing is kept, nor of what is gone for good.
create function public.see_category(category_id uuid) returns void
  language sql
  security definer
  set search_path = ''
as $$
  insert into private.category_visits as v (person_id, category_id)
  select r.person_id, c.id
  from public.categories c join private.folder_places r on r.folder_id = c.folder_id
  where c.id = $1 and not c.is_held_back and r.person_id = private.caller_id()
  on conflict on constraint category_visits_pkey do update set seen_at = greatest(v.seen_at, excluded.seen_at);
  delete from private.category_visits v
  where v.person_id = private.caller_id() and v.seen_at < now() - private.restore_window() - interval '1 day'
    and not exists (select from public.categories c where c.id = v.category_id)
$$;

-- The categories in which there is something new; what was there when one came to the folder is not.
create function public.folder_news()
  returns table (category_id uuid, added integer)
  language sql stable
  security definer
  set search_path = ''
as $$
  select c.id, n.added
  from private.folder_places r
  join public.categories c on c.folder_id = r.folder_id and not c.is_held_back
  left join private.category_visits v on v.person_id = r.person_id and v.category_id = c.id
  cross join lateral (
    select count(*)::integer as added
    from (
      select from public.links l
      where l.category_id = c.id and l.created_at > coalesce(v.seen_at, r.since) and l.added_by is distinct from r.person_id
      limit 100
    ) as fresh
  ) as n
  where r.person_id = private.caller_id() and n.added > 0
  order by c.id
$$;

revoke all on function public.see_category(uuid), public.folder_news() from public, anon, authenticated, service_role;
grant execute on function public.see_category(uuid), public.folder_news() to authenticated;
