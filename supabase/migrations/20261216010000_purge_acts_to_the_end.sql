-- The purge of the history stopped with the changes of categories, while acts of programs were left that are as old.

do $$
declare
  ending constant text := '  return purged;
';
  definition text := pg_catalog.pg_get_functiondef('private.purge_category_changes(integer)'::regprocedure);
begin
  if position(ending in definition) = 0 then
    raise exception 'private.purge_category_changes is not as expected';
  end if;
  execute replace(definition, ending, $new$  -- Whoever purges in parts goes on while there is more of either.
  return case
    when exists (select from private.program_acts a where a.started_at < now() - interval '30 days') then at_most else purged
  end;
$new$);
end
$$;
