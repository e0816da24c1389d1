-- A person has two hundred sessions, as many as the list of their devices shows: whoever signs in beyond that ends the one that was used
-- longest ago. Sign-ins of one person come one after the other (each writes their row of auth.users), so none is overlooked.

set local role supabase_auth_admin;

create function auth.end_surplus_sessions() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions s
  where s.id in (
    select o.id from auth.sessions o
    where o.user_id = new.user_id
    order by o.id = new.id desc, greatest(o.created_at, o.refreshed_at at time zone 'utc') desc, o.id
    offset 200
  );
  return null;
end
$$;
revoke all on function auth.end_surplus_sessions() from public;
create trigger sessions_end_surplus after insert on auth.sessions
  for each row execute function auth.end_surplus_sessions();

reset role;
