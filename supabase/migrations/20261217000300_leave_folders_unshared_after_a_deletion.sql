-- Whoever deletes their account is told that nothing shared comes back. Folders did, and what had gone to the bin while it was shared: their
-- people stay in them while the account is closed, for a manager to take them over.

create function private.end_sharing_of_folders(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from private.folder_offers o where o.owner_id = $1;
  delete from private.folder_groups g where g.owner_id = $1;
  delete from public.folder_members m where m.owner_id = $1;
  update public.folders f set is_public = false, shared_with = '{}'
  where f.user_id = $1 and (f.is_public or f.shared_with <> '{}');
  delete from private.deleted_rows r using private.deletions d
  where d.user_id = $1 and r.deletion_id = d.id and r.kind in ('share', 'member', 'group');
  update private.deleted_rows r
  set content = r.content || '{"is_public": false}' || case r.kind when 'folder' then '{"shared_with": []}' else '{}' end::jsonb
  from private.deletions d
  where d.user_id = $1 and r.deletion_id = d.id and r.kind in ('folder', 'category')
    and ((r.content ->> 'is_public')::boolean or r.content -> 'shared_with' <> '[]');
end
$$;
comment on function private.end_sharing_of_folders(uuid) is
  'A person''s folders are their own alone, and what they restore from the bin is as well.';
revoke all on function private.end_sharing_of_folders(uuid) from public, anon, authenticated, service_role;

do $$
declare
  patch record;
  definition text := pg_catalog.pg_get_functiondef('private.reopen_account()'::regprocedure);
begin
  for patch in
    select * from (values
      ('begin
  update private.account_closures c
', 'begin
  -- A manager who is taking a folder over locks it first, too: it is theirs, or it is not.
  perform from public.folders f
  where f.user_id = new.id and exists (
    select from private.account_closures c where c.user_id = new.id and c.reopened_at is null and c.reason = ''deletion''
  )
  order by f.id for no key update;
  update private.account_closures c
'),
      ('  if closure.reason = ''inactivity'' then
', '  if closure.reason = ''deletion'' then
    perform private.end_sharing_of_folders(new.id);
  end if;
  if closure.reason = ''inactivity'' then
')
    ) as p(before, after)
  loop
    if position(patch.before in definition) = 0 then
      raise exception 'private.reopen_account is not as expected';
    end if;
    definition := replace(definition, patch.before, patch.after);
  end loop;
  execute definition;
end
$$;
