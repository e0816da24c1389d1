-- Who reads and writes which rows. Everything about the caller is asked in a sub-select, which runs once a statement, and the
-- owner's branch comes first: an owner never pays for the question who was invited.

-- The categories whose list holds the caller's address.
create function private.invited_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}') from public.shared_with where email = lower(auth.email())
$$;

-- Those of them whose links the caller's plan opens: on the free plan the earliest one alone.
create function private.openable_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}')
  from (
    select category_id
    from public.shared_with
    where email = lower(auth.email())
    order by created_at, category_id
    limit coalesce(
      (select coalesce(l.max_received_shares, 2147483647)
       from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = auth.uid()),
      (select max_received_shares from private.plan_limits where plan = 'free')
    )
  ) as openable
$$;

create function private.own_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(id), '{}') from public.categories where user_id = auth.uid()
$$;

revoke all on function private.invited_category_ids(), private.openable_category_ids(),
  private.own_category_ids() from public;
grant execute on function private.invited_category_ids(), private.openable_category_ids(),
  private.own_category_ids() to authenticated;

-- profiles, subscribers, counters: one's own
create policy profiles_select_own on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy profiles_update_own on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy subscribers_select_own on public.subscribers
  for select to authenticated using (user_id = (select auth.uid()));
create policy library_counts_select_own on public.library_counts
  for select to authenticated using (user_id = (select auth.uid()));
create policy category_counts_select_own on public.category_counts
  for select to authenticated using (user_id = (select auth.uid()));

-- folders
create policy folders_select_own on public.folders
  for select to authenticated using (user_id = (select auth.uid()));
create policy folders_insert_own on public.folders
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy folders_update_own on public.folders
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy folders_delete_own on public.folders
  for delete to authenticated using (user_id = (select auth.uid()));

-- categories
create policy categories_select_own_or_invited on public.categories
  for select to authenticated using (
    user_id = (select auth.uid()) or id = any ((select private.invited_category_ids())::uuid[])
  );
create policy categories_insert_own on public.categories
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy categories_update_own on public.categories
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy categories_delete_own on public.categories
  for delete to authenticated using (user_id = (select auth.uid()));

-- links
-- A case and not an `or`: the planner takes an `or` for a way into the table, thinks it finds next to nothing there, and reads all
-- links of a user to sort out the newest fifty of a category (287 ms of 100,000 links against 0.4 ms). This way it follows the
-- query's own filter, so a query names a category, a user or an id: one that names nothing reads the whole table.
create policy links_select_own_or_opened on public.links
  for select to authenticated using (
    case
      when user_id = (select auth.uid()) then true
      else category_id = any ((select private.openable_category_ids())::uuid[])
    end
  );
create policy links_insert_own on public.links
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy links_update_own on public.links
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy links_delete_own on public.links
  for delete to authenticated using (user_id = (select auth.uid()));

-- shared_with: the owner sees the list, an invited person only the row that names them
create policy shared_with_select_own_or_named on public.shared_with
  for select to authenticated using (
    email = (select lower(auth.email())) or category_id = any ((select private.own_category_ids())::uuid[])
  );
create policy shared_with_insert_own on public.shared_with
  for insert to authenticated with check (category_id = any ((select private.own_category_ids())::uuid[]));
create policy shared_with_delete_own on public.shared_with
  for delete to authenticated using (category_id = any ((select private.own_category_ids())::uuid[]));

-- service_role passes by its bypassrls attribute where it has it. An external database whose account may not hand that
-- attribute out needs these.
create policy profiles_service on public.profiles for all to service_role using (true) with check (true);
create policy subscribers_service on public.subscribers for all to service_role using (true) with check (true);
create policy library_counts_service on public.library_counts for select to service_role using (true);
create policy category_counts_service on public.category_counts for select to service_role using (true);
create policy folders_service on public.folders for all to service_role using (true) with check (true);
create policy categories_service on public.categories for all to service_role using (true) with check (true);
create policy links_service on public.links for all to service_role using (true) with check (true);
create policy shared_with_service on public.shared_with for all to service_role using (true) with check (true);
