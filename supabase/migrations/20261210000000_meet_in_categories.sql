-- Who is there: the people who may write in a category of a shared folder see who else of them looks at it. Whoever only looks on is told
-- nothing and told of to nobody.
--
-- It is presence of the realtime service, in the private topic `category:ID`. A presence is what a client says of itself: it is a person's
-- id and nothing else, and names come from here, so that nobody speaks by it or shows up as somebody who is not of the folder.

-- Whether the caller may see and be seen in a topic. (What it reads is said for the realtime service, which asks again when a row of it
-- that names a person has changed: see 20261123000500_write_policies.sql and docs/decisions/0120-who-is-there.md.)
create function private.may_meet(topic text) returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select auth.uid() is not null and exists (
    select
    from (
      select case
        when $1 ~ '^category:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr($1, 10)::uuid
      end as category_id
    ) as named
    where exists (
      select from public.categories o
      where o.id = named.category_id and o.user_id = auth.uid() and not o.is_held_back
    ) or exists (
      select from private.folder_places r join public.categories c on c.folder_id = r.folder_id
      where c.id = named.category_id and r.person_id = auth.uid() and r.may_write and not c.is_held_back
    )
  )
$$;
comment on function private.may_meet(text) is
  'realtime: reads public.categories, public.folder_members, public.profiles, private.plan_limits, private.account_closures';
revoke all on function private.may_meet(text) from public, anon, authenticated, service_role;
grant execute on function private.may_meet(text) to authenticated;

create policy messages_see_who_is_there on realtime.messages
  for select to authenticated
  using (extension = 'presence' and (select private.may_meet((select realtime.topic()))));
create policy messages_be_there on realtime.messages
  for insert to authenticated
  with check (extension = 'presence' and (select private.may_meet((select realtime.topic()))));

-- Whom one may meet there, oneself among them; nobody for whoever may not.
create function public.category_people(category_id uuid)
  returns table (person_id uuid, name text)
  language sql stable
  security definer
  set search_path = ''
as $$
  with people as (
    select c.user_id as id from public.categories c where c.id = $1 and not c.is_held_back
    union
    select r.person_id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where c.id = $1 and r.may_write and not c.is_held_back
  )
  select p.id, p.name
  from people join public.profiles p on p.id = people.id
  where private.caller_id() in (select id from people)
  order by p.name, p.id
$$;
comment on function public.category_people(uuid) is 'Who may write in a category, for those who may themselves. Nullable: name.';
revoke all on function public.category_people(uuid) from public, anon, authenticated, service_role;
grant execute on function public.category_people(uuid) to authenticated;
