-- An access token lives on for up to an hour after its session was ended, and after its account was banned or deleted. It acts no more:
-- whatever asks whether the account is open (20261121102521) asks for these as well.

-- Asked once a statement, so it is one query by primary keys, and the claims are parsed once (auth.uid() would parse them again, which
-- costs as much as all the rest). A token that names no session was signed by an operator and is good for whomever it names; a session
-- goes with its account.
create or replace function private.is_account_open() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  claims constant jsonb := auth.jwt();
  caller constant uuid := coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), claims ->> 'sub');
  session constant text := nullif(claims ->> 'session_id', '');
begin
  return caller is null or not exists (
    select from auth.users u where u.id = caller and (u.deleted_at is not null or u.banned_until > now())
  ) and (session is null or exists (
    select from auth.sessions s
    where s.id = case when session ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then session::uuid end
      and s.user_id = caller and (s.not_after is null or s.not_after > now())
  )) and not exists (
    select from private.account_closures c
    where c.user_id = caller and (
      c.reopened_at is null or coalesce((claims ->> 'iat')::numeric, 0) < floor(extract(epoch from c.reopened_at))
    )
  );
end
$$;
