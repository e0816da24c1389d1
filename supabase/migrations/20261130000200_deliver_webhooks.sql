-- Sending what waits for webhooks. Whoever sends takes deliveries, one of a webhook at a time, and notes what became of them; who is killed
-- meanwhile has given them up after a minute, and they are sent again: at least once, under the same id.

-- How long to wait after so many attempts that failed.
create function private.webhook_pause(failures integer) returns interval
  language sql immutable parallel safe
  set search_path = ''
as $$
  select (array['5 s', '30 s', '2 min', '10 min', '30 min', '1 h', '2 h', '4 h', '6 h'])[least(greatest(failures, 1), 9)]::interval
$$;

-- Takes what is due, of each webhook the first that waits: those that have waited longest come first, so that nobody's many hold others up.
create function private.claim_webhook_deliveries(max_deliveries integer default 16)
  returns table (delivery_id uuid, message_id text, url text, secrets bytea[], body text)
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  return query
    with due as (
      select w.id from private.webhooks w
      where w.due_at <= now() and w.off_at is null and w.deleted_at is null
        and not exists (select from private.account_closures c where c.user_id = w.user_id and c.reopened_at is null)
        and not exists (select from auth.users u where u.id = w.user_id and (u.deleted_at is not null or u.banned_until > now()))
      order by w.due_at
      limit least(greatest(coalesce(max_deliveries, 16), 1), 100)
      for no key update skip locked
    ), taken as (
      update private.webhooks w set due_at = now() + interval '1 minute' from due where w.id = due.id
      returning w.id, w.url, array_remove(array[w.secret, case when w.old_secret_until > now() then w.old_secret end], null) as secrets
    )
    select d.id, d.message_id, t.url, t.secrets, d.body
    from taken t cross join lateral (
      select d.* from private.webhook_deliveries d
      where d.webhook_id = t.id and d.state = 'waiting' and d.due_at <= now()
      order by d.number limit 1
    ) as d;
end
$$;

