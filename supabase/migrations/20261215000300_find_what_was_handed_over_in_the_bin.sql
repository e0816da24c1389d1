-- What the new owner of a folder had back from its bin was found by no search: it counted as known to zones that were the old owner's.

do $$
declare
  patch record;
  definition text := pg_catalog.pg_get_functiondef('private.hand_over_bin(uuid, uuid[], uuid, uuid)'::regprocedure);
begin
  for patch in
    select * from (values
      ('given.deleted_at, 0, 0, given.zones_until,', 'given.deleted_at, 0, 0, ''-infinity'','),
      (
        'do update set purge_after = excluded.purge_after
',
        'do update set purge_after = excluded.purge_after, zones_until = excluded.zones_until
'
      )
    ) as patches(before, after)
  loop
    if position(patch.before in definition) = 0 then
      raise exception 'private.hand_over_bin is not as expected';
    end if;
    definition := replace(definition, patch.before, patch.after);
  end loop;
  execute definition;
end
$$;
