-- Internals that no API exposes. Nobody but their owner may look inside; the few functions that constraints and policies
-- call are granted one by one (a stored expression needs the right to execute, not the right to see the schema).
create schema private;
revoke all on schema private from public;

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

revoke all on function private.touch_updated_at(), private.refuse_identity_change(),
  private.are_share_emails(text[]) from public;
grant execute on function private.are_share_emails(text[]) to authenticated, service_role;
