-- Signing the other devices out, or deleting the account, left a change of number and a link to a provider that somebody on one of them had
-- begun: neither needs a session to be finished.

create function private.end_pending_changes(person uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- One that is being begun holds the account: it is waited for, and ended as well.
  perform from auth.users u where u.id = $1 for no key update;
  update auth.users u set phone_change = '' where u.id = $1 and coalesce(u.phone_change, '') <> '';
  delete from auth.flow_state f
  where f.linking_target_id = $1 and f.authentication_method = 'oauth' and (f.user_id is null or f.user_id = $1);
end
$$;
comment on function private.end_pending_changes(uuid) is
  'Ends what whoever began it could finish without a session: a change of number, and a link to a provider.';
revoke all on function private.end_pending_changes(uuid) from public, anon, authenticated, service_role;

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('public.end_other_devices()', '  with gone as (
', '  perform private.end_pending_changes((select auth.uid()));
  with gone as (
'),
      ('public.end_device(uuid)', '  delete from auth.sessions s where', '  if $1 is distinct from private.caller_session() then
    perform private.end_pending_changes((select auth.uid()));
  end if;
  delete from auth.sessions s where'),
      ('private.withdraw_accounts(uuid[],uuid)', '  -- The pages that are open there', '  perform private.end_pending_changes(u.id) from unnest(user_ids) as u(id) order by u.id;
  -- The pages that are open there')
    ) as p(name, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.name;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
