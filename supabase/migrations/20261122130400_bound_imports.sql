-- A day's imports leave a bounded record: empty parts, and parts of what is there already, would otherwise be rows without end.

create function private.limit_import_parts() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  total bigint;
begin
  -- Parts of several imports of one person come one after the other here.
  perform from public.library_counts n where n.user_id = new.user_id for no key update;
  select count(*) into total from private.import_parts p where p.user_id = new.user_id;
  if total >= private.most('import_parts') then
    perform private.refuse_beyond('import_parts');
  end if;
  return new;
end
$$;
revoke all on function private.limit_import_parts() from public;
create trigger import_parts_limit before insert on private.import_parts
  for each row execute function private.limit_import_parts();
