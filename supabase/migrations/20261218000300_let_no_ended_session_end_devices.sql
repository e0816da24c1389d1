-- A session that a stolen token had ended while its call waited still ended the other devices: its row stays, and its end was compared with the
-- moment at which the call had begun.

do $$
declare
  definition text := pg_catalog.pg_get_functiondef('private.caller_session()'::regprocedure);
begin
  if position('s.not_after > now()' in definition) = 0 then
    raise exception 'private.caller_session() is not as expected';
  end if;
  execute replace(definition, 's.not_after > now()', 's.not_after > clock_timestamp()');
end
$$;
