-- An answer of an address that its owner has left meanwhile says nothing of the new one: a late 410 turned off a webhook that had just
-- been moved. The server passes on where it sent to; an older copy, which calls with five, is taken at its word.
drop function private.note_webhook_delivery(uuid, text, integer, integer, integer);

create function private.note_webhook_delivery(
  delivery_id uuid,
  outcome text,
  status integer default null,
  milliseconds integer default null,
  retry_after_seconds integer default null,
  sent_to text default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_variable
declare
  moment constant timestamptz := clock_timestamp();
  wished constant interval := make_interval(secs => least(greatest(coalesce(retry_after_seconds, 0), 0), 3600));
  hook private.webhooks;
  sent private.webhook_deliveries;
  gate timestamptz;
  is_left boolean;
begin
  select w.* into hook from private.webhooks w
  where w.id = (select d.webhook_id from private.webhook_deliveries d where d.id = delivery_id) for no key update;
  if not found then
    return true;
  end if;
  is_left := coalesce(sent_to <> hook.url, false);
  if outcome = 'delivered' then
    -- A fifth of a second between two: what a person does must not become a flood at somebody's door.
    gate := moment + interval '200 ms';
    update private.webhooks w set failures = 0, failing_since = null where w.id = hook.id;
    if hook.failures > 4 then
      update private.webhook_deliveries d set due_at = moment where d.webhook_id = hook.id and d.state = 'waiting';
    end if;
  else
    gate := moment + greatest(private.webhook_pause(hook.failures + 1), wished);
    update private.webhooks w set failures = w.failures + 1, failing_since = coalesce(w.failing_since, moment)
    where w.id = hook.id and not is_left;
  end if;
  update private.webhook_deliveries d set
    state = case when outcome = 'delivered' then 'delivered' when d.give_up_at <= moment then 'failed' else 'waiting' end,
    attempts = d.attempts + 1,
    due_at = case when d.attempts + 1 < 4 then gate else gate + private.webhook_pause(d.attempts + 1) end,
    attempted_at = moment, outcome = note_webhook_delivery.outcome, status = note_webhook_delivery.status,
    milliseconds = note_webhook_delivery.milliseconds
  where d.id = delivery_id and d.state = 'waiting'
  returning d.* into sent;
  update private.webhooks w set rest_until = gate, due_at = coalesce(
    (select greatest(gate, d.due_at) from private.webhook_deliveries d
     where d.webhook_id = hook.id and d.state = 'waiting' order by d.due_at limit 1),
    'infinity'
  ) where w.id = hook.id;
  if hook.off_at is not null or hook.deleted_at is not null then
    return true;
  elsif outcome <> 'delivered' and status = 410 and not is_left then
    -- The receiver says that it is no more (Standard Webhooks).
    perform private.turn_webhook_off(hook.id, 'gone');
    return true;
  elsif outcome <> 'delivered' and hook.failing_since <= moment - interval '3 days' then
    perform private.turn_webhook_off(hook.id, 'failing');
    return true;
  end if;
  return false;
end
$$;
revoke all on function private.note_webhook_delivery(uuid, text, integer, integer, integer, text) from public;
grant execute on function private.note_webhook_delivery(uuid, text, integer, integer, integer, text) to service_role;
