-- Files of people: one private bucket, in which everybody has the folder that is named after their id, and no other.

insert into storage.buckets (id, name, public) values ('arquivos', 'arquivos', false) on conflict (id) do nothing;

-- The range says the same as "the first folder is mine", and the index of names can follow it: whoever lists reads their own names
-- alone, however many others there are. ('0' is the character after '/'.)
create policy files_select_own on storage.objects for select to authenticated
  using (
    bucket_id = 'arquivos'
    and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
  );
create policy files_insert_own on storage.objects for insert to authenticated
  with check (
    bucket_id = 'arquivos'
    and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
  );
create policy files_update_own on storage.objects for update to authenticated
  using (
    bucket_id = 'arquivos'
    and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
  )
  with check (
    bucket_id = 'arquivos'
    and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
  );
create policy files_delete_own on storage.objects for delete to authenticated
  using (
    bucket_id = 'arquivos'
    and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
  );

-- As everywhere: the token of a closed account is nobody's, in any bucket.
create policy buckets_of_open_account on storage.buckets as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy objects_of_open_account on storage.objects as restrictive
  for all to authenticated using ((select private.is_account_open()));

-- What a plan may store holds for all files of a person together, in whichever bucket; and there are technical bounds: how many files,
-- how long their names and how large their notes. Names and notes count towards the plan's storage like bytes, so that empty files are
-- not for nothing. The platform lets nobody add triggers or constraints to its tables, so restrictive policies count: whoever adds
-- bytes waits for those who are adding bytes of the same person, and then sums.

-- A person's files: all in their folder, and in other buckets what they have put there. Without the one that is being written over.
create function private.stored_files(
  person uuid, except_id uuid, except_bucket text, except_name text, out files bigint, out bytes bigint
)
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  select count(*), coalesce(sum(
    coalesce((o.metadata ->> 'size')::bigint, 0) + octet_length(o.name) + coalesce(pg_column_size(o.user_metadata), 0)
  ), 0) into files, bytes
  from (
    select i.id, i.bucket_id, i.name, i.metadata, i.user_metadata from storage.objects i
    where i.bucket_id = 'arquivos'
      and i.name collate "C" >= person::text || '/' and i.name collate "C" < person::text || '0'
    union all
    select e.id, e.bucket_id, e.name, e.metadata, e.user_metadata from storage.objects e
    where e.bucket_id = any (array(select b.id from storage.buckets b where b.id <> 'arquivos'))
      and e.owner_id = person::text
  ) as o
  where o.id <> except_id and (o.bucket_id <> except_bucket or o.name <> except_name);
end
$$;

-- True, or the refusal in words. What does not grow is always allowed: files over the limit of a smaller plan can still be renamed.
create function private.has_room_for(object_id uuid, bucket text, object_name text, object_metadata jsonb, notes jsonb)
  returns boolean
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  -- The hosted platform asks before it knows what came; then it knows what was announced, or nothing.
  announced bigint := coalesce(object_metadata ->> 'size', object_metadata ->> 'contentLength')::bigint;
  note_bytes integer := coalesce(octet_length(notes::text), 0);
  added bigint := announced + note_bytes;
  held record;
  replaced bigint;
  megabytes integer;
  caller_plan text;
begin
  if octet_length(object_name) > private.most('file_name_bytes') then
    perform private.refuse_beyond('file_name_bytes', '42501');
  elsif note_bytes > private.most('file_note_bytes') then
    perform private.refuse_beyond('file_note_bytes', '42501');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('files of ' || caller::text, 0));
  select max((o.metadata ->> 'size')::bigint + coalesce(octet_length(o.user_metadata::text), 0)) into replaced
  from storage.objects o
  where o.id = object_id or (o.bucket_id = bucket and o.name = object_name);
  if added <= replaced then
    return true;
  end if;
  select l.storage_megabytes, p.plan into megabytes, caller_plan
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where p.id = caller;
  held := private.stored_files(caller, object_id, bucket, object_name);
  if replaced is null and held.files >= private.most('files') then
    perform private.refuse_beyond('files', '42501');
  end if;
  if held.bytes + octet_length(object_name) + note_bytes + coalesce(announced, 1) <= coalesce(megabytes, 0) * 1048576::bigint then
    return true;
  end if;
  raise exception using
    errcode = '42501',
    message = format('Limite de armazenamento de %s MB atingido', coalesce(megabytes, 0)),
    detail = json_build_object('max', coalesce(megabytes, 0) * 1048576::bigint, 'used', held.bytes, 'plan', caller_plan)::text,
    hint = 'plan_limit_storage';
end
$$;

-- Files go with the account. Their rows are the storage service's, which deletes the bytes along: whoever purges asks here for what
-- is left, and deletes it through the service's own interface.

-- The files of an account that begin_account_purges took: those in its folder, and what it has put into other buckets.
create function public.list_files_to_purge(user_id uuid, max integer default 1000)
  returns table (bucket_id text, name text)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  if not exists (
    select from private.account_closures c
    where c.user_id = $1 and c.purge_started_at is not null and c.reopened_at is null
  ) then
    return;
  end if;
  return query
    select f.bucket_id, f.name
    from (
      select o.bucket_id, o.name from storage.objects o
      where o.bucket_id = 'arquivos' and o.name collate "C" >= $1::text || '/' and o.name collate "C" < $1::text || '0'
      union
      select o.bucket_id, o.name from storage.objects o where o.owner_id = $1::text
    ) as f
    order by f.bucket_id, f.name
    limit least(greatest(coalesce(max, 1000), 1), 1000);
end
$$;

-- Policies call has_room_for by the right to execute it.
revoke all on function private.stored_files(uuid, uuid, text, text), private.has_room_for(uuid, text, text, jsonb, jsonb)
  from public;
revoke all on function public.list_files_to_purge(uuid, integer) from public, anon, authenticated, service_role;
grant execute on function private.has_room_for(uuid, text, text, jsonb, jsonb) to authenticated;
grant execute on function public.list_files_to_purge(uuid, integer) to service_role;

create policy objects_insert_within_plan on storage.objects as restrictive
  for insert to authenticated with check (private.has_room_for(id, bucket_id, name, metadata, user_metadata));
create policy objects_update_within_plan on storage.objects as restrictive
  for update to authenticated using (true) with check (private.has_room_for(id, bucket_id, name, metadata, user_metadata));
