-- What a hosted project's realtime service owns (supabase/realtime, tenant migrations): the table through which broadcasts are
-- sent from SQL and whose policies say who may use a private channel, its functions, and the publication that carries it.

create schema if not exists realtime authorization supabase_realtime_admin;

set local role supabase_realtime_admin;

grant usage on schema realtime to anon, authenticated, service_role;

create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  -- Universal time, whatever the session's zone: the partitions are its days.
  updated_at timestamp not null default (now() at time zone 'utc'),
  inserted_at timestamp not null default (now() at time zone 'utc'),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  constraint messages_pkey primary key (id, inserted_at),
  constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);

create index messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private is true;

-- Takes what is sent on a day without a partition of its own: the server was off for days, and somebody writes with psql.
create table realtime.messages_default partition of realtime.messages default;

alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- Makes the partitions of today and the days ahead, drops those that are older than what may be replayed. Every copy of the
-- server calls it; one works at a time. A day whose rows lie in the default partition already stays there.
create function realtime.maintain_message_partitions(days_ahead integer default 3, days_kept integer default 3)
  returns void
  language plpgsql
  set search_path = ''
  -- Whoever holds the table for long is not worth waiting for: there are days to try again.
  set lock_timeout = '2s'
as $$
declare
  today date := (now() at time zone 'utc')::date;
  day date;
  partition_name text;
begin
  if not pg_try_advisory_xact_lock(7811896436361291108) then
    return;
  end if;
  for day in select today + n from generate_series(0, days_ahead) as n loop
    partition_name := 'messages_' || to_char(day, 'YYYY_MM_DD');
    if to_regclass('realtime.' || partition_name) is null
      and not exists (select from realtime.messages_default m where m.inserted_at >= day and m.inserted_at < day + 1)
    then
      -- Attaching locks out nobody who sends or reads; creating it as a partition would.
      execute format('create table realtime.%I (like realtime.messages including all)', partition_name);
      execute format('alter table realtime.messages attach partition realtime.%I for values from (%L) to (%L)',
        partition_name, day, day + 1);
    end if;
  end loop;
  for partition_name in
    select c.relname
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'realtime.messages'::regclass
      and c.relname ~ '^messages_\d{4}_\d\d_\d\d$'
      and c.relname < 'messages_' || to_char(today - days_kept, 'YYYY_MM_DD')
  loop
    execute format('drop table realtime.%I', partition_name);
  end loop;
  delete from realtime.messages_default where inserted_at < today - days_kept;
end
$$;
revoke execute on function realtime.maintain_message_partitions(integer, integer) from public;

create function realtime.topic() returns text
  language sql stable
as $$
  select nullif(current_setting('realtime.topic', true), '')::text
$$;

-- Broadcasts what it is given. Whoever calls it needs the right to insert (a policy of realtime.messages, or a security definer
-- trigger). What cannot be sent is a warning: a message never costs anybody their transaction.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql
as $$
declare
  message_id uuid := gen_random_uuid();
  topic_before text := coalesce(current_setting('realtime.topic', true), '');
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, topic, extension, event, private, payload)
  values (message_id, topic, 'broadcast', event, private,
    case
      when jsonb_typeof(payload) = 'object' and not payload ? 'id' then payload || jsonb_build_object('id', message_id)
      else payload
    end);
  perform set_config('realtime.topic', topic_before, true);
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- The same with bytes.
create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language plpgsql
as $$
declare
  topic_before text := coalesce(current_setting('realtime.topic', true), '');
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (topic, extension, event, private, binary_payload)
  values (topic, 'broadcast', event, private, payload);
  perform set_config('realtime.topic', topic_before, true);
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- For row triggers: broadcasts to a private topic what has become of a row. A wrong call is an error, as on the platform.
create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record,
  level text default 'ROW'
) returns void
  language plpgsql
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation is null or operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name);
exception
  when others then
    raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

-- Makes the rest of the transaction see the caller of a channel, as policies do.
create function realtime.become_caller(caller_role text, claims text, headers text, channel text) returns void
  language sql volatile
as $$
  select set_config('realtime.topic', channel, true), set_config('request.jwt.claims', claims, true),
    set_config('request.jwt.claim.sub', coalesce(claims::jsonb ->> 'sub', ''), true),
    set_config('request.jwt.claim.role', caller_role, true), set_config('request.headers', headers, true),
    set_config('role', caller_role, true)
$$;

-- Which extensions of a private channel a caller may hear: of two rows that only its owner could write, those that the caller
-- sees. The inner block ends in an exception of its own, so rows, settings and role are gone again when it is left.
-- Errors of policies reach the server, which refuses.
create function realtime.readable_extensions(caller_role text, claims text, headers text, channel text) returns text[]
  language plpgsql
as $$
declare
  probes uuid[] := array[gen_random_uuid(), gen_random_uuid()];
  readable text[];
begin
  -- Nothing is kept, so nothing has to reach the disk.
  perform set_config('synchronous_commit', 'off', true);
  begin
    insert into realtime.messages (id, topic, extension)
    values (probes[1], channel, 'broadcast'), (probes[2], channel, 'presence');
    perform realtime.become_caller(caller_role, claims, headers, channel);
    readable := array(
      select m.extension from realtime.messages m
      where m.id = any (probes) and m.inserted_at = (now() at time zone 'utc')
    );
    raise exception using errcode = 'LKUND';
  exception
    when sqlstate 'LKUND' then
      return readable;
  end;
end
$$;

-- Whether a caller may send to a private channel: whether they could insert the row.
create function realtime.is_writable(caller_role text, claims text, headers text, channel text, wanted text) returns boolean
  language plpgsql
as $$
declare
  inserted boolean := false;
begin
  perform set_config('synchronous_commit', 'off', true);
  begin
    perform realtime.become_caller(caller_role, claims, headers, channel);
    insert into realtime.messages (topic, extension) values (channel, wanted);
    inserted := true;
    raise exception using errcode = 'LKUND';
  exception
    when sqlstate 'LKUND' or insufficient_privilege then
      return inserted;
  end;
end
$$;

revoke execute on function realtime.become_caller(text, text, text, text),
  realtime.readable_extensions(text, text, text, text), realtime.is_writable(text, text, text, text, text) from public;

-- Where nobody could give service_role bypassrls (0001), a policy carries it past the others'.
do $$
begin
  if not (select rolbypassrls from pg_catalog.pg_roles where rolname = 'service_role') then
    create policy messages_all_for_service on realtime.messages to service_role using (true) with check (true);
  end if;
end
$$;

select realtime.maintain_message_partitions();

reset role;

-- Rows travel under the name of the table, not of the day's partition.
create publication supabase_realtime_messages_publication for table realtime.messages
  with (publish = 'insert', publish_via_partition_root = true);
