-- Webhooks: addresses of a person's own that are told of what changes in their library, signed as Standard Webhooks says. What is to be sent is
-- a row, written in the transaction of the change. Only the person makes, reads or changes any of it, no program that acts for them.

-- Twin of `maxWebhooks` in packages/domain/src/plans.ts.
alter table private.plan_limits add column max_webhooks integer not null default 0;
update private.plan_limits set max_webhooks = case plan when 'free' then 1 when 'plus' then 5 else 20 end;

-- https, a name of the internet, its own port: nothing that could lead inside by the letters alone. Where the name leads is judged at each delivery.
create function private.is_webhook_url(url text) returns boolean
  language sql immutable parallel safe
  set search_path = ''
as $$
  select char_length(url) <= 500
    and url ~ '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:443)?(/[!-"$-~]*)?$'
    and url !~ '^https://[^/:]*\.(alt|corp|home|home\.arpa|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)(:443)?(/|$)'
$$;

create function private.are_webhook_events(events text[]) returns boolean
  language sql immutable parallel safe
  set search_path = ''
as $$
  select events is not null and array_position(events, null) is null and cardinality(events) between 1 and 4
    and events <@ '{link.created,link.updated,link.deleted,category.shared}'
$$;

-- 32 bytes of a hash of 244 random bits.
create function private.new_webhook_secret() returns bytea
  language sql volatile
  set search_path = ''
as $$ select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) $$;

create table private.webhooks (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  url text not null,
  events text[] not null,
  -- Kept as it is, since it signs. Nobody reads it again.
  secret bytea not null default private.new_webhook_secret(),
  -- The one before signs as well for a day, so that a receiver can change over.
  old_secret bytea,
  old_secret_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  off_at timestamptz,
  off_reason text,
  -- Deleted, and to be had back for an hour.
  deleted_at timestamptz,
  -- Attempts that failed since one succeeded, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  -- When the next attempt may be made; never, where nothing waits. While one is under way, when it is given up and made again.
  due_at timestamptz not null default 'infinity',
  constraint webhooks_pkey primary key (id),
  constraint webhooks_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint webhooks_url_is_public check (private.is_webhook_url(url)),
  constraint webhooks_events_known check (private.are_webhook_events(events)),
  constraint webhooks_off_reason_known check (off_reason in ('owner', 'failing', 'gone', 'full')),
  constraint webhooks_off_for_a_reason check ((off_at is null) = (off_reason is null))
);
create index webhooks_of_user on private.webhooks (user_id);
create index webhooks_due on private.webhooks (due_at) where off_at is null and deleted_at is null;

-- What is sent to one of them: an event, and what became of it. The body is kept to the letter, since it is signed.
create table private.webhook_deliveries (
  id uuid not null default gen_random_uuid(),
  -- The order of sending, and of the log.
  number bigint generated always as identity,
  webhook_id uuid not null,
  -- Of the event: the same for each attempt, each webhook and when it is sent again.
  message_id text not null,
  type text not null,
  body text not null,
  -- For the log: what it is about.
  subject text,
  created_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting',
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  give_up_at timestamptz not null default now() + interval '3 days',
  attempted_at timestamptz,
  outcome text,
  status smallint,
  milliseconds integer,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_webhook foreign key (webhook_id) references private.webhooks (id) on delete cascade,
  constraint webhook_deliveries_state_known check (state in ('waiting', 'delivered', 'failed')),
  constraint webhook_deliveries_outcome_known check (outcome in ('delivered', 'refused', 'unreachable', 'timeout'))
);
create index webhook_deliveries_log on private.webhook_deliveries (webhook_id, number);
create index webhook_deliveries_waiting on private.webhook_deliveries (webhook_id, number) where state = 'waiting';
create index webhook_deliveries_by_age on private.webhook_deliveries (created_at);

alter table private.webhooks enable row level security;
alter table private.webhook_deliveries enable row level security;
revoke all on private.webhooks, private.webhook_deliveries from public, anon, authenticated, service_role;

-- The caller, or a refusal.
create function private.webhook_owner() returns uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  return caller;
end
$$;

-- The caller's webhook, locked. Somebody else's answers like one that does not exist.
create function private.own_webhook(caller uuid, webhook_id uuid) returns private.webhooks
  language plpgsql
  set search_path = ''
as $$
declare
  found_hook private.webhooks;
begin
  select w.* into found_hook from private.webhooks w
  where w.id = webhook_id and w.user_id = caller and w.deleted_at is null
  for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Webhook não encontrado';
  end if;
  return found_hook;
end
$$;

