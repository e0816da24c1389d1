-- An access token lives on for up to an hour after its account was closed. It reads nothing and writes nothing any more.

create policy profiles_of_open_account on public.profiles as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy subscribers_of_open_account on public.subscribers as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy library_counts_of_open_account on public.library_counts as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy category_counts_of_open_account on public.category_counts as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy folders_of_open_account on public.folders as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy categories_of_open_account on public.categories as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy links_of_open_account on public.links as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy shared_with_of_open_account on public.shared_with as restrictive
  for all to authenticated using ((select private.is_account_open()));

-- Functions that run with their owner's rights ask for the caller where they asked for the token's id. Nothing else of them
-- changes, so nothing else is repeated here.
do $$
declare
  changed regprocedure;
begin
  foreach changed in array array[
    'public.search_links(text, integer, integer)',
    'public.find_links_by_url(text[])',
    'public.undo_deletion(text, uuid[])',
    'public.queue_share_notifications(uuid, text[])',
    'public.save_sharing(uuid, boolean, text[])',
    'public.copy_shared_category(uuid, uuid)',
    'private.is_admin()'
  ]::regprocedure[] loop
    execute replace(pg_get_functiondef(changed), 'auth.uid()', 'private.caller_id()');
  end loop;
end
$$;

-- As before, and whoever comes with the token of a closed account is a visitor.
create or replace function private.category_access(category_id uuid) returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  select c.user_id, c.is_public into owner_id, published from public.categories c where c.id = category_access.category_id;
  if not found then
    return null;
  elsif not private.is_account_open() then
    return case
      when published then 'public'
      when exists (select from public.shared_with s where s.category_id = category_access.category_id) then 'denied'
    end;
  elsif owner_id = auth.uid() then
    return 'owner';
  elsif published then
    return 'public';
  elsif category_access.category_id = any (private.openable_category_ids()) then
    return 'invited';
  elsif category_access.category_id = any (private.invited_category_ids()) then
    return 'limited';
  elsif exists (select from public.shared_with s where s.category_id = category_access.category_id) then
    return 'denied';
  end if;
  return null;
end
$$;
