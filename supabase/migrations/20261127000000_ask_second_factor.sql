-- Whoever has a second factor is who they say only once they have proven it. A token of a session that has not (`aal1`) is worth as little as
-- one whose session has ended, everywhere: tables, functions, files, channels. A token without a session was signed by an operator.
-- (What asks it of each statement is private.is_token_good, in 20261127001000_limit_programs.sql.)

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
