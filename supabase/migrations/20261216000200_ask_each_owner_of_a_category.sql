-- Whom a former owner of a category had refused never reached the new one: there was one request a person and category.

alter table private.access_requests drop constraint access_requests_once;
alter table private.access_requests add constraint access_requests_once unique (asker_id, category_id, owner_id);

-- A refused request is kept for its owner; to whoever asked it is as old as any other.
create or replace function public.list_own_access_requests()
returns table (category_id uuid, note text, asked_at timestamptz)
language sql
stable
security definer
set search_path = ''
as $$
  select r.category_id, r.note, r.asked_at from private.access_requests r
  where r.asker_id = private.caller_id() and r.asked_at > now() - interval '30 days'
  order by r.asked_at, r.id
$$;
