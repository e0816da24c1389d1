-- A late failure of an address that its owner has left made the new one wait for up to an hour, or longer after many failures.

do $$
declare
  pause constant text := 'gate := moment + greatest(private.webhook_pause(hook.failures + 1), wished);';
  due constant text := 'due_at = case when d.attempts + 1 < 4 then gate';
  definition text := pg_catalog.pg_get_functiondef(
    'private.note_webhook_delivery(uuid, text, integer, integer, integer, text)'::regprocedure
  );
begin
  if position(pause in definition) = 0 or position(due in definition) = 0 then
    raise exception 'private.note_webhook_delivery is not as expected';
  end if;
  definition := replace(definition, pause, $new$gate := moment + case
      when is_left then interval '200 ms' else greatest(private.webhook_pause(hook.failures + 1), wished)
    end;$new$);
  execute replace(definition, due, 'due_at = case when is_left or d.attempts + 1 < 4 then gate');
end
$$;
