-- Who ends and lists devices is a caller whose token may act; and all others are ended here too, so that the pages that are open there
-- are told by the database and by nobody else.

-- As before, and none of an account that is closed, banned or deleted.
create or replace function private.caller_session() returns uuid
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
revoke all on function public.end_other_devices() from public, anon, authenticated, service_role;
grant execute on function public.end_other_devices() to authenticated;
