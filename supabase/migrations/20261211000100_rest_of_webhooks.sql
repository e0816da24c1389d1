-- One event that a receiver refuses holds up no other (docs/decisions/0108): until now what happened after it had been left waiting
-- alone waited for its next attempt, up to six hours. When a receiver may be asked again is one moment, when the next of its events is
-- due another; what happens meanwhile is due as soon as the receiver may be asked.
alter table private.webhooks add column rest_until timestamptz not null default '-infinity';
update private.webhooks w set rest_until = w.due_at where w.failures > 0 and w.due_at <> 'infinity';

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('private.claim_webhook_deliveries(integer)',
        $before$set due_at = now() + interval '1 minute' from due$before$,
        $after$set due_at = now() + interval '1 minute', rest_until = now() + interval '1 minute' from due$after$),
      ('private.note_webhook_delivery(uuid, text, integer, integer, integer)',
        'update private.webhooks w set due_at = coalesce(',
        'update private.webhooks w set rest_until = gate, due_at = coalesce('),
      ('private.wake_webhook(uuid)',
        'set failures = 0, failing_since = null,',
        'set failures = 0, failing_since = null, rest_until = now(),'),
      ('private.queue_webhook_event(uuid, text, text, jsonb, uuid)', 'select w.id, w.due_at from', 'select w.id from'),
      ('private.queue_webhook_event(uuid, text, text, jsonb, uuid)',
        $before$    if hook.due_at = 'infinity' then
      update private.webhooks w set due_at = now() where w.id = hook.id;
    end if;$before$,
        $after$    update private.webhooks w set due_at = greatest(w.rest_until, now())
    where w.id = hook.id and w.due_at > greatest(w.rest_until, now());$after$),
      ('public.resend_webhook_delivery(uuid)',
        $before$  update private.webhooks w set due_at = now()
  where w.id = hook.id and (hook.due_at = 'infinity' or hook.failures > 0);$before$,
        $after$  update private.webhooks w
  set due_at = case when hook.failures > 0 then now() else least(w.due_at, greatest(w.rest_until, now())) end
  where w.id = hook.id;$after$)
    ) as t(name, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.name;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
