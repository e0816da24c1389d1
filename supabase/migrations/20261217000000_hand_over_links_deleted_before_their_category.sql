-- A link that had been deleted before its category stayed in the old owner's bin when the folder changed hands.

do $$
declare
  same constant text := 'select from private.deleted_rows k where k.deletion_id = d.id and k.kind = ''category'' and k.id = l.parent_id and k.parent_id = $1';
  definition text := pg_catalog.pg_get_functiondef('private.hand_over_bin(uuid, uuid[], uuid, uuid)'::regprocedure);
begin
  if position(same in definition) = 0 then
    raise exception 'private.hand_over_bin is not as expected';
  end if;
  execute replace(definition, same, $new$select from private.deleted_rows k join private.deletions o on o.id = k.deletion_id
          where o.user_id = giver and k.kind = 'category' and k.id = l.parent_id and k.parent_id = $1$new$);
end
$$;
