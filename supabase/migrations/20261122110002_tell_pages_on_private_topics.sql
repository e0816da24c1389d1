-- What pages are told (look again: a shared page has changed, this session was ended) goes to private topics. Policies say who hears
-- them, and no policy lets anybody but the database send: on a public topic whoever knows an id could say the same.

do $$
declare
  changed regprocedure;
begin
  foreach changed in array array[
    'private.tell_viewers(uuid[])', 'private.withdraw_accounts(uuid[], uuid)', 'public.end_device(uuid)'
  ]::regprocedure[] loop
    execute regexp_replace(pg_get_functiondef(changed), '(perform realtime\.send\([^;]*), false\)', '\1, true)');
  end loop;
end
$$;

-- Whoever has a category's id hears that it has changed, as the page for that id is anybody's to open; what has changed is asked for.
create policy messages_hear_shared_category on realtime.messages
  for select to anon, authenticated
  using (extension = 'broadcast' and (select realtime.topic()) like 'shared:%');
create policy messages_hear_own_session on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and (select realtime.topic()) = 'session:' || (select auth.jwt() ->> 'session_id'));

-- As everywhere (20261121102521): a token that may not act hears and says nothing in private.
create policy messages_of_open_account on realtime.messages as restrictive
  for all to authenticated using ((select private.is_account_open()));
