-- Whoever has a second factor is who they say only once they have proven it. A token of a session that has not (`aal1`) is worth as little as
-- one whose session has ended, everywhere: tables, functions, files, channels. A token without a session was signed by an operator.

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
  ) and not (
    -- In this order: almost nobody's claims have to be read for it.
    exists (select from auth.mfa_factors f where f.user_id = caller and f.status = 'verified')
    and session is not null and coalesce(auth.jwt() ->> 'aal', 'aal1') = 'aal1'
  );
end
$$;

-- Those whose claims have to be looked at: here what is claimed is not known.
create or replace function private.sift_tokens(user_ids uuid[], session_ids uuid[]) returns setof bigint
  language sql stable
  security definer
  set search_path = ''
as $$
  select t.place
  from unnest(user_ids, session_ids) with ordinality as t(user_id, session_id, place)
  left join auth.sessions s on s.id = t.session_id and s.user_id = t.user_id
  left join auth.users u on u.id = t.user_id
  left join private.account_closures c on c.user_id = t.user_id
  where t.session_id is not null and (s.id is null or s.not_after <= now())
    or u.deleted_at is not null or u.banned_until > now() or c.user_id is not null
    or exists (select from auth.mfa_factors f where f.user_id = t.user_id and f.status = 'verified')
$$;
