-- A session keeps the last hundred of its exchanged refresh tokens, by which a thief is recognised: whoever exchanges in a loop leaves
-- no more than these. What is older is unknown then, and refused like any unknown token.

set local role supabase_auth_admin;

create function auth.forget_old_refresh_tokens() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from auth.refresh_tokens t
  where t.session_id = new.session_id and t.revoked and t.id < (
    select o.id from auth.refresh_tokens o
    where o.session_id = new.session_id and o.revoked
    order by o.id desc
    offset 99 limit 1
  );
  return null;
end
$$;
revoke all on function auth.forget_old_refresh_tokens() from public;
create trigger refresh_tokens_forget_old after insert on auth.refresh_tokens
  for each row execute function auth.forget_old_refresh_tokens();

reset role;
