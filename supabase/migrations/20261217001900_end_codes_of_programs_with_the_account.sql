-- Deleting the account left the code that a program could still come for: its tokens were good again once the account came back.

do $$
declare
  before constant text := '  perform private.end_pending_changes(u.id) from unnest(user_ids) as u(id) order by u.id;
';
  definition constant text := pg_catalog.pg_get_functiondef('private.withdraw_accounts(uuid[],uuid)'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'private.withdraw_accounts is not as expected';
  end if;
  execute replace(definition, before, before || '  -- A program that was coming for its tokens held the account: its session is there to be ended.
  delete from auth.oauth_authorizations a where a.user_id = any (user_ids);
');
end
$$;
