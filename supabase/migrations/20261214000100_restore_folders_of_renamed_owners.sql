-- Whoever took an address that a folder of theirs was shared with could not have the folder back from the bin, and could share no folder
-- with a group in which the address stood.

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      (
        'private.gate_folder_member()'::regprocedure,
        '  if caller = new.owner_id and new.email = lower(auth.email()) then',
        $new$  if caller = new.owner_id and new.email = lower(auth.email())
    -- A folder that is given back has the members that it had.
    and not exists (select from private.restorations r where r.user_id = new.owner_id)
  then$new$
      ),
      (
        'private.place_group_members()'::regprocedure,
        '    join private.group_members m on m.group_id = s.group_id
    order by s.folder_id, m.email',
        $new$    join private.group_members m on m.group_id = s.group_id and m.email is distinct from lower(auth.email())
    order by s.folder_id, m.email$new$
      )
    ) as patches(function, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.function);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.function;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
