-- An access token lives on for up to an hour after its session was ended, and after its account was banned or deleted. It acts no more:
-- whatever asks whether the account is open (20261121102521) asks for these as well.

-- Asked once a statement, so it is one query by primary keys. Parsing the claims would cost more than that: a server that has read them
-- already says who asks in settings of their own, as auth.uid() knows them; elsewhere the claims are parsed. A token that names no
-- session was signed by an operator and is good for whomever it names; a session goes with its account.
create or replace function private.is_account_open() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), auth.jwt() ->> 'sub');
  session uuid := nullif(current_setting('request.jwt.claim.session_id', true), '');
  claimed text;
begin
  if session is null then
    claimed := nullif(auth.jwt() ->> 'session_id', '');
    session := case
      when claimed ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then claimed
      -- No session has an id like this, or that one.
      when claimed is not null then '00000000-0000-0000-0000-000000000000'
    end;
  end if;
  return caller is null or (session is null or exists (
    select from auth.sessions s
    where s.id = session and s.user_id = caller and (s.not_after is null or s.not_after > now())
  )) and not exists (
    select from auth.users u where u.id = caller and (u.deleted_at is not null or u.banned_until > now())
  ) and not exists (
    select from private.account_closures c
    where c.user_id = caller and (
      c.reopened_at is null or coalesce((auth.jwt() ->> 'iat')::numeric, 0) < floor(extract(epoch from c.reopened_at))
    )
  );
end
$$;
