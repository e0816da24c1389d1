-- A device that was ended while it waited for its account still ended the others, and their owner's change of number. One that was gone before
-- ended what this device had begun.

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('public.end_other_devices()', '  perform private.end_pending_changes((select auth.uid()));
', '  perform private.end_pending_changes((select auth.uid()));
  -- Asked again: whoever held the account may have ended the session that asks.
  if private.caller_session() is null then
    raise exception using errcode = ''PT401'', message = ''Sua sessão terminou. Entre de novo.'';
  end if;
'),
      ('public.end_device(uuid)', '  if $1 is distinct from private.caller_session() then
    perform private.end_pending_changes((select auth.uid()));
', '  if $1 is distinct from private.caller_session()
    and exists (select from auth.sessions s where s.id = $1 and s.user_id = (select auth.uid()))
  then
    perform private.end_pending_changes((select auth.uid()));
    -- Asked again: whoever held the account may have ended the session that asks.
    if private.caller_session() is null then
      raise exception using errcode = ''PT401'', message = ''Sua sessão terminou. Entre de novo.'';
    end if;
')
    ) as p(name, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.name;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
