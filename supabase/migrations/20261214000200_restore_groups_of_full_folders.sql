-- A folder that can no longer be shared with a group kept the whole group from being given back, whose only copy was the screen's.

do $$
declare
  shares constant text := '    perform public.share_folder_with_group(shared.folder_id, $1, shared.role);
    delete from public.folder_members m
    where m.folder_id = shared.folder_id and m.group_id = $1 and not shared.emails ? m.email;';
  definition text := pg_catalog.pg_get_functiondef('public.restore_group(uuid, jsonb)'::regprocedure);
begin
  if position(shares in definition) = 0 then
    raise exception 'public.restore_group is not as expected';
  end if;
  execute replace(definition, shares, $new$    begin
      perform public.share_folder_with_group(shared.folder_id, $1, shared.role);
      delete from public.folder_members m
      where m.folder_id = shared.folder_id and m.group_id = $1 and not shared.emails ? m.email;
    exception when raise_exception then
      -- Of what the plan no longer allows only this folder is left out.
      null;
    end;$new$);
end
$$;