create function private.check_webhook(url text, events text[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if private.is_webhook_url(url) is not true then
    raise exception using errcode = 'PT400', message = 'Use um endereço público que comece com https://';
  elsif not private.are_webhook_events(events) then
    raise exception using errcode = 'PT400', message = 'Marque pelo menos um evento';
  end if;
end
$$;

-- Those that a plan leaves room for: counted while the person's counters are held, so that two at once are counted one after the other.
create function private.take_webhook_place(caller uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  allowed integer;
begin
  perform from public.library_counts n where n.user_id = caller for no key update;
  select l.max_webhooks into allowed
  from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = caller;
  if (select count(*) from private.webhooks w where w.user_id = caller and w.deleted_at is null) >= allowed then
    raise exception using errcode = 'PT409', message = case allowed
      when 1 then 'Seu plano tem 1 webhook. Exclua o que você tem ou mude de plano.'
      else format('Seu plano tem até %s webhooks. Exclua um que não usa mais.', allowed) end;
  end if;
end
$$;

-- The person's webhooks, the oldest first, without their secrets.
create function public.list_webhooks() returns table (
  id uuid,
  url text,
  events text[],
  created_at timestamptz,
  off_at timestamptz,
  off_reason text,
  failing_since timestamptz,
  waiting bigint,
  delivered_at timestamptz
)
  language sql stable
  security definer
  set search_path = ''
as $$
  select w.id, w.url, w.events, w.created_at, w.off_at, w.off_reason, w.failing_since,
    (select count(*) from private.webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting'),
    (select d.attempted_at from private.webhook_deliveries d
     where d.webhook_id = w.id and d.state = 'delivered' order by d.number desc limit 1)
  from private.webhooks w
  where w.user_id = private.caller_id() and w.deleted_at is null
  order by w.created_at, w.id
$$;

-- Makes a webhook. Its secret is told here, and never again.
create function public.create_webhook(url text, events text[]) returns table (id uuid, secret text)
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller constant uuid := private.webhook_owner();
begin
  perform private.check_webhook($1, $2);
  perform private.take_webhook_place(caller);
  return query
    insert into private.webhooks as w (user_id, url, events) values (caller, $1, $2)
    returning w.id, 'whsec_' || encode(w.secret, 'base64');
end
$$;

-- Changes address and events, and turns it on or off. Turned on, it goes on with what waits.
create function public.change_webhook(webhook_id uuid, url text, events text[], enabled boolean) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  hook constant private.webhooks := private.own_webhook(private.webhook_owner(), webhook_id);
begin
  perform private.check_webhook($2, $3);
  update private.webhooks w set
    url = $2, events = $3,
    off_at = case when enabled then null else coalesce(hook.off_at, now()) end,
    off_reason = case when enabled then null else coalesce(hook.off_reason, 'owner') end
  where w.id = hook.id;
  -- Another receiver, or the same one mended: what failed before says nothing of it.
  if enabled and (hook.off_at is not null or hook.url <> $2) then
    perform private.wake_webhook(hook.id);
  end if;
end
$$;

-- Begins anew with what waits, all of it at once due.
create function private.wake_webhook(webhook_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  update private.webhook_deliveries d set due_at = now(), give_up_at = greatest(d.give_up_at, now() + interval '3 days')
  where d.webhook_id = $1 and d.state = 'waiting';
  update private.webhooks w set failures = 0, failing_since = null,
    due_at = case when exists (
      select from private.webhook_deliveries d where d.webhook_id = $1 and d.state = 'waiting'
    ) then now() else 'infinity' end
  where w.id = $1;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$$;

-- Another secret, told here and never again. The old one signs as well for a day.
create function public.rotate_webhook_secret(webhook_id uuid) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  hook constant private.webhooks := private.own_webhook(private.webhook_owner(), webhook_id);
  made text;
begin
  update private.webhooks w
  set old_secret = hook.secret, old_secret_until = now() + interval '1 day', secret = private.new_webhook_secret()
  where w.id = hook.id
  returning 'whsec_' || encode(w.secret, 'base64') into made;
  return made;
end
$$;

-- Deletes a webhook; for an hour it can be had back as it was. Nothing is sent meanwhile, and nothing is kept of what changes.
create function public.delete_webhook(webhook_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  hook constant private.webhooks := private.own_webhook(private.webhook_owner(), webhook_id);
begin
  update private.webhooks w set deleted_at = now() where w.id = hook.id;
end
$$;

create function public.restore_webhook(webhook_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.webhook_owner();
begin
  perform private.take_webhook_place(caller);
  update private.webhooks w set deleted_at = null
  where w.id = webhook_id and w.user_id = caller and w.deleted_at > now() - interval '1 hour';
  if not found then
    raise exception using errcode = 'PT404', message = 'Webhook não encontrado';
  end if;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$$;

-- An account that its owner deletes has none any more, whether or not they come back. One at rest keeps them, and sends nothing.
create function private.end_webhooks() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.webhooks w where w.user_id = new.user_id;
  return null;
end
$$;
create trigger account_closures_end_webhooks after insert or update on private.account_closures
  for each row when (new.reason = 'deletion' and new.reopened_at is null) execute function private.end_webhooks();

revoke all on function private.is_webhook_url(text), private.are_webhook_events(text[]), private.new_webhook_secret(), private.webhook_owner(),
  private.own_webhook(uuid, uuid), private.check_webhook(text, text[]), private.take_webhook_place(uuid), private.wake_webhook(uuid),
  private.end_webhooks() from public;
revoke all on function public.list_webhooks(), public.create_webhook(text, text[]), public.change_webhook(uuid, text, text[], boolean),
  public.rotate_webhook_secret(uuid), public.delete_webhook(uuid), public.restore_webhook(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.list_webhooks(), public.create_webhook(text, text[]), public.change_webhook(uuid, text, text[], boolean),
  public.rotate_webhook_secret(uuid), public.delete_webhook(uuid), public.restore_webhook(uuid) to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.list_webhooks() is 'The person''s webhooks. Nullable: off_at, off_reason, failing_since, delivered_at.';
