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

-- As everywhere (20261121102521): the token of a closed account is nobody's, in any bucket.
create policy buckets_of_open_account on storage.buckets as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy objects_of_open_account on storage.objects as restrictive
  for all to authenticated using ((select private.is_account_open()));
