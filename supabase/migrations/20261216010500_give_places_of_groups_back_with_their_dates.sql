-- Who was in a folder by a group that was deleted and given back had come just now: without news, and editors without the history of before.

do $$
declare
  patch record;
  deletes text := pg_catalog.pg_get_functiondef('public.delete_group(uuid)'::regprocedure);
  restores text := pg_catalog.pg_get_functiondef('public.restore_group(uuid, jsonb)'::regprocedure);
  places constant text := '        select coalesce(jsonb_agg(m.email), ''[]'') from public.folder_members m where m.folder_id = s.folder_id and m.group_id = $1
      )) order by s.created_at';
begin
  if position(places in deletes) = 0 then
    raise exception 'public.delete_group is not as expected';
  end if;
  execute replace(deletes, places, $new$        select coalesce(jsonb_agg(m.email), '[]') from public.folder_members m where m.folder_id = s.folder_id and m.group_id = $1
      ), 'since', (
        select coalesce(jsonb_object_agg(m.email, m.created_at), '{}') from public.folder_members m
        where m.folder_id = s.folder_id and m.group_id = $1
      )) order by s.created_at$new$);
  for patch in
    select * from (values
      ('    select f.id as folder_id, s.role, s.emails
', '    select f.id as folder_id, s.role, s.emails, s.since
'),
      ('as s(folder_id uuid, role text, emails jsonb)', 'as s(folder_id uuid, role text, emails jsonb, since jsonb)'),
      ('      insert into public.folder_members (folder_id, email, role, group_id)
      select shared.folder_id, m.email, shared.role, $1
',
       '      insert into public.folder_members (folder_id, email, role, group_id, created_at)
      select shared.folder_id, m.email, shared.role, $1, least((shared.since ->> m.email)::timestamptz, clock_timestamp())
')
    ) as p(before, after)
  loop
    if position(patch.before in restores) = 0 then
      raise exception 'public.restore_group is not as expected';
    end if;
    restores := replace(restores, patch.before, patch.after);
  end loop;
  execute restores;
end
$$;
