-- Internals that no API exposes. Nobody but their owner may look inside; the few functions that constraints and policies
-- call are granted one by one (a stored expression needs the right to execute, not the right to see the schema).
create schema private;
revoke all on schema private from public;

-- A subscriber to changes is told of a deletion only if they could see the row, and a deleted row can no longer be read: its policy
-- is evaluated on the old values, by a query of the subscriber's own role. A stored policy may call a function by the right to
-- execute it alone, a query must see the schema as well. Nothing but the schema opens: tables and functions keep the rights
-- that were given one by one (supabase/tests holds the list).
grant usage on schema private to authenticated;
grant usage on schema private to service_role;

create function private.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

-- A row keeps its id, its owner and its birth for life. The counters and the search index rely on it, and the table API may
-- therefore let an upsert name these columns.
create function private.refuse_identity_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = 'insufficient_privilege',
    message = format('id, user_id and created_at of table "%s" cannot change', tg_table_name);
end
$$;

-- No row is dated before 1970 or after tomorrow: '-infinity' and the year 294276 are dates for Postgres and for nobody who reads them.
-- People write no date themselves (no column of one is granted but updated_at, which a trigger sets); what they import carries some.
-- Set right and not refused: what comes back from the trash must not be lost for its date.
create function private.bound_dates() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.created_at := greatest(least(new.created_at, now()), '1970-01-01 00:00:00+00');
  new.updated_at := greatest(least(new.updated_at, now()), '1970-01-01 00:00:00+00');
  return new;
end
$$;

-- Same shape as the screens' check: something, an at sign, a domain with a dot; already lower case. Self-contained: a
-- constraint runs as the caller, who may execute this function but not look up another in this schema.
create function private.are_share_emails(emails text[]) returns boolean
  language sql immutable
  set search_path = ''
as $$
  select coalesce(bool_and(
    email is not null and email = lower(email) and char_length(email) <= 254
    and email ~ '^[^[:space:]@,;<>"]+@[^[:space:]@,;<>".]+(\.[^[:space:]@,;<>".]+)+$'
  ), true)
  from unnest(emails) as email
$$;

-- Bounds that no person meets and that keep one account from filling an installation: 'sem limite' of a plan means these.
-- Twin of packages/domain/src/limits.ts; a test compares the two. Asked with a constant, the answer is folded into the plan
-- of the statement that asks, so a bound costs no look at a table.
create function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'invitations' then 10000
    when 'undo_rows' then 100000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

-- The refusal, in words. 42501 is the one code whose message the storage service passes on.
create function private.refuse_beyond(what text, code text default 'P0001') returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = code,
    message = format(
      case what
        when 'folders' then 'Limite de %s pastas atingido'
        when 'categories' then 'Limite de %s categorias atingido'
        when 'links' then 'Limite de %s links atingido'
        when 'invitations' then 'Limite de %s endereços convidados atingido'
        when 'import_parts' then 'Limite de %s partes importadas em um dia atingido'
        when 'files' then 'Limite de %s arquivos atingido'
        when 'file_name_bytes' then 'O nome de um arquivo tem no máximo %s bytes'
        when 'file_note_bytes' then 'As anotações de um arquivo têm no máximo %s bytes'
      end,
      replace(to_char(private.most(what), 'FM9,999,999'), ',', '.')
    ),
    detail = json_build_object('max', private.most(what))::text,
    hint = 'bound_' || what;
end
$$;

revoke all on function private.touch_updated_at(), private.refuse_identity_change(), private.bound_dates(),
  private.are_share_emails(text[]), private.most(text), private.refuse_beyond(text, text) from public;
grant execute on function private.are_share_emails(text[]) to authenticated, service_role;