-- Notes what became of a delivery. What failed holds up what comes after it four times, then goes on alone: a receiver that does not like one
-- event gets the others, and one that is away gets everything in order when it is back. Returns whether the webhook is off now.
create function private.note_webhook_delivery(
  delivery_id uuid,
  outcome text,
  status integer default null,
  milliseconds integer default null,
  retry_after_seconds integer default null
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
begin
  select w.* into hook from private.webhooks w
  where w.id = (select d.webhook_id from private.webhook_deliveries d where d.id = delivery_id) for no key update;
  if not found then
    return true;
  end if;
  if outcome = 'delivered' then
    -- A fifth of a second between two: what a person does must not become a flood at somebody's door.
    gate := moment + interval '200 ms';
    update private.webhooks w set failures = 0, failing_since = null where w.id = hook.id;
    if hook.failures > 4 then
      update private.webhook_deliveries d set due_at = moment where d.webhook_id = hook.id and d.state = 'waiting';
    end if;
  else
    gate := moment + greatest(private.webhook_pause(hook.failures + 1), wished);
    update private.webhooks w set failures = w.failures + 1, failing_since = coalesce(w.failing_since, moment) where w.id = hook.id;
  end if;
  update private.webhook_deliveries d set
    state = case when outcome = 'delivered' then 'delivered' when d.give_up_at <= moment then 'failed' else 'waiting' end,
    attempts = d.attempts + 1,
    due_at = case when d.attempts + 1 < 4 then gate else gate + private.webhook_pause(d.attempts + 1) end,
    attempted_at = moment, outcome = note_webhook_delivery.outcome, status = note_webhook_delivery.status,
    milliseconds = note_webhook_delivery.milliseconds
  where d.id = delivery_id and d.state = 'waiting'
  returning d.* into sent;
  update private.webhooks w set due_at = coalesce(
    (select greatest(gate, d.due_at) from private.webhook_deliveries d
     where d.webhook_id = hook.id and d.state = 'waiting' order by d.due_at limit 1),
    'infinity'
  ) where w.id = hook.id;
  if hook.off_at is not null or hook.deleted_at is not null then
    return true;
  elsif outcome <> 'delivered' and status = 410 then
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

-- Sends a trial to a webhook, whatever events it has. Thirty an hour.
create function public.send_webhook_test(webhook_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.webhook_owner();
  hook constant private.webhooks := private.own_webhook(caller, webhook_id);
begin
  if hook.off_at is not null then
    raise exception using errcode = 'PT409', message = 'Este webhook está desligado. Ligue antes.';
  elsif (
    select count(*) from private.webhook_deliveries d
    where d.webhook_id = hook.id and d.type = 'webhook.test' and d.created_at > now() - interval '1 hour'
  ) >= 30 then
    raise exception using errcode = 'PT429', message = 'Muitos testes em uma hora. Espere um pouco.';
  end if;
  perform private.queue_webhook_event(caller, 'webhook.test', null, '{}', hook.id);
end
$$;

-- What was sent to a webhook in the last thirty days, or waits: the newest first, twenty at a time.
create function public.list_webhook_deliveries(webhook_id uuid, before bigint default null) returns table (
  id uuid,
  number bigint,
  type text,
  subject text,
  created_at timestamptz,
  state text,
  attempts integer,
  attempted_at timestamptz,
  outcome text,
  status integer,
  next_at timestamptz
)
  language sql stable
  security definer
  set search_path = ''
as $$
  select d.id, d.number, d.type, d.subject, d.created_at, d.state, d.attempts, d.attempted_at, d.outcome, d.status::integer,
    case when d.state = 'waiting' and w.off_at is null then greatest(d.due_at, w.due_at) end
  from private.webhooks w join private.webhook_deliveries d on d.webhook_id = w.id
  where w.id = $1 and w.user_id = private.caller_id() and w.deleted_at is null and (before is null or d.number < before)
    and (d.created_at > now() - interval '30 days' or d.state = 'waiting')
  order by d.number desc
  limit 20
$$;
comment on function public.list_webhook_deliveries(uuid, bigint)
  is 'The log of a webhook. Nullable: subject, attempted_at, outcome, status, next_at.';

-- Sends it once more, or at once what waits: the same body under the same id.
create function public.resend_webhook_delivery(delivery_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  hook constant private.webhooks := private.own_webhook(
    private.webhook_owner(), (select d.webhook_id from private.webhook_deliveries d where d.id = delivery_id)
  );
begin
  if hook.off_at is not null then
    raise exception using errcode = 'PT409', message = 'Este webhook está desligado. Ligue antes.';
  end if;
  update private.webhook_deliveries d
  set state = 'waiting', attempts = 0, due_at = now(), give_up_at = now() + interval '3 days'
  where d.id = delivery_id;
  -- One that is under way stays so: then this one is next.
  update private.webhooks w set due_at = now()
  where w.id = hook.id and (hook.due_at = 'infinity' or hook.failures > 0);
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$$;

-- Deletes for good what is older than thirty days, what is more than a thousand of a webhook, and webhooks whose hour is over: a bounded part.
create function private.purge_webhooks(at_most integer default 10000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  purged integer;
begin
  delete from private.webhooks w where w.deleted_at < now() - interval '1 hour';
  delete from private.webhook_deliveries d where d.id = any (array(
    select o.id from (
      select x.id, x.state, x.created_at, row_number() over (partition by x.webhook_id order by x.number desc) as place
      from private.webhook_deliveries x
    ) as o
    where o.created_at < now() - interval '30 days' or (o.state <> 'waiting' and o.place > 1000)
    limit at_most
  ));
  get diagnostics purged = row_count;
  return purged;
end
$$;

-- A mail tells whose webhook was turned off, while it is.
alter table private.account_mails drop constraint account_mails_kind_known;
alter table private.account_mails add constraint account_mails_kind_known
  check (kind in ('deleted', 'inactive_first', 'inactive_second', 'suspended', 'webhook_off'));

create or replace function private.is_account_mail_wanted(mail private.account_mails) returns boolean
  language sql stable
  set search_path = ''
as $$
  select case
    when mail.kind in ('deleted', 'suspended') then exists (
      select from private.account_closures c
      where c.user_id = mail.user_id and c.reopened_at is null and c.closed_at = mail.occasion
    )
    when mail.kind = 'webhook_off' then exists (
      select from private.webhooks w where w.user_id = mail.user_id and w.off_at = mail.occasion and w.deleted_at is null
    )
    else exists (
      select from private.account_activity a where a.user_id = mail.user_id and a.seen_at = mail.occasion
    )
  end
$$;

revoke all on function private.webhook_pause(integer), private.claim_webhook_deliveries(integer),
  private.note_webhook_delivery(uuid, text, integer, integer, integer), private.purge_webhooks(integer) from public;
revoke all on function public.send_webhook_test(uuid), public.list_webhook_deliveries(uuid, bigint), public.resend_webhook_delivery(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.send_webhook_test(uuid), public.list_webhook_deliveries(uuid, bigint), public.resend_webhook_delivery(uuid)
  to authenticated;
grant execute on function private.claim_webhook_deliveries(integer), private.note_webhook_delivery(uuid, text, integer, integer, integer),
  private.purge_webhooks(integer) to service_role;
