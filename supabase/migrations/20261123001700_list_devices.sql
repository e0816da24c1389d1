-- Where an account is signed in, for its owner alone, and a way to end it there. A token outlives its session by up to an hour: whoever
-- was signed out learns nothing here any more, and ends nobody else.

-- The session that the caller's token belongs to, while it lasts; null without one, and for an account that is closed, banned or
-- deleted.
create function private.caller_session() returns uuid
  language sql stable
  security definer
  set search_path = ''
as $$
  select s.id
  from auth.sessions s
  where (select private.is_account_open())
    and s.user_id = (select auth.uid())
    and s.id::text = (select auth.jwt() ->> 'session_id')
    and (s.not_after is null or s.not_after > now())
$$;

-- The network that an address belongs to: enough to recognise a place by, too little to follow a person.
create function private.shorten_address(address inet) returns text
  language sql immutable
  set search_path = ''
as $$
  select case
    when address is null then null
    -- An IPv4 address as a dual-stack socket names it.
    when address << inet '::ffff:0:0/96'
      then network(set_masklen(replace(host(address), '::ffff:', '')::inet, 24))::text
    when family(address) = 4 then network(set_masklen(address, 24))::text
    else network(set_masklen(address, 48))::text
  end
$$;

-- The caller's sessions, the one that asks first, then those used last. Nothing for a session that has ended.
create function public.list_devices() returns table (
  session_id uuid,
  is_current boolean,
  signed_in_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  network text
)
  language sql stable
  security definer
  set search_path = ''
as $$
  select s.id,
    s.id = own.id,
    s.created_at,
    greatest(s.created_at, s.refreshed_at at time zone 'utc'),
    s.user_agent,
    private.shorten_address(s.ip)
  from (select private.caller_session() as id) as own
  join auth.sessions s on own.id is not null and s.user_id = (select auth.uid())
  where s.not_after is null or s.not_after > now()
  order by s.id = own.id desc, 4 desc, s.id
  limit 200
$$;

-- Ends one of the caller's sessions: it is not renewed any more, and the page that is open there is told to look (an event without
-- content on the private topic `session:{id}`). False when there is none: somebody else's and a missing one are the same.
create function public.end_device(session_id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if private.caller_session() is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  end if;
  delete from auth.sessions s where s.id = $1 and s.user_id = (select auth.uid());
  if not found then
    return false;
  end if;
  perform realtime.send('{}', 'ended', 'session:' || $1, true);
  return true;
end
$$;

-- Ends all of the caller's sessions but the one that asks. Returns how many.
create function public.end_other_devices() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  own constant uuid := private.caller_session();
  ended uuid[];
  session_id uuid;
begin
  if own is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  end if;
  with gone as (
    delete from auth.sessions s where s.user_id = (select auth.uid()) and s.id <> own returning s.id
  )
  select coalesce(array_agg(g.id), '{}') into ended from gone g;
  foreach session_id in array ended loop
    perform realtime.send('{}', 'ended', 'session:' || session_id, true);
  end loop;
  return cardinality(ended);
end
$$;

revoke all on function private.caller_session(), private.shorten_address(inet) from public;
revoke all on function public.list_devices(), public.end_device(uuid), public.end_other_devices()
  from public, anon, authenticated, service_role;
grant execute on function public.list_devices(), public.end_device(uuid), public.end_other_devices() to authenticated;
