-- A server with open channels asks again and again about all who listen. Asking private.is_account_open for each would take it a second
-- for ten thousand; this sifts out, in one pass, the few that are worth asking about.

-- The places in the lists, from 1 on, of tokens that may not be good any more: whatever ends a token shows here. A token without a
-- session has null in its place.
create function private.sift_tokens(user_ids uuid[], session_ids uuid[]) returns setof bigint
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
$$;
revoke all on function private.sift_tokens(uuid[], uuid[]) from public;
grant execute on function private.sift_tokens(uuid[], uuid[]) to authenticated;
