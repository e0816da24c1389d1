-- What was deleted comes back also where the plan has become smaller meanwhile: to as many as there were, and to no more.

alter table private.webhooks add column places integer not null default 0;
comment on column private.webhooks.places is 'How many its owner had when it was deleted, this one included.';

create or replace function public.delete_webhook(webhook_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.webhook_owner();
  hook private.webhooks;
begin
  -- As private.take_webhook_place: two that are deleted at once are counted one after the other.
  perform from public.library_counts n where n.user_id = caller for no key update;
  hook := private.own_webhook(caller, webhook_id);
  update private.webhooks w
  set deleted_at = now(),
    places = (select count(*) from private.webhooks o where o.user_id = caller and o.deleted_at is null)
  where w.id = hook.id;
end
$$;

create or replace function public.restore_webhook(webhook_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.webhook_owner();
  recent constant timestamptz := now() - interval '1 hour';
  had integer;
begin
  perform from public.library_counts n where n.user_id = caller for no key update;
  if (select count(*) from private.webhooks w where w.user_id = caller and w.deleted_at is null)
    >= coalesce((select max(w.places) from private.webhooks w where w.user_id = caller and w.deleted_at > recent), 0)
  then
    perform private.take_webhook_place(caller);
  end if;
  update private.webhooks w set deleted_at = null
  where w.id = webhook_id and w.user_id = caller and w.deleted_at > recent
  returning w.places into had;
  if not found then
    raise exception using errcode = 'PT404', message = 'Webhook não encontrado';
  end if;
  -- Those that were deleted after it may follow.
  update private.webhooks w set places = had
  where w.user_id = caller and w.deleted_at > recent and w.places < had;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$$;
