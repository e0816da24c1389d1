-- The administrator's look is on record before anything is read, in a transaction that is over: a reading that fails, is cut off or is
-- taken back cannot take its record along. (A cast of a column that is asked for, say, fails with the value in the error's text.)
--
-- So each of the area's functions is called twice: the first call writes the record and answers nothing (null, or no rows); called with
-- the same arguments within ten seconds it reads. Our table API makes the first call by itself where a function's comment says
-- 'rest: recorded first', under the setting `linkoteca.record_only`, which has it written down whatever was before; elsewhere whoever calls
-- makes both.

alter table private.admin_audit_log add column transaction_id xid8;
create index admin_audit_log_newest on private.admin_audit_log (happened_at);

create or replace function private.enter_admin_area(action text, about uuid default null, details jsonb default '{}') returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  look jsonb := jsonb_strip_nulls(enter_admin_area.details);
begin
  if not private.is_admin() then
    return false;
  end if;
  -- What this transaction has written would go with it.
  if coalesce(current_setting('linkoteca.record_only', true), '') <> 'on' and exists (
    select from private.admin_audit_log l
    where l.happened_at > clock_timestamp() - interval '10 seconds' and l.transaction_id <> pg_current_xact_id()
      and l.admin_id = auth.uid() and l.action = enter_admin_area.action
      and l.user_id is not distinct from about and l.details = look
  ) then
    return true;
  end if;
  insert into private.admin_audit_log (admin_id, action, user_id, details, transaction_id)
  values (auth.uid(), enter_admin_area.action, about, look, pg_current_xact_id());
  return false;
end
$$;

do $$
declare
  entered regprocedure;
begin
  for entered in
    select p.oid from pg_catalog.pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosrc like '%private.enter_admin_area(%'
  loop
    execute format(
      'comment on function %s is %L', entered,
      concat_ws(' ', pg_catalog.obj_description(entered, 'pg_proc'), 'rest: recorded first')
    );
  end loop;
end
$$;
