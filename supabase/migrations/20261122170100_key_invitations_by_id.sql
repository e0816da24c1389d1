-- Of a deleted row the hosted platform tells the primary key to everyone who listens to its table. An id tells nothing; an address
-- and a category tell who was invited where. Pairs stay unique.
alter table public.shared_with
  add column id uuid not null default gen_random_uuid(),
  add constraint shared_with_category_id_email_key unique (category_id, email),
  drop constraint shared_with_pkey,
  add constraint shared_with_pkey primary key (id);

-- As before; invitations that were deleted before this migration have no id.
create or replace function private.restore_categories(batches bigint[], ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  restored integer;
begin
  insert into public.categories
  select c.*
  from private.take_deleted('category', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.categories, taken.content) as c;
  get diagnostics restored = row_count;

  insert into public.shared_with (id, category_id, email, created_at)
  select coalesce(s.id, gen_random_uuid()), s.category_id, s.email, s.created_at
  from private.take_deleted('share', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.shared_with, taken.content) as s;
  return restored;
end
$$;
