-- Whoever knew a folder's id (its public address, or as a member) could write a folder under it once it was deleted, and its owner could
-- not have it back.

-- What was deleted along with something comes back under the id that it comes back under.
create function private.follow_new_ids(batches bigint[], kinds text[], new_ids jsonb, field text) returns void
language sql
set search_path = ''
as $$
  update private.deleted_rows r
  set id = (new_ids ->> r.id::text)::uuid,
    content = case when r.content ? field then r.content || jsonb_build_object(field, new_ids -> r.id::text) else r.content end
  where new_ids <> '{}' and r.deletion_id = any (array(select distinct unnest(batches))) and r.kind = any (kinds) and new_ids ? r.id::text
$$;
revoke all on function private.follow_new_ids(bigint[], text[], jsonb, text) from public, anon, authenticated, service_role;

create or replace function private.restore_folders(batches bigint[], ids uuid[]) returns integer
language plpgsql
set search_path = ''
as $$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
  defaults jsonb := private.column_defaults('public.folders');
  new_ids jsonb;
  restored integer;
begin
  select coalesce(jsonb_object_agg(f.id, gen_random_uuid()), '{}') into new_ids
  from public.folders f where f.id = any (ids) and f.user_id <> caller;
  perform private.follow_new_ids(batches, array['look', 'member', 'group'], new_ids, 'folder_id');
  -- Its categories are found by the id that it had.
  update private.deleted_rows r set content = r.content || jsonb_build_object('folder_id', new_ids -> r.parent_id::text)
  where new_ids <> '{}' and r.deletion_id = any (batches) and r.kind = 'category' and new_ids ? r.parent_id::text;

  insert into public.folders
  select f.*
  from private.take_deleted('folder', batches, ids) as taken
  cross join lateral jsonb_populate_record(
    null::public.folders,
    defaults || taken.content || jsonb_build_object('id', coalesce(new_ids ->> taken.id::text, taken.id::text))
  ) as f;
  get diagnostics restored = row_count;
  return restored;
end
$$;
