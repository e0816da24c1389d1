-- Who asks for another secret and loses the answer asks again: then the secret that nobody saw was the old one, and the one that the
-- receiver has signed no more at once. The one before the old one signs for its day, too.
alter table private.webhooks
  add column older_secret bytea,
  add column older_secret_until timestamptz;

create or replace function private.claim_webhook_deliveries(max_deliveries integer default 16)
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
      update private.webhooks w set due_at = now() + interval '1 minute', rest_until = now() + interval '1 minute' from due where w.id = due.id
      returning w.id, w.url, array_remove(array[
        w.secret,
        case when w.old_secret_until > now() then w.old_secret end,
        case when w.older_secret_until > now() then w.older_secret end
      ], null) as secrets
    )
    select d.id, d.message_id, t.url, t.secrets, d.body
    from taken t cross join lateral (
      select d.* from private.webhook_deliveries d
      where d.webhook_id = t.id and d.state = 'waiting' and d.due_at <= now()
      order by d.number limit 1
    ) as d;
end
$$;

create or replace function public.rotate_webhook_secret(webhook_id uuid)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  hook constant private.webhooks := private.own_webhook(private.webhook_owner(), webhook_id);
  made text;
begin
  update private.webhooks w
  set older_secret = hook.old_secret, older_secret_until = hook.old_secret_until,
    old_secret = hook.secret, old_secret_until = now() + interval '1 day', secret = private.new_webhook_secret()
  where w.id = hook.id
  returning 'whsec_' || encode(w.secret, 'base64') into made;
  return made;
end
$$;
