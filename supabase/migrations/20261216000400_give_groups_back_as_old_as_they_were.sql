-- Who had left a folder was let in again when it came back from the bin after its group had been deleted and given back.

do $$
declare
  folders constant text := '    ''folders'', (
';
  saved constant text := '  perform public.save_group($1, $2 ->> ''name'', emails);
';
  deletes text := pg_catalog.pg_get_functiondef('public.delete_group(uuid)'::regprocedure);
  restores text := pg_catalog.pg_get_functiondef('public.restore_group(uuid, jsonb)'::regprocedure);
begin
  if position(folders in deletes) = 0 or position(saved in restores) = 0 then
    raise exception 'public.delete_group or public.restore_group is not as expected';
  end if;
  execute replace(deletes, folders, $new$    'since', (select coalesce(jsonb_object_agg(m.email, m.created_at), '{}') from private.group_members m where m.group_id = $1),
$new$ || folders);
  execute replace(restores, saved, saved || $new$  -- Who entered a group after its folder went to the bin comes back with the folder (private.restore_members).
  update private.group_members m set created_at = ($2 -> 'since' ->> m.email)::timestamptz
  where m.group_id = $1 and m.created_at > ($2 -> 'since' ->> m.email)::timestamptz;
$new$);
end
$$;
