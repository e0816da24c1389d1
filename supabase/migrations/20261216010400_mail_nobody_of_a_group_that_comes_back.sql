-- Who was mailed more than thirty days ago that a folder is shared with them was mailed it again when their group had been deleted and given back.

do $$
declare
  patch record;
  definition text := pg_catalog.pg_get_functiondef('public.restore_group(uuid, jsonb)'::regprocedure);
begin
  for patch in
    select * from (values
      ('  shared record;
', '  shared record;
  queued text[];
'),
      ('      insert into public.folder_members (folder_id, email, role, group_id)
', '      queued := array(select n.mailbox from private.share_notifications n where n.folder_id = shared.folder_id);
      insert into public.folder_members (folder_id, email, role, group_id)
'),
      ('      on conflict do nothing;
', '      on conflict do nothing;
      -- They were there before and are not invited anew. What had not been sent still is.
      delete from private.share_notifications n
      where n.folder_id = shared.folder_id and n.sender_id = caller and n.queued_at = now() and n.mailbox <> all (queued);
')
    ) as p(before, after)
  loop
    if position(patch.before in definition) = 0 then
      raise exception 'public.restore_group is not as expected';
    end if;
    definition := replace(definition, patch.before, patch.after);
  end loop;
  execute definition;
end
$$;
