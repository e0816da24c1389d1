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
revoke all on function public.list_files_to_purge(uuid, integer) from public, anon, authenticated, service_role;
grant execute on function public.list_files_to_purge(uuid, integer) to service_role;
