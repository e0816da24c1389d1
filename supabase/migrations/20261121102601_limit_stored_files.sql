-- What a plan may store holds for all files of a person together, in whichever bucket. The platform lets nobody add triggers to its
-- tables, so a restrictive policy counts: whoever adds bytes waits for those who are adding bytes of the same person, and then sums.

-- The bytes of a person's files: all in their folder, and in other buckets what they have put there. Without the one that is being
-- written over.
create function private.stored_bytes(person uuid, except_id uuid, except_bucket text, except_name text) returns bigint
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  return (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0)
    from storage.objects o
    where o.bucket_id = 'arquivos'
      and o.name collate "C" >= person::text || '/' and o.name collate "C" < person::text || '0'
      and o.id <> except_id and (o.bucket_id <> except_bucket or o.name <> except_name)
  ) + (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0)
    from storage.objects o
    where o.bucket_id = any (array(select b.id from storage.buckets b where b.id <> 'arquivos'))
      and o.owner_id = person::text
      and o.id <> except_id and (o.bucket_id <> except_bucket or o.name <> except_name)
  );
end
$$;

-- True, or the refusal in words. What does not grow is always allowed: files over the limit of a smaller plan can still be renamed.
create function private.has_room_for(object_id uuid, bucket text, object_name text, object_metadata jsonb) returns boolean
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  -- The hosted platform asks before it knows what came; then it knows what was announced, or nothing.
  added bigint := coalesce(object_metadata ->> 'size', object_metadata ->> 'contentLength')::bigint;
  held bigint;
  replaced bigint;
  megabytes integer;
  caller_plan text;
begin
  perform pg_advisory_xact_lock(hashtextextended('files of ' || caller::text, 0));
  select max((o.metadata ->> 'size')::bigint) into replaced
  from storage.objects o
  where o.id = object_id or (o.bucket_id = bucket and o.name = object_name);
  if added <= replaced then
    return true;
  end if;
  select l.storage_megabytes, p.plan into megabytes, caller_plan
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where p.id = caller;
  held := private.stored_bytes(caller, object_id, bucket, object_name);
  if held + coalesce(added, 1) <= coalesce(megabytes, 0) * 1048576::bigint then
    return true;
  end if;
  raise exception using
    errcode = '42501',
    message = format('Limite de armazenamento de %s MB atingido', coalesce(megabytes, 0)),
    detail = json_build_object('max', coalesce(megabytes, 0) * 1048576::bigint, 'used', held, 'plan', caller_plan)::text,
    hint = 'plan_limit_storage';
end
$$;
revoke all on function private.stored_bytes(uuid, uuid, text, text), private.has_room_for(uuid, text, text, jsonb) from public;
-- Policies call it by this right.
grant execute on function private.has_room_for(uuid, text, text, jsonb) to authenticated;

create policy objects_insert_within_plan on storage.objects as restrictive
  for insert to authenticated with check (private.has_room_for(id, bucket_id, name, metadata));
create policy objects_update_within_plan on storage.objects as restrictive
  for update to authenticated using (true) with check (private.has_room_for(id, bucket_id, name, metadata));
