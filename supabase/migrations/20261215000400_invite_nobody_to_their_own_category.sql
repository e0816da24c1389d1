-- Who took a folder over and had a category back from its bin that had been shared with them was their own guest.

do $$
declare
  before constant text := '    update private.deleted_rows r
    set deletion_id = opened,';
  definition text := pg_catalog.pg_get_functiondef('private.hand_over_bin(uuid, uuid[], uuid, uuid)'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'private.hand_over_bin is not as expected';
  end if;
  execute replace(definition, before, $new$    delete from private.deleted_rows r using auth.users u
    where u.id = taker and r.deletion_id = given.id and r.kind = 'share' and r.id = any (given.ids) and r.content ->> 'email' = lower(u.email);
$new$ || before);
end
$$;
