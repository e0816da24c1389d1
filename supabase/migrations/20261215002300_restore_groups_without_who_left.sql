-- A group that was given back was placed in a folder with everybody who had left it, who were removed again: where there was room for those
-- who were there alone, the folder was left out.

do $$
declare
  shares constant text := '      perform public.share_folder_with_group(shared.folder_id, $1, shared.role);
      delete from public.folder_members m
      where m.folder_id = shared.folder_id and m.group_id = $1 and not shared.emails ? m.email;
';
  definition text := pg_catalog.pg_get_functiondef('public.restore_group(uuid, jsonb)'::regprocedure);
begin
  if position(shares in definition) = 0 then
    raise exception 'public.restore_group is not as expected';
  end if;
  execute replace(definition, shares, $new$      perform private.require_sharing_plan(caller);
      -- Meanwhile nobody is placed (private.place_group_members).
      insert into private.restorations (user_id, link_count, category_count) values (caller, 0, 0);
      perform public.share_folder_with_group(shared.folder_id, $1, shared.role);
      delete from private.restorations r where r.user_id = caller;
      insert into public.folder_members (folder_id, email, role, group_id)
      select shared.folder_id, m.email, shared.role, $1
      from private.group_members m
      where m.group_id = $1 and shared.emails ? m.email and m.email is distinct from lower(auth.email())
      order by m.email
      on conflict do nothing;
$new$);
end
$$;
