-- What the migrations make, to be read and not to be run. Written by: node packages/migrations/src/generate-schema.ts

-- public.categories
create table public.categories (
  id uuid not null default gen_random_uuid(),
  name text not null,
  folder_id uuid not null,
  user_id uuid not null default auth.uid(),
  description text,
  is_public boolean not null default false,
  name_users text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  is_held_back boolean not null default false,
  constraint categories_pkey PRIMARY KEY (id),
  constraint categories_id_and_owner UNIQUE (id, user_id),
  constraint categories_folder_of_same_owner FOREIGN KEY (folder_id, user_id) REFERENCES public.folders(id, user_id) ON DELETE CASCADE,
  constraint categories_description_length CHECK ((char_length(description) <= 200)),
  constraint categories_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50))),
  constraint categories_name_trimmed CHECK ((name !~ '^\s|\s$'::text)),
  constraint categories_name_users_length CHECK ((char_length(name_users) <= 100))
);
CREATE INDEX categories_newest_of_folder ON public.categories USING btree (folder_id, created_at, id);
CREATE INDEX categories_newest_of_user ON public.categories USING btree (user_id, created_at, id);
CREATE TRIGGER categories_add_as_member BEFORE INSERT ON public.categories FOR EACH ROW EXECUTE FUNCTION private.add_category_as_member();
CREATE TRIGGER categories_begin_page AFTER UPDATE ON public.categories FOR EACH ROW WHEN ((new.is_public AND (NOT old.is_public))) EXECUTE FUNCTION private.begin_public_page();
CREATE TRIGGER categories_bound_dates BEFORE INSERT ON public.categories FOR EACH ROW WHEN (((new.created_at < '1970-01-01 00:00:00+00'::timestamp with time zone) OR (new.created_at > (now() + '1 day'::interval)))) EXECUTE FUNCTION private.bound_dates();
CREATE TRIGGER categories_change_in_scope BEFORE UPDATE ON public.categories FOR EACH ROW WHEN ((new.is_public <> old.is_public)) EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER categories_count_added AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_categories();
CREATE TRIGGER categories_count_removed AFTER DELETE ON public.categories REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_categories();
CREATE TRIGGER categories_drop_shares AFTER UPDATE ON public.categories FOR EACH ROW WHEN ((new.is_public AND (NOT old.is_public))) EXECUTE FUNCTION private.drop_shares_of_published();
CREATE TRIGGER categories_fill_owner_name BEFORE INSERT OR UPDATE ON public.categories FOR EACH ROW WHEN (((new.name_users IS NULL) OR (new.name_users = ''::text))) EXECUTE FUNCTION private.fill_owner_name();
CREATE TRIGGER categories_gate_change BEFORE UPDATE ON public.categories FOR EACH ROW WHEN ((new.is_public AND (NOT old.is_public))) EXECUTE FUNCTION private.gate_publishing();
CREATE TRIGGER categories_gate_new BEFORE INSERT ON public.categories FOR EACH ROW WHEN (new.is_public) EXECUTE FUNCTION private.gate_publishing();
CREATE TRIGGER categories_hold_back_in_scope BEFORE UPDATE ON public.categories FOR EACH ROW WHEN ((new.is_held_back <> old.is_held_back)) EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER categories_keep_deleted AFTER DELETE ON public.categories REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted();
CREATE TRIGGER categories_keep_identity BEFORE UPDATE ON public.categories FOR EACH ROW WHEN ((((old.id IS DISTINCT FROM new.id) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION private.refuse_identity_change();
CREATE TRIGGER categories_keep_owners_choices BEFORE UPDATE ON public.categories FOR EACH ROW WHEN (((((old.folder_id IS DISTINCT FROM new.folder_id) OR (old.is_public IS DISTINCT FROM new.is_public)) OR (old.is_held_back IS DISTINCT FROM new.is_held_back)) OR (old.name_users IS DISTINCT FROM new.name_users))) EXECUTE FUNCTION private.keep_owners_choices();
CREATE TRIGGER categories_new_held_back_in_scope BEFORE INSERT ON public.categories FOR EACH ROW WHEN (new.is_held_back) EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER categories_new_in_scope BEFORE INSERT ON public.categories FOR EACH ROW WHEN (new.is_public) EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER categories_note_changed AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_category_updates();
CREATE TRIGGER categories_record_added AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.record_publications();
CREATE TRIGGER categories_record_changed AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.record_publications();
CREATE TRIGGER categories_respect_page AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.respect_public_page();
CREATE TRIGGER categories_restore_favorites AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_favorites();
CREATE TRIGGER categories_restore_order AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_order();
CREATE TRIGGER categories_show_by_plan BEFORE UPDATE ON public.categories FOR EACH ROW WHEN ((old.is_held_back AND (NOT new.is_held_back))) EXECUTE FUNCTION private.gate_showing();
CREATE TRIGGER categories_tell_added AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_categories();
CREATE TRIGGER categories_tell_changed AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_categories();
CREATE TRIGGER categories_tell_members_added AFTER INSERT ON public.categories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_folder_members();
CREATE TRIGGER categories_tell_members_changed AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_folder_members();
CREATE TRIGGER categories_tell_members_removed AFTER DELETE ON public.categories REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_folder_members();
CREATE TRIGGER categories_tell_removed AFTER DELETE ON public.categories REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_categories();
CREATE TRIGGER categories_touch BEFORE UPDATE ON public.categories FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER categories_weigh_changed AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_categories();
alter table public.categories enable row level security;
create policy categories_delete_in_scope on public.categories as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy categories_delete_own on public.categories for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy categories_insert_in_scope on public.categories as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy categories_insert_own on public.categories for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) OR ((folder_id = ANY (( SELECT private.writable_folder_ids() AS writable_folder_ids)::uuid[])) AND (NOT is_public) AND (NOT is_held_back))));
create policy categories_of_open_account on public.categories as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy categories_select_own_or_invited on public.categories for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR (id = ANY (( SELECT private.invited_category_ids() AS invited_category_ids)::uuid[])) OR ((folder_id = ANY (( SELECT private.received_folder_ids() AS received_folder_ids)::uuid[])) AND (NOT is_held_back))));
create policy categories_service on public.categories for all to service_role using (true) with check (true);
create policy categories_update_in_scope on public.categories as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy categories_update_own on public.categories for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR (id = ANY (( SELECT private.writable_category_ids() AS writable_category_ids)::uuid[])))) with check (((user_id = ( SELECT auth.uid() AS uid)) OR (folder_id = ANY (( SELECT private.writable_folder_ids() AS writable_folder_ids)::uuid[]))));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.categories to service_role;
grant delete, select on public.categories to authenticated;
grant insert (id, name, folder_id, user_id, description, is_public, name_users, is_held_back) on public.categories to authenticated;
grant update (id, name, folder_id, user_id, description, is_public, name_users, updated_at, is_held_back) on public.categories to authenticated;
alter table public.categories replica identity full;

-- public.category_counts
create table public.category_counts (
  category_id uuid not null,
  user_id uuid not null,
  link_count integer not null default 0,
  constraint category_counts_pkey PRIMARY KEY (category_id),
  constraint category_counts_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id) ON DELETE CASCADE,
  constraint category_counts_not_negative CHECK ((link_count >= 0))
) with (fillfactor=50);
CREATE INDEX category_counts_of_user ON public.category_counts USING btree (user_id);
alter table public.category_counts enable row level security;
create policy category_counts_of_open_account on public.category_counts as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy category_counts_select_own on public.category_counts for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy category_counts_service on public.category_counts for select to service_role using (true);
grant select on public.category_counts to authenticated;
grant select on public.category_counts to service_role;

-- public.favorites
create table public.favorites (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  link_id uuid,
  category_id uuid,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint favorites_pkey PRIMARY KEY (id),
  constraint favorites_category_once UNIQUE (category_id, user_id),
  constraint favorites_link_once UNIQUE (link_id, user_id),
  constraint favorites_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id) ON DELETE CASCADE,
  constraint favorites_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE,
  constraint favorites_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint favorites_one_item CHECK ((num_nonnulls(link_id, category_id) = 1))
);
CREATE INDEX favorites_newest_of_user ON public.favorites USING btree (user_id, created_at, id);
CREATE TRIGGER favorites_keep_deleted AFTER DELETE ON public.favorites REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_favorites();
CREATE TRIGGER favorites_limit AFTER INSERT ON public.favorites REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_favorites();
alter table public.favorites enable row level security;
create policy favorites_delete_in_scope on public.favorites as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy favorites_delete_own on public.favorites for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy favorites_insert_in_scope on public.favorites as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy favorites_insert_own on public.favorites for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((link_id IS NULL) OR (EXISTS ( SELECT
   FROM public.links l
  WHERE (l.id = favorites.link_id)))) AND ((category_id IS NULL) OR (EXISTS ( SELECT
   FROM public.categories c
  WHERE (c.id = favorites.category_id))))));
create policy favorites_of_open_account on public.favorites as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy favorites_select_own on public.favorites for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy favorites_service on public.favorites for all to service_role using (true) with check (true);
create policy favorites_update_in_scope on public.favorites as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.favorites to service_role;
grant delete, select on public.favorites to authenticated;
grant insert (id, user_id, link_id, category_id) on public.favorites to authenticated;
alter table public.favorites replica identity full;

-- public.folder_looks
create table public.folder_looks (
  folder_id uuid not null,
  user_id uuid not null default auth.uid(),
  color text,
  emoji text,
  constraint folder_looks_pkey PRIMARY KEY (folder_id),
  constraint folder_looks_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES public.folders(id) ON DELETE CASCADE,
  constraint folder_looks_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint folder_looks_color_known CHECK ((color = ANY (ARRAY['red'::text, 'orange'::text, 'yellow'::text, 'green'::text, 'teal'::text, 'blue'::text, 'purple'::text, 'pink'::text]))),
  constraint folder_looks_emoji_made_of_symbols CHECK ((emoji ~ '^[\u00a9\u00ae\u200d\u203c\u2049\u20e3\u2100-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f#*0-9]{1,16}$'::text)),
  constraint folder_looks_emoji_visible CHECK ((emoji ~ '[\u00a9\u00ae\u203c\u2049\u20e3\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]'::text))
);
CREATE INDEX folder_looks_of_user ON public.folder_looks USING btree (user_id);
CREATE TRIGGER folder_looks_keep_deleted AFTER DELETE ON public.folder_looks REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_looks();
alter table public.folder_looks enable row level security;
create policy folder_looks_delete_in_scope on public.folder_looks as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy folder_looks_insert_in_scope on public.folder_looks as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy folder_looks_insert_own on public.folder_looks for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
   FROM public.folders f
  WHERE ((f.id = folder_looks.folder_id) AND (f.user_id = ( SELECT auth.uid() AS uid)))))));
create policy folder_looks_of_open_account on public.folder_looks as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy folder_looks_select_own on public.folder_looks for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy folder_looks_service on public.folder_looks for all to service_role using (true) with check (true);
create policy folder_looks_update_in_scope on public.folder_looks as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy folder_looks_update_own on public.folder_looks for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check (((user_id = ( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
   FROM public.folders f
  WHERE ((f.id = folder_looks.folder_id) AND (f.user_id = ( SELECT auth.uid() AS uid)))))));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.folder_looks to service_role;
grant insert (folder_id, user_id, color, emoji) on public.folder_looks to authenticated;
grant select on public.folder_looks to authenticated;
grant update (folder_id, user_id, color, emoji) on public.folder_looks to authenticated;
alter table public.folder_looks replica identity full;

-- public.folder_members
create table public.folder_members (
  id uuid not null default gen_random_uuid(),
  folder_id uuid not null,
  owner_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  email text not null,
  role text not null,
  invited_by uuid default auth.uid(),
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  member_id uuid,
  group_id uuid,
  constraint folder_members_pkey PRIMARY KEY (id),
  constraint folder_members_folder_id_email_key UNIQUE NULLS NOT DISTINCT (folder_id, email, group_id),
  constraint folder_members_folder_of_owner FOREIGN KEY (folder_id, owner_id) REFERENCES public.folders(id, user_id) ON DELETE CASCADE,
  constraint folder_members_in_group FOREIGN KEY (group_id, email) REFERENCES private.group_members(group_id, email) ON DELETE CASCADE,
  constraint folder_members_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint folder_members_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint folder_members_of_shared_group FOREIGN KEY (folder_id, group_id, role) REFERENCES private.folder_groups(folder_id, group_id, role) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint folder_members_email_valid CHECK (private.are_share_emails(ARRAY[email])),
  constraint folder_members_not_the_owner CHECK ((member_id <> owner_id)),
  constraint folder_members_role_known CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'manager'::text])))
);
CREATE INDEX folder_members_of_email ON public.folder_members USING btree (email);
CREATE INDEX folder_members_of_group ON public.folder_members USING btree (group_id, email) WHERE (group_id IS NOT NULL);
CREATE INDEX folder_members_of_inviter ON public.folder_members USING btree (invited_by);
CREATE INDEX folder_members_of_member ON public.folder_members USING btree (member_id);
CREATE INDEX folder_members_of_owner ON public.folder_members USING btree (owner_id);
CREATE TRIGGER folder_members_gate BEFORE INSERT OR UPDATE ON public.folder_members FOR EACH ROW EXECUTE FUNCTION private.gate_folder_member();
CREATE TRIGGER folder_members_keep_deleted AFTER DELETE ON public.folder_members REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_members();
CREATE TRIGGER folder_members_limit AFTER INSERT ON public.folder_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_folder_members();
CREATE TRIGGER folder_members_new_in_scope BEFORE INSERT ON public.folder_members FOR EACH ROW EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER folder_members_notify AFTER INSERT ON public.folder_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.enqueue_folder_notifications();
alter table public.folder_members enable row level security;
create policy folder_members_delete_own_or_managed on public.folder_members for delete to authenticated using (((owner_id = ( SELECT auth.uid() AS uid)) OR (member_id = ( SELECT auth.uid() AS uid)) OR (folder_id = ANY (( SELECT private.managed_folder_ids() AS managed_folder_ids)::uuid[]))));
create policy folder_members_insert_managed on public.folder_members for insert to authenticated with check (((owner_id = ( SELECT auth.uid() AS uid)) OR (folder_id = ANY (( SELECT private.managed_folder_ids() AS managed_folder_ids)::uuid[]))));
create policy folder_members_of_open_account on public.folder_members as restrictive for all to authenticated using (( SELECT private.may_share() AS may_share));
create policy folder_members_select_own_or_managed on public.folder_members for select to authenticated using (((owner_id = ( SELECT auth.uid() AS uid)) OR (member_id = ( SELECT auth.uid() AS uid)) OR (folder_id = ANY (( SELECT private.managed_folder_ids() AS managed_folder_ids)::uuid[]))));
create policy folder_members_service on public.folder_members for all to service_role using (true) with check (true);
create policy folder_members_update_managed on public.folder_members for update to authenticated using (((group_id IS NULL) AND ((owner_id = ( SELECT auth.uid() AS uid)) OR (folder_id = ANY (( SELECT private.managed_folder_ids() AS managed_folder_ids)::uuid[]))))) with check (((owner_id = ( SELECT auth.uid() AS uid)) OR (folder_id = ANY (( SELECT private.managed_folder_ids() AS managed_folder_ids)::uuid[]))));
grant delete on public.folder_members to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on public.folder_members to service_role;
grant insert (folder_id, email, role) on public.folder_members to authenticated;
grant select (id, folder_id, owner_id, email, role, invited_by, created_at, updated_at, group_id) on public.folder_members to authenticated;
grant update (role) on public.folder_members to authenticated;
alter table public.folder_members replica identity full;

-- public.folders
create table public.folders (
  id uuid not null default gen_random_uuid(),
  name text not null,
  user_id uuid not null default auth.uid(),
  is_public boolean not null default false,
  shared_with text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint folders_pkey PRIMARY KEY (id),
  constraint folders_id_and_owner UNIQUE (id, user_id),
  constraint folders_name_unique_per_user UNIQUE (user_id, name),
  constraint folders_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint folders_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50))),
  constraint folders_name_trimmed CHECK ((name !~ '^\s|\s$'::text)),
  constraint folders_shared_with_emails CHECK (private.are_share_emails(shared_with)),
  constraint folders_shared_with_length CHECK ((cardinality(shared_with) <= 100))
);
CREATE INDEX folders_newest_of_user ON public.folders USING btree (user_id, created_at, id);
CREATE TRIGGER folders_bound_dates BEFORE INSERT ON public.folders FOR EACH ROW WHEN (((new.created_at < '1970-01-01 00:00:00+00'::timestamp with time zone) OR (new.created_at > (now() + '1 day'::interval)))) EXECUTE FUNCTION private.bound_dates();
CREATE TRIGGER folders_change_in_scope BEFORE UPDATE ON public.folders FOR EACH ROW WHEN (((new.is_public <> old.is_public) OR (new.shared_with <> old.shared_with))) EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER folders_count_added AFTER INSERT ON public.folders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_folders();
CREATE TRIGGER folders_count_removed AFTER DELETE ON public.folders REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_folders();
CREATE TRIGGER folders_gate_change BEFORE UPDATE ON public.folders FOR EACH ROW WHEN (((new.is_public AND (NOT old.is_public)) OR (NOT (new.shared_with <@ old.shared_with)))) EXECUTE FUNCTION private.gate_publishing();
CREATE TRIGGER folders_gate_new BEFORE INSERT ON public.folders FOR EACH ROW WHEN ((new.is_public OR (new.shared_with <> '{}'::text[]))) EXECUTE FUNCTION private.gate_publishing();
CREATE TRIGGER folders_keep_deleted AFTER DELETE ON public.folders REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted();
CREATE TRIGGER folders_keep_identity BEFORE UPDATE ON public.folders FOR EACH ROW WHEN ((((old.id IS DISTINCT FROM new.id) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION private.refuse_identity_change();
CREATE TRIGGER folders_lower_emails BEFORE INSERT OR UPDATE OF shared_with ON public.folders FOR EACH ROW WHEN ((new.shared_with <> '{}'::text[])) EXECUTE FUNCTION private.lower_folder_emails();
CREATE TRIGGER folders_new_in_scope BEFORE INSERT ON public.folders FOR EACH ROW WHEN ((new.is_public OR (new.shared_with <> '{}'::text[]))) EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER folders_restore_looks AFTER INSERT ON public.folders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_looks();
CREATE TRIGGER folders_restore_members AFTER INSERT ON public.folders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_members();
CREATE TRIGGER folders_tell_members AFTER UPDATE ON public.folders REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_folder_members();
CREATE TRIGGER folders_touch BEFORE UPDATE ON public.folders FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER folders_weigh_changed AFTER UPDATE ON public.folders REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_folders();
alter table public.folders enable row level security;
create policy folders_delete_in_scope on public.folders as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy folders_delete_own on public.folders for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy folders_insert_in_scope on public.folders as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy folders_insert_own on public.folders for insert to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy folders_of_open_account on public.folders as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy folders_select_own on public.folders for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy folders_service on public.folders for all to service_role using (true) with check (true);
create policy folders_update_in_scope on public.folders as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy folders_update_own on public.folders for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.folders to service_role;
grant delete, select on public.folders to authenticated;
grant insert (id, name, user_id, is_public, shared_with) on public.folders to authenticated;
grant update (id, name, user_id, is_public, shared_with, updated_at) on public.folders to authenticated;
alter table public.folders replica identity full;

-- public.inboxes
create table public.inboxes (
  user_id uuid not null,
  category_id uuid not null,
  constraint inboxes_pkey PRIMARY KEY (user_id),
  constraint inboxes_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table public.inboxes enable row level security;
create policy inboxes_of_open_account on public.inboxes as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy inboxes_select_own on public.inboxes for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy inboxes_service on public.inboxes for all to service_role using (true) with check (true);
grant delete, insert, maintain, references, select, trigger, truncate, update on public.inboxes to service_role;
grant select on public.inboxes to authenticated;

-- public.library_counts
create table public.library_counts (
  user_id uuid not null,
  folder_count integer not null default 0,
  category_count integer not null default 0,
  link_count integer not null default 0,
  row_bytes bigint not null default 0,
  constraint library_counts_pkey PRIMARY KEY (user_id),
  constraint library_counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint library_counts_not_negative CHECK (((folder_count >= 0) AND (category_count >= 0) AND (link_count >= 0)))
) with (fillfactor=50);
alter table public.library_counts enable row level security;
create policy library_counts_of_open_account on public.library_counts as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy library_counts_select_own on public.library_counts for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy library_counts_service on public.library_counts for select to service_role using (true);
grant select on public.library_counts to authenticated;
grant select on public.library_counts to service_role;

-- public.link_tags
create table public.link_tags (
  link_id uuid not null,
  tag_id uuid not null,
  user_id uuid not null,
  saved_at timestamp with time zone not null,
  constraint link_tags_pkey PRIMARY KEY (link_id, tag_id),
  constraint link_tags_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE,
  constraint link_tags_tag_of_same_owner FOREIGN KEY (tag_id, user_id) REFERENCES public.tags(id, user_id) ON DELETE CASCADE
);
CREATE INDEX link_tags_newest_of_tag ON public.link_tags USING btree (tag_id, saved_at, link_id);
CREATE TRIGGER link_tags_count_added AFTER INSERT ON public.link_tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_tagged();
CREATE TRIGGER link_tags_count_removed AFTER DELETE ON public.link_tags REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_tagged();
CREATE TRIGGER link_tags_keep_deleted AFTER DELETE ON public.link_tags REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_tags();
CREATE TRIGGER link_tags_note_added AFTER INSERT ON public.link_tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_link_tags();
CREATE TRIGGER link_tags_note_removed AFTER DELETE ON public.link_tags REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_link_tags();
alter table public.link_tags enable row level security;
create policy link_tags_delete_in_scope on public.link_tags as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy link_tags_insert_in_scope on public.link_tags as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy link_tags_of_open_account on public.link_tags as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy link_tags_select_own on public.link_tags for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy link_tags_service on public.link_tags for all to service_role using (true) with check (true);
create policy link_tags_update_in_scope on public.link_tags as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.link_tags to service_role;
grant select on public.link_tags to authenticated;

-- public.links
create table public.links (
  id uuid not null default gen_random_uuid(),
  url text not null,
  title text not null,
  description text,
  category_id uuid not null,
  user_id uuid not null default auth.uid(),
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default now(),
  added_by uuid,
  added_by_name text,
  constraint links_pkey PRIMARY KEY (id),
  constraint links_added_by_fkey FOREIGN KEY (added_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint links_category_of_same_owner FOREIGN KEY (category_id, user_id) REFERENCES public.categories(id, user_id) ON DELETE CASCADE,
  constraint links_added_by_name_length CHECK ((char_length(added_by_name) <= 100)),
  constraint links_description_length CHECK ((char_length(description) <= 1200)),
  constraint links_title_length CHECK (((char_length(title) >= 1) AND (char_length(title) <= 100))),
  constraint links_title_not_blank CHECK ((title ~ '\S'::text)),
  constraint links_url_is_http CHECK (((url ~* '^https?://[^\s/?#]'::text) AND (url !~ '[\x01-\x1f\x7f]'::text))),
  constraint links_url_length CHECK ((char_length(url) <= 500))
);
CREATE INDEX links_added_by_others ON public.links USING btree (added_by) WHERE (added_by IS NOT NULL);
CREATE INDEX links_address_of_user ON public.links USING btree (user_id, hashtextextended(rtrim(lower((url COLLATE "C")), '/'::text), (0)::bigint));
CREATE INDEX links_by_moment ON public.links USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX links_newest_of_category ON public.links USING btree (category_id, created_at, id);
CREATE INDEX links_newest_of_user ON public.links USING btree (user_id, created_at, id);
CREATE TRIGGER links_add_as_member BEFORE INSERT ON public.links FOR EACH ROW EXECUTE FUNCTION private.add_link_as_member();
CREATE TRIGGER links_bound_dates BEFORE INSERT ON public.links FOR EACH ROW WHEN (((new.created_at < '1970-01-01 00:00:00+00'::timestamp with time zone) OR (new.created_at > (now() + '1 day'::interval)))) EXECUTE FUNCTION private.bound_dates();
CREATE TRIGGER links_count_added AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_links();
CREATE TRIGGER links_count_moved AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_links();
CREATE TRIGGER links_count_removed AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.count_links();
CREATE TRIGGER links_forget_addresses AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.index_addresses();
CREATE TRIGGER links_forget_failing_link AFTER UPDATE OF url ON public.links FOR EACH ROW WHEN ((old.url IS DISTINCT FROM new.url)) EXECUTE FUNCTION private.forget_failing_link();
CREATE TRIGGER links_forget_failing_links AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.forget_failing_links();
CREATE TRIGGER links_index_added AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_links();
CREATE TRIGGER links_index_added_addresses AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_addresses();
CREATE TRIGGER links_index_changed AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_links();
CREATE TRIGGER links_index_changed_addresses AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_addresses();
CREATE TRIGGER links_index_removed AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.index_links();
CREATE TRIGGER links_keep_adder BEFORE UPDATE ON public.links FOR EACH ROW WHEN (((old.added_by IS DISTINCT FROM new.added_by) OR (old.added_by_name IS DISTINCT FROM new.added_by_name))) EXECUTE FUNCTION private.keep_adder();
CREATE TRIGGER links_keep_deleted AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted();
CREATE TRIGGER links_keep_identity BEFORE UPDATE ON public.links FOR EACH ROW WHEN ((((old.id IS DISTINCT FROM new.id) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION private.refuse_identity_change();
CREATE TRIGGER links_leave_covers AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.leave_covers();
CREATE TRIGGER links_note_added AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_link_changes();
CREATE TRIGGER links_note_changed AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_link_changes();
CREATE TRIGGER links_note_removed AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_link_changes();
CREATE TRIGGER links_outdate_cover AFTER UPDATE OF url ON public.links FOR EACH ROW WHEN ((old.url IS DISTINCT FROM new.url)) EXECUTE FUNCTION private.outdate_cover();
CREATE TRIGGER links_record_added AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.record_link_events();
CREATE TRIGGER links_record_changed AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.record_link_events();
CREATE TRIGGER links_record_removed AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.record_link_events();
CREATE TRIGGER links_restore_covers AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_covers();
CREATE TRIGGER links_restore_favorites AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_favorites();
CREATE TRIGGER links_restore_order AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_order();
CREATE TRIGGER links_restore_tags AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.restore_tags();
CREATE TRIGGER links_tell_added AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_links();
CREATE TRIGGER links_tell_changed AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_links();
CREATE TRIGGER links_tell_removed AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_links();
CREATE TRIGGER links_touch BEFORE UPDATE ON public.links FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER links_zones_added AFTER INSERT ON public.links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.keep_search_zones();
CREATE TRIGGER links_zones_changed AFTER UPDATE ON public.links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.keep_search_zones();
CREATE TRIGGER links_zones_removed AFTER DELETE ON public.links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_search_zones();
alter table public.links enable row level security;
create policy links_delete_in_scope on public.links as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy links_delete_own on public.links for delete to authenticated using (
CASE
    WHEN (user_id = ( SELECT auth.uid() AS uid)) THEN true
    ELSE (category_id = ANY (( SELECT private.writable_category_ids() AS writable_category_ids)::uuid[]))
END);
create policy links_insert_in_scope on public.links as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy links_insert_own on public.links for insert to authenticated with check (
CASE
    WHEN (user_id = ( SELECT auth.uid() AS uid)) THEN true
    ELSE (category_id = ANY (( SELECT private.writable_category_ids() AS writable_category_ids)::uuid[]))
END);
create policy links_of_open_account on public.links as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy links_select_own_or_opened on public.links for select to authenticated using (
CASE
    WHEN (user_id = ( SELECT auth.uid() AS uid)) THEN true
    ELSE (category_id = ANY (( SELECT private.openable_category_ids() AS openable_category_ids)::uuid[]))
END);
create policy links_service on public.links for all to service_role using (true) with check (true);
create policy links_update_in_scope on public.links as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy links_update_own on public.links for update to authenticated using (
CASE
    WHEN (user_id = ( SELECT auth.uid() AS uid)) THEN true
    ELSE (category_id = ANY (( SELECT private.writable_category_ids() AS writable_category_ids)::uuid[]))
END) with check (
CASE
    WHEN (user_id = ( SELECT auth.uid() AS uid)) THEN true
    ELSE (category_id = ANY (( SELECT private.writable_category_ids() AS writable_category_ids)::uuid[]))
END);
grant delete, insert, maintain, references, select, trigger, truncate, update on public.links to service_role;
grant delete, select on public.links to authenticated;
grant insert (id, url, title, description, category_id, user_id, added_by, added_by_name) on public.links to authenticated;
grant update (id, url, title, description, category_id, user_id, updated_at, added_by, added_by_name) on public.links to authenticated;
alter table public.links replica identity full;

-- public.manual_order
create table public.manual_order (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  category_id uuid,
  link_id uuid,
  rank text,
  constraint manual_order_pkey PRIMARY KEY (id),
  constraint manual_order_category_once UNIQUE (category_id),
  constraint manual_order_link_once UNIQUE (link_id),
  constraint manual_order_rank_once UNIQUE (user_id, rank),
  constraint manual_order_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id) ON DELETE CASCADE,
  constraint manual_order_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE,
  constraint manual_order_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint manual_order_one_item CHECK ((num_nonnulls(link_id, category_id) = 1)),
  constraint manual_order_rank_known CHECK ((rank ~ '^[0-9a-f]{0,254}[1-9a-f]$'::text)),
  constraint manual_order_ranks_links CHECK (((rank IS NULL) = (link_id IS NULL)))
);
CREATE TRIGGER manual_order_keep_deleted AFTER DELETE ON public.manual_order REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_order();
alter table public.manual_order enable row level security;
create policy manual_order_delete_in_scope on public.manual_order as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy manual_order_insert_in_scope on public.manual_order as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy manual_order_of_open_account on public.manual_order as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy manual_order_select_own_or_invited on public.manual_order for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR (category_id = ANY (( SELECT private.invited_category_ids() AS invited_category_ids)::uuid[]))));
create policy manual_order_service on public.manual_order for all to service_role using (true) with check (true);
create policy manual_order_update_in_scope on public.manual_order as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.manual_order to service_role;
grant select on public.manual_order to authenticated;
alter table public.manual_order replica identity full;

-- public.profiles
create table public.profiles (
  id uuid not null,
  name text,
  plan text not null default 'free'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_id_is_a_user FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profiles_plan_is_known FOREIGN KEY (plan) REFERENCES private.plan_limits(plan),
  constraint profiles_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);
CREATE TRIGGER library_counts_start AFTER INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.start_counting();
CREATE TRIGGER profiles_spread_name AFTER UPDATE OF name ON public.profiles FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name)) EXECUTE FUNCTION private.spread_owner_name();
CREATE TRIGGER profiles_tell_members AFTER UPDATE OF plan, name ON public.profiles FOR EACH ROW WHEN (((old.plan IS DISTINCT FROM new.plan) OR (old.name IS DISTINCT FROM new.name))) EXECUTE FUNCTION private.tell_members_of_owner();
CREATE TRIGGER profiles_touch BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER user_directory_follow_plan AFTER UPDATE OF plan ON public.profiles FOR EACH ROW WHEN ((old.plan IS DISTINCT FROM new.plan)) EXECUTE FUNCTION private.follow_listed_plan();
CREATE TRIGGER user_directory_list AFTER INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.list_user();
alter table public.profiles enable row level security;
create policy profiles_of_open_account on public.profiles as restrictive for all to authenticated using (( SELECT private.is_account_open() AS is_account_open));
create policy profiles_select_own on public.profiles for select to authenticated using ((id = ( SELECT auth.uid() AS uid)));
create policy profiles_service on public.profiles for all to service_role using (true) with check (true);
create policy profiles_update_own on public.profiles for update to authenticated using ((id = ( SELECT auth.uid() AS uid))) with check ((id = ( SELECT auth.uid() AS uid)));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.profiles to service_role;
grant select on public.profiles to authenticated;
grant update (name, updated_at) on public.profiles to authenticated;

-- public.saved_searches
create table public.saved_searches (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  name text not null,
  question text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint saved_searches_pkey PRIMARY KEY (id),
  constraint saved_searches_question_once UNIQUE (user_id, question),
  constraint saved_searches_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint saved_searches_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint saved_searches_name_trimmed CHECK ((name !~ '^\s|\s$'::text)),
  constraint saved_searches_question_length CHECK (((char_length(question) >= 1) AND (char_length(question) <= 500))),
  constraint saved_searches_question_trimmed CHECK ((question !~ '^\s|\s$'::text))
);
CREATE TRIGGER saved_searches_limit AFTER INSERT ON public.saved_searches REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_saved_searches();
alter table public.saved_searches enable row level security;
create policy saved_searches_delete_in_scope on public.saved_searches as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy saved_searches_delete_own on public.saved_searches for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy saved_searches_insert_in_scope on public.saved_searches as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy saved_searches_insert_own on public.saved_searches for insert to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy saved_searches_of_open_account on public.saved_searches as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy saved_searches_select_own on public.saved_searches for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy saved_searches_service on public.saved_searches for all to service_role using (true) with check (true);
create policy saved_searches_update_in_scope on public.saved_searches as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy saved_searches_update_own on public.saved_searches for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.saved_searches to service_role;
grant delete, select on public.saved_searches to authenticated;
grant insert (id, user_id, name, question) on public.saved_searches to authenticated;
grant update (name) on public.saved_searches to authenticated;
alter table public.saved_searches replica identity full;

-- public.shared_with
create table public.shared_with (
  category_id uuid not null,
  email text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  id uuid not null default gen_random_uuid(),
  constraint shared_with_pkey PRIMARY KEY (id),
  constraint shared_with_category_id_email_key UNIQUE (category_id, email),
  constraint shared_with_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id) ON DELETE CASCADE,
  constraint shared_with_email_valid CHECK (private.are_share_emails(ARRAY[email]))
);
CREATE INDEX shared_with_earliest_of_email ON public.shared_with USING btree (email, created_at, category_id);
CREATE TRIGGER shared_with_gate BEFORE INSERT ON public.shared_with FOR EACH ROW EXECUTE FUNCTION private.gate_invitation();
CREATE TRIGGER shared_with_keep_deleted AFTER DELETE ON public.shared_with REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_shares();
CREATE TRIGGER shared_with_limit AFTER INSERT ON public.shared_with REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_invitations();
CREATE TRIGGER shared_with_limit_of_person AFTER INSERT ON public.shared_with REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_invitations_of_person();
CREATE TRIGGER shared_with_lower_email BEFORE INSERT OR UPDATE OF email ON public.shared_with FOR EACH ROW EXECUTE FUNCTION private.lower_invited_email();
CREATE TRIGGER shared_with_new_in_scope BEFORE INSERT ON public.shared_with FOR EACH ROW EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER shared_with_note_added AFTER INSERT ON public.shared_with REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_invitations();
CREATE TRIGGER shared_with_note_removed AFTER DELETE ON public.shared_with REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_invitations();
CREATE TRIGGER shared_with_record_added AFTER INSERT ON public.shared_with REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.record_invitations();
CREATE TRIGGER shared_with_respect_leaving BEFORE INSERT ON public.shared_with FOR EACH ROW EXECUTE FUNCTION private.respect_leaving();
CREATE TRIGGER shared_with_tell_added AFTER INSERT ON public.shared_with REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_lists();
CREATE TRIGGER shared_with_tell_removed AFTER DELETE ON public.shared_with REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.tell_viewers_of_lists();
alter table public.shared_with enable row level security;
create policy shared_with_delete_own on public.shared_with for delete to authenticated using ((category_id = ANY (( SELECT private.own_category_ids() AS own_category_ids)::uuid[])));
create policy shared_with_insert_own on public.shared_with for insert to authenticated with check ((category_id = ANY (( SELECT private.own_category_ids() AS own_category_ids)::uuid[])));
create policy shared_with_of_open_account on public.shared_with as restrictive for all to authenticated using (( SELECT private.may_share() AS may_share));
create policy shared_with_select_own_or_named on public.shared_with for select to authenticated using (((email = ( SELECT lower(auth.email()) AS lower)) OR (category_id = ANY (( SELECT private.own_category_ids() AS own_category_ids)::uuid[]))));
create policy shared_with_service on public.shared_with for all to service_role using (true) with check (true);
grant delete, insert, maintain, references, select, trigger, truncate, update on public.shared_with to service_role;
grant delete, select on public.shared_with to authenticated;
grant insert (category_id, email) on public.shared_with to authenticated;
alter table public.shared_with replica identity full;

-- public.subscribers
create table public.subscribers (
  user_id uuid not null,
  plan text not null default 'free'::text,
  subscription_status text,
  current_period_end timestamp with time zone,
  stripe_customer_id text,
  stripe_subscription_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  cancel_at_period_end boolean not null default false,
  trial_end timestamp with time zone,
  stripe_price_id text,
  billing_interval text,
  amount_cents integer,
  currency text,
  constraint subscribers_pkey PRIMARY KEY (user_id),
  constraint subscribers_customer_is_unique UNIQUE (stripe_customer_id),
  constraint subscribers_subscription_is_unique UNIQUE (stripe_subscription_id),
  constraint subscribers_plan_is_known FOREIGN KEY (plan) REFERENCES private.plan_limits(plan),
  constraint subscribers_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint subscribers_amount_is_not_negative CHECK ((amount_cents >= 0)),
  constraint subscribers_billing_interval_is_known CHECK ((billing_interval = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint subscribers_currency_is_a_code CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint subscribers_status_is_known CHECK ((subscription_status = ANY (ARRAY['active'::text, 'expired'::text, 'canceled'::text, 'refunded'::text, 'payment_failed'::text])))
);
CREATE TRIGGER subscribers_keep_identity BEFORE UPDATE ON public.subscribers FOR EACH ROW WHEN ((old.user_id IS DISTINCT FROM new.user_id)) EXECUTE FUNCTION private.refuse_identity_change();
CREATE TRIGGER subscribers_set_plan AFTER INSERT OR DELETE OR UPDATE ON public.subscribers FOR EACH ROW EXECUTE FUNCTION private.follow_subscription();
CREATE TRIGGER subscribers_touch BEFORE UPDATE ON public.subscribers FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
alter table public.subscribers enable row level security;
create policy subscribers_of_open_account on public.subscribers as restrictive for all to authenticated using (( SELECT private.is_account_open() AS is_account_open));
create policy subscribers_select_own on public.subscribers for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy subscribers_service on public.subscribers for all to service_role using (true) with check (true);
grant delete, insert, maintain, references, select, trigger, truncate, update on public.subscribers to service_role;
grant select on public.subscribers to authenticated;
alter table public.subscribers replica identity full;

-- public.tags
create table public.tags (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  folded text not null,
  color text,
  link_count integer not null default 0,
  tagged_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint tags_pkey PRIMARY KEY (id),
  constraint tags_id_and_owner UNIQUE (id, user_id),
  constraint tags_name_unique_per_user UNIQUE (user_id, folded),
  constraint tags_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint tags_color_known CHECK ((color = ANY (ARRAY['red'::text, 'orange'::text, 'yellow'::text, 'green'::text, 'teal'::text, 'blue'::text, 'purple'::text, 'pink'::text]))),
  constraint tags_name_compares CHECK ((folded ~ '\S'::text)),
  constraint tags_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50))),
  constraint tags_name_plain CHECK ((name !~ '^[\s#]|\s$|\s\s|[",;|\u201c\u201d\x01-\x1f\x7f]'::text))
);
CREATE TRIGGER tags_fold BEFORE INSERT OR UPDATE OF name, folded ON public.tags FOR EACH ROW EXECUTE FUNCTION private.fold_tag();
CREATE TRIGGER tags_limit AFTER INSERT ON public.tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_tags();
CREATE TRIGGER tags_note_added AFTER INSERT ON public.tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_tags();
CREATE TRIGGER tags_note_removed AFTER DELETE ON public.tags REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_tags();
CREATE TRIGGER tags_tell_renamed AFTER UPDATE OF name ON public.tags FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name)) EXECUTE FUNCTION private.tell_viewers_of_tags();
alter table public.tags enable row level security;
create policy tags_delete_in_scope on public.tags as restrictive for delete to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy tags_insert_in_scope on public.tags as restrictive for insert to authenticated with check (( SELECT private.may_write_links() AS may_write_links));
create policy tags_of_open_account on public.tags as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links));
create policy tags_select_own on public.tags for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy tags_service on public.tags for all to service_role using (true) with check (true);
create policy tags_update_in_scope on public.tags as restrictive for update to authenticated using (( SELECT private.may_write_links() AS may_write_links));
create policy tags_update_own on public.tags for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
grant delete, insert, maintain, references, select, trigger, truncate, update on public.tags to service_role;
grant select on public.tags to authenticated;
grant update (name, color) on public.tags to authenticated;
alter table public.tags replica identity full;

-- private.access_request_mails
create table private.access_request_mails (
  id uuid not null default gen_random_uuid(),
  request_id uuid not null,
  owner_id uuid not null,
  asker_id uuid not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  queued_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  leased_until timestamp with time zone,
  started_at timestamp with time zone,
  constraint access_request_mails_pkey PRIMARY KEY (id),
  constraint access_request_mails_asker_id_fkey FOREIGN KEY (asker_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint access_request_mails_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint access_request_mails_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'expired'::text])))
);
CREATE INDEX access_request_mails_due ON private.access_request_mails USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX access_request_mails_of_asker ON private.access_request_mails USING btree (asker_id);
CREATE INDEX access_request_mails_of_owner ON private.access_request_mails USING btree (owner_id, queued_at);
CREATE TRIGGER access_request_mails_notify AFTER INSERT ON private.access_request_mails FOR EACH STATEMENT EXECUTE FUNCTION private.notify_mail_queued();
alter table private.access_request_mails enable row level security;

-- private.access_requests
create table private.access_requests (
  id uuid not null default gen_random_uuid(),
  asker_id uuid not null,
  category_id uuid not null,
  owner_id uuid,
  email text not null,
  note text not null default ''::text,
  asked_at timestamp with time zone not null default now(),
  refused_at timestamp with time zone,
  constraint access_requests_pkey PRIMARY KEY (id),
  constraint access_requests_once UNIQUE (asker_id, category_id, owner_id),
  constraint access_requests_asker_id_fkey FOREIGN KEY (asker_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint access_requests_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint access_requests_note_length CHECK ((char_length(note) <= 280))
);
CREATE INDEX access_requests_of_owner ON private.access_requests USING btree (owner_id, asked_at) WHERE (owner_id IS NOT NULL);
CREATE INDEX access_requests_oldest ON private.access_requests USING btree (asked_at);
alter table private.access_requests enable row level security;

-- private.account_activity
create view private.account_activity as
 SELECT id AS user_id,
    GREATEST(created_at, last_sign_in_at, ( SELECT max(GREATEST(s.created_at, (s.refreshed_at AT TIME ZONE 'utc'::text))) AS max
           FROM auth.sessions s
          WHERE s.user_id = u.id)) AS seen_at
   FROM auth.users u;
alter table private.account_activity replica identity nothing;

-- private.account_closures
create table private.account_closures (
  user_id uuid not null,
  id uuid not null default gen_random_uuid(),
  reason text not null,
  closed_at timestamp with time zone not null default now(),
  purge_after timestamp with time zone,
  purge_started_at timestamp with time zone,
  reopened_at timestamp with time zone,
  is_notice_due boolean not null default false,
  constraint account_closures_pkey PRIMARY KEY (user_id),
  constraint account_closures_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint account_closures_purge_is_of_deletion CHECK (((reason = 'deletion'::text) = (purge_after IS NOT NULL))),
  constraint account_closures_reason_known CHECK ((reason = ANY (ARRAY['deletion'::text, 'inactivity'::text])))
);
CREATE INDEX account_closures_due ON private.account_closures USING btree (purge_after) WHERE (reopened_at IS NULL);
CREATE TRIGGER account_closures_end_feeds AFTER INSERT OR UPDATE ON private.account_closures FOR EACH ROW WHEN (((new.reason = 'deletion'::text) AND (new.reopened_at IS NULL))) EXECUTE FUNCTION private.end_feeds();
CREATE TRIGGER account_closures_end_mail_address AFTER INSERT OR UPDATE ON private.account_closures FOR EACH ROW WHEN (((new.reason = 'deletion'::text) AND (new.reopened_at IS NULL))) EXECUTE FUNCTION private.end_mail_address();
CREATE TRIGGER account_closures_end_webhooks AFTER INSERT OR UPDATE ON private.account_closures FOR EACH ROW WHEN (((new.reason = 'deletion'::text) AND (new.reopened_at IS NULL))) EXECUTE FUNCTION private.end_webhooks();
CREATE TRIGGER account_closures_tell_members AFTER INSERT OR UPDATE OF reopened_at ON private.account_closures FOR EACH ROW EXECUTE FUNCTION private.tell_members_of_closed();
CREATE TRIGGER account_closures_wake_bin AFTER UPDATE OF reopened_at ON private.account_closures FOR EACH ROW WHEN (((old.reopened_at IS NULL) AND (new.reopened_at IS NOT NULL))) EXECUTE FUNCTION private.wake_bin();
alter table private.account_closures enable row level security;

-- private.account_events
create table private.account_events (
  id bigint not null generated always as identity,
  happened_at timestamp with time zone not null default now(),
  event text not null,
  closure_id uuid not null,
  constraint account_events_pkey PRIMARY KEY (id),
  constraint account_events_event_known CHECK ((event = ANY (ARRAY['deleted'::text, 'suspended'::text, 'reopened'::text, 'purge_started'::text, 'purged'::text])))
);
alter table private.account_events enable row level security;

-- private.account_mails
create table private.account_mails (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  kind text not null,
  occasion timestamp with time zone not null,
  deadline timestamp with time zone not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  queued_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  leased_until timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint account_mails_pkey PRIMARY KEY (id),
  constraint account_mails_one_per_occasion UNIQUE (user_id, kind, occasion),
  constraint account_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint account_mails_kind_known CHECK ((kind = ANY (ARRAY['deleted'::text, 'inactive_first'::text, 'inactive_second'::text, 'suspended'::text, 'webhook_off'::text]))),
  constraint account_mails_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'withdrawn'::text])))
);
CREATE INDEX account_mails_due ON private.account_mails USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX account_mails_leased ON private.account_mails USING btree (leased_until) WHERE (state = 'sending'::text);
CREATE TRIGGER account_mails_notify AFTER INSERT ON private.account_mails FOR EACH STATEMENT EXECUTE FUNCTION private.notify_mail_queued();
alter table private.account_mails enable row level security;

-- private.account_upkeep
create table private.account_upkeep (
  is_this boolean not null default true,
  due_at timestamp with time zone not null default (now() + '01:00:00'::interval),
  constraint account_upkeep_pkey PRIMARY KEY (is_this),
  constraint account_upkeep_is_one_row CHECK (is_this)
);
alter table private.account_upkeep enable row level security;

-- private.admin_audit_log
create table private.admin_audit_log (
  id bigint not null generated always as identity,
  happened_at timestamp with time zone not null default clock_timestamp(),
  admin_id uuid not null,
  action text not null,
  user_id uuid,
  details jsonb not null default '{}'::jsonb,
  transaction_id xid8,
  constraint admin_audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX admin_audit_log_newest ON private.admin_audit_log USING btree (happened_at);
CREATE TRIGGER admin_audit_log_only_grows BEFORE DELETE OR UPDATE OR TRUNCATE ON private.admin_audit_log FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_audit_change();
alter table private.admin_audit_log enable row level security;

-- private.available_folders
create view private.available_folders as
 SELECT o.folder_id,
    o.owner_id,
    m.member_id AS person_id,
    false AS is_closed
   FROM private.folder_offers o
     JOIN public.folder_members m ON m.folder_id = o.folder_id AND m.email = o.email AND (m.role = ANY (ARRAY['editor'::text, 'manager'::text]))
  WHERE m.member_id IS NOT NULL AND NOT (EXISTS ( SELECT
           FROM private.account_closures c
          WHERE c.user_id = o.owner_id AND c.reopened_at IS NULL))
UNION
 SELECT m.folder_id,
    m.owner_id,
    m.member_id AS person_id,
    true AS is_closed
   FROM public.folder_members m
     JOIN private.account_closures c ON c.user_id = m.owner_id
  WHERE m.role = 'manager'::text AND m.member_id IS NOT NULL AND c.reason = 'deletion'::text AND c.reopened_at IS NULL AND c.purge_started_at IS NULL AND c.purge_after > now();
alter table private.available_folders replica identity nothing;

-- private.category_changes
create table private.category_changes (
  id bigint not null generated always as identity,
  category_id uuid not null,
  act text not null,
  count integer not null,
  subject text,
  program text,
  changed_at timestamp with time zone not null default now(),
  person_id uuid,
  act_id bigint,
  constraint category_changes_pkey PRIMARY KEY (id),
  constraint category_changes_act_id_fkey FOREIGN KEY (act_id) REFERENCES private.program_acts(id) ON DELETE CASCADE,
  constraint category_changes_category FOREIGN KEY (category_id) REFERENCES public.categories(id) ON DELETE CASCADE,
  constraint category_changes_act_known CHECK ((act = ANY (ARRAY['saved'::text, 'changed'::text, 'moved_in'::text, 'moved_out'::text, 'deleted'::text, 'tagged'::text, 'renamed'::text, 'published'::text, 'unpublished'::text, 'shared'::text, 'unshared'::text])))
);
CREATE INDEX category_changes_by_age ON private.category_changes USING btree (changed_at);
CREATE INDEX category_changes_newest ON private.category_changes USING btree (category_id, id);
CREATE INDEX category_changes_of_act ON private.category_changes USING btree (act_id) WHERE (act_id IS NOT NULL);
alter table private.category_changes enable row level security;

-- private.category_visits
create table private.category_visits (
  person_id uuid not null,
  category_id uuid not null,
  seen_at timestamp with time zone not null default now(),
  constraint category_visits_pkey PRIMARY KEY (person_id, category_id),
  constraint category_visits_person_is_a_user FOREIGN KEY (person_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table private.category_visits enable row level security;

-- private.chosen_shares
create table private.chosen_shares (
  user_id uuid not null,
  category_id uuid not null,
  constraint chosen_shares_pkey PRIMARY KEY (user_id),
  constraint chosen_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
alter table private.chosen_shares enable row level security;

-- private.daily_mails
create table private.daily_mails (
  user_id uuid not null,
  unsubscribed_at timestamp with time zone,
  told_until timestamp with time zone not null default now(),
  due_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone not null,
  attempts integer not null default 0,
  mail_id uuid,
  window_end timestamp with time zone,
  leased_until timestamp with time zone,
  content_hash text,
  started_at timestamp with time zone,
  constraint daily_mails_pkey PRIMARY KEY (user_id),
  constraint daily_mails_mail_id_key UNIQUE (mail_id),
  constraint daily_mails_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint daily_mails_leased_or_not CHECK (((num_nonnulls(leased_until, content_hash) = ANY (ARRAY[0, 2])) AND ((leased_until IS NULL) OR (mail_id IS NOT NULL)) AND ((started_at IS NULL) OR (leased_until IS NOT NULL)))),
  constraint daily_mails_made_or_not CHECK ((num_nonnulls(mail_id, window_end) = ANY (ARRAY[0, 2])))
);
CREATE INDEX daily_mails_due ON private.daily_mails USING btree (next_attempt_at) WHERE (unsubscribed_at IS NULL);
CREATE INDEX daily_mails_leased ON private.daily_mails USING btree (leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX daily_mails_waiting ON private.daily_mails USING btree (due_at) WHERE (unsubscribed_at IS NULL);
alter table private.daily_mails enable row level security;

-- private.deleted_rows
create table private.deleted_rows (
  deletion_id bigint not null,
  kind text not null,
  id uuid not null,
  parent_id uuid,
  content jsonb not null,
  constraint deleted_rows_kind_known CHECK ((kind = ANY (ARRAY['folder'::text, 'category'::text, 'share'::text, 'link'::text, 'favorite'::text, 'look'::text, 'order'::text, 'tags'::text, 'member'::text, 'group'::text])))
);
CREATE INDEX deleted_rows_added_by ON private.deleted_rows USING btree (((content ->> 'added_by'::text))) WHERE ((kind = 'link'::text) AND ((content ->> 'added_by'::text) IS NOT NULL));
CREATE INDEX deleted_rows_by_id ON private.deleted_rows USING btree (deletion_id, kind, id);
CREATE INDEX deleted_rows_categories ON private.deleted_rows USING btree (id) WHERE (kind = 'category'::text);
CREATE INDEX deleted_rows_of_email ON private.deleted_rows USING btree (((content ->> 'email'::text))) WHERE (kind = ANY (ARRAY['share'::text, 'member'::text]));
CREATE INDEX deleted_rows_of_folder_emails ON private.deleted_rows USING gin (((content -> 'shared_with'::text))) WHERE ((kind = 'folder'::text) AND ((content -> 'shared_with'::text) <> '[]'::jsonb));
alter table private.deleted_rows enable row level security;

-- private.deleted_zones
create table private.deleted_zones (
  deletion_id bigint not null,
  oldest timestamp with time zone not null,
  newest timestamp with time zone not null,
  grams bit(8192) not null storage plain
);
CREATE INDEX deleted_zones_of_deletion ON private.deleted_zones USING btree (deletion_id);
alter table private.deleted_zones enable row level security;

-- private.deletions
create table private.deletions (
  id bigint not null generated always as identity,
  user_id uuid not null,
  transaction_id xid8 not null,
  deleted_at timestamp with time zone not null,
  link_count integer not null,
  category_count integer not null,
  zones_until timestamp with time zone not null,
  rows_until bigint not null default 0,
  purge_after timestamp with time zone not null default (now() + '30 days'::interval),
  folder_name text,
  category_name text,
  deleted_by uuid,
  constraint deletions_pkey PRIMARY KEY (id),
  constraint deletions_one_per_transaction UNIQUE (user_id, transaction_id, deleted_at),
  constraint deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.library_counts(user_id) ON DELETE CASCADE
);
CREATE INDEX deletions_by_others ON private.deletions USING btree (deleted_by) WHERE (deleted_by IS NOT NULL);
CREATE INDEX deletions_due ON private.deletions USING btree (purge_after);
CREATE INDEX deletions_newest_of_user ON private.deletions USING btree (user_id, id);
CREATE INDEX deletions_of_user ON private.deletions USING btree (user_id, rows_until);
CREATE TRIGGER deletions_forget_rows AFTER DELETE ON private.deletions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.forget_rows();
alter table private.deletions enable row level security;

-- private.failing_links
create table private.failing_links (
  link_id uuid not null,
  user_id uuid not null,
  failed_since timestamp with time zone not null default now(),
  failed_at timestamp with time zone not null default now(),
  status smallint,
  due_at timestamp with time zone not null,
  broken boolean not null generated always as (((failed_at - failed_since) >= '2 days'::interval)) stored,
  constraint failing_links_pkey PRIMARY KEY (link_id),
  constraint failing_links_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX failing_links_broken ON private.failing_links USING btree (user_id, link_id) WHERE broken;
CREATE INDEX failing_links_due ON private.failing_links USING btree (due_at);
CREATE INDEX failing_links_of_user ON private.failing_links USING btree (user_id);

-- private.feeds
create table private.feeds (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  category_id uuid,
  search_id uuid,
  key text not null default private.new_mail_local_part(),
  created_at timestamp with time zone not null default now(),
  constraint feeds_pkey PRIMARY KEY (id),
  constraint feeds_category_once UNIQUE (category_id),
  constraint feeds_key_key UNIQUE (key),
  constraint feeds_search_once UNIQUE (search_id),
  constraint feeds_category_of_same_owner FOREIGN KEY (category_id, user_id) REFERENCES public.categories(id, user_id) ON DELETE CASCADE,
  constraint feeds_search_exists FOREIGN KEY (search_id) REFERENCES public.saved_searches(id) ON DELETE CASCADE,
  constraint feeds_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint feeds_key_is_random CHECK ((key ~ '^[a-z2-7]{24}$'::text)),
  constraint feeds_of_one_thing CHECK ((num_nonnulls(category_id, search_id) = 1))
);
CREATE INDEX feeds_of_user ON private.feeds USING btree (user_id);
alter table private.feeds enable row level security;

-- private.finished_rounds
create table private.finished_rounds (
  round text not null,
  finished_at timestamp with time zone not null,
  constraint finished_rounds_pkey PRIMARY KEY (round),
  constraint finished_rounds_round_known CHECK ((round = ANY (ARRAY['file_sweep'::text, 'account_upkeep'::text])))
);
alter table private.finished_rounds enable row level security;

-- private.folder_groups
create table private.folder_groups (
  folder_id uuid not null,
  group_id uuid not null,
  owner_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint folder_groups_pkey PRIMARY KEY (folder_id, group_id),
  constraint folder_groups_role_key UNIQUE (folder_id, group_id, role),
  constraint folder_groups_folder_of_owner FOREIGN KEY (folder_id, owner_id) REFERENCES public.folders(id, user_id) ON DELETE CASCADE,
  constraint folder_groups_group_of_owner FOREIGN KEY (group_id, owner_id) REFERENCES private.groups(id, user_id) ON DELETE CASCADE,
  constraint folder_groups_role_known CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'manager'::text])))
);
CREATE INDEX folder_groups_of_group ON private.folder_groups USING btree (group_id);
CREATE TRIGGER folder_groups_keep_deleted AFTER DELETE ON private.folder_groups REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.keep_deleted_folder_groups();
CREATE TRIGGER folder_groups_new_in_scope BEFORE INSERT ON private.folder_groups FOR EACH ROW EXECUTE FUNCTION private.refuse_sharing_out_of_scope();
CREATE TRIGGER folder_groups_place_members AFTER INSERT ON private.folder_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.place_group_members();
alter table private.folder_groups enable row level security;

-- private.folder_invitations
create view private.folder_invitations as
 SELECT m.folder_id,
    m.email,
        CASE
            WHEN bool_or(m.role = 'manager'::text) THEN 'manager'::text
            WHEN bool_or(m.role = 'editor'::text) THEN 'editor'::text
            ELSE 'viewer'::text
        END AS role
   FROM public.folder_members m
     JOIN public.profiles p ON p.id = m.owner_id
     JOIN private.plan_limits l ON l.plan = p.plan
  WHERE l.can_share AND NOT (EXISTS ( SELECT
           FROM private.account_closures c
          WHERE c.user_id = m.owner_id AND c.reopened_at IS NULL))
  GROUP BY m.folder_id, m.email;
alter table private.folder_invitations replica identity nothing;

-- private.folder_offers
create table private.folder_offers (
  folder_id uuid not null,
  owner_id uuid not null,
  email text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint folder_offers_pkey PRIMARY KEY (folder_id),
  constraint folder_offers_folder_of_owner FOREIGN KEY (folder_id, owner_id) REFERENCES public.folders(id, user_id) ON DELETE CASCADE
);
CREATE INDEX folder_offers_of_email ON private.folder_offers USING btree (email);
CREATE TRIGGER folder_offers_tell AFTER INSERT OR DELETE OR UPDATE ON private.folder_offers FOR EACH ROW EXECUTE FUNCTION private.tell_offered();
alter table private.folder_offers enable row level security;

-- private.folder_places
create view private.folder_places as
 SELECT m.folder_id,
    m.owner_id,
    m.member_id AS person_id,
        CASE
            WHEN bool_or(m.role = 'manager'::text) THEN 'manager'::text
            WHEN bool_or(m.role = 'editor'::text) THEN 'editor'::text
            ELSE 'viewer'::text
        END AS role,
    l.can_share AND bool_or(m.role = ANY (ARRAY['editor'::text, 'manager'::text])) AS may_write,
    l.can_share AND bool_or(m.role = 'manager'::text) AS may_manage,
    min(m.created_at) AS since
   FROM public.folder_members m
     JOIN public.profiles p ON p.id = m.owner_id
     JOIN private.plan_limits l ON l.plan = p.plan
  WHERE m.member_id IS NOT NULL AND NOT (EXISTS ( SELECT
           FROM private.account_closures c
          WHERE c.user_id = m.owner_id AND c.reopened_at IS NULL))
  GROUP BY m.folder_id, m.owner_id, m.member_id, l.can_share;
alter table private.folder_places replica identity nothing;

-- private.group_members
create table private.group_members (
  group_id uuid not null,
  email text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint group_members_pkey PRIMARY KEY (group_id, email),
  constraint group_members_group_exists FOREIGN KEY (group_id) REFERENCES private.groups(id) ON DELETE CASCADE,
  constraint group_members_email_valid CHECK (private.are_share_emails(ARRAY[email]))
);
CREATE INDEX group_members_of_email ON private.group_members USING btree (email);
CREATE TRIGGER group_members_place AFTER INSERT ON private.group_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.place_group_members();
alter table private.group_members enable row level security;

-- private.groups
create table private.groups (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint groups_pkey PRIMARY KEY (id),
  constraint groups_id_user_id_key UNIQUE (id, user_id),
  constraint groups_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint groups_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint groups_name_trimmed CHECK ((name !~ '^\s|\s$'::text))
);
CREATE UNIQUE INDEX groups_name_once ON private.groups USING btree (user_id, lower(name));
alter table private.groups enable row level security;

-- private.idempotency_keys
create table private.idempotency_keys (
  user_id uuid not null,
  program text not null,
  key text not null,
  request text not null,
  answer json,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, program, key),
  constraint idempotency_keys_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint idempotency_keys_answer_length CHECK ((octet_length((answer)::text) <= 65536)),
  constraint idempotency_keys_key_length CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255))),
  constraint idempotency_keys_program_length CHECK ((char_length(program) <= 100))
);
CREATE INDEX idempotency_keys_oldest ON private.idempotency_keys USING btree (created_at);
alter table private.idempotency_keys enable row level security;

-- private.import_parts
create table private.import_parts (
  user_id uuid not null,
  import_id uuid not null,
  part integer not null,
  answer jsonb not null,
  folder_ids uuid[] not null,
  category_ids uuid[] not null,
  link_ids uuid[] not null,
  tag_ids uuid[] not null default '{}'::uuid[],
  constraint import_parts_pkey PRIMARY KEY (user_id, import_id, part),
  constraint import_parts_import_fkey FOREIGN KEY (user_id, import_id) REFERENCES private.imports(user_id, id) ON DELETE CASCADE
);
CREATE TRIGGER import_parts_limit BEFORE INSERT ON private.import_parts FOR EACH ROW EXECUTE FUNCTION private.limit_import_parts();
alter table private.import_parts enable row level security;

-- private.imports
create table private.imports (
  user_id uuid not null,
  id uuid not null,
  started_at timestamp with time zone not null default now(),
  undone_at timestamp with time zone,
  constraint imports_pkey PRIMARY KEY (user_id, id),
  constraint imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.library_counts(user_id) ON DELETE CASCADE
);
CREATE INDEX imports_oldest ON private.imports USING btree (started_at);
alter table private.imports enable row level security;

-- private.installation
create table private.installation (
  is_this boolean not null default true,
  admin_user_id uuid,
  constraint installation_pkey PRIMARY KEY (is_this),
  constraint installation_is_one_row CHECK (is_this)
);
grant select on private.installation to service_role;
grant update (admin_user_id) on private.installation to service_role;

-- private.left_shares
create table private.left_shares (
  user_id uuid not null,
  category_id uuid not null,
  shared_at timestamp with time zone not null,
  left_at timestamp with time zone not null default now(),
  constraint left_shares_pkey PRIMARY KEY (user_id, category_id),
  constraint left_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
CREATE INDEX left_shares_of_category ON private.left_shares USING btree (category_id);
alter table private.left_shares enable row level security;

-- private.link_addresses
create table private.link_addresses (
  user_id uuid not null,
  hash bigint not null,
  created_at timestamp with time zone not null,
  id uuid not null
) with (autovacuum_vacuum_insert_threshold=1000, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_scale_factor=0);
CREATE INDEX link_addresses_of_user ON private.link_addresses USING btree (user_id, hash, created_at, id);

-- private.link_check_rounds
create table private.link_check_rounds (
  user_id uuid not null,
  began_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  reached_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  reached_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  taken_at timestamp with time zone,
  taken_id uuid,
  due_at timestamp with time zone not null default now(),
  constraint link_check_rounds_pkey PRIMARY KEY (user_id),
  constraint link_check_rounds_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX link_check_rounds_due ON private.link_check_rounds USING btree (due_at);

-- private.link_covers
create table private.link_covers (
  link_id uuid not null,
  user_id uuid not null,
  state text not null,
  tried_at timestamp with time zone not null default now(),
  leftover_since timestamp with time zone,
  constraint link_covers_pkey PRIMARY KEY (link_id),
  constraint link_covers_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint link_covers_state_known CHECK ((state = ANY (ARRAY['image'::text, 'none'::text, 'removed'::text, 'old'::text])))
);
CREATE INDEX link_covers_left_over ON private.link_covers USING btree (leftover_since) WHERE (leftover_since IS NOT NULL);
CREATE INDEX link_covers_of_user ON private.link_covers USING btree (user_id);

-- private.link_search
create table private.link_search (
  user_id uuid not null,
  created_at timestamp with time zone not null,
  id uuid not null,
  piece text not null storage external
) with (autovacuum_vacuum_insert_threshold=1000, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_scale_factor=0, autovacuum_analyze_threshold=1000, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX link_search_newest_of_user ON private.link_search USING btree (user_id, created_at, id) INCLUDE (piece);

-- private.link_search_zones
create table private.link_search_zones (
  user_id uuid not null,
  oldest timestamp with time zone not null,
  newest timestamp with time zone not null,
  grams bit(8192) not null storage plain,
  summed_at timestamp with time zone not null default clock_timestamp(),
  is_exact boolean not null default false,
  constraint link_search_zones_pkey PRIMARY KEY (user_id, newest),
  constraint link_search_zones_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX link_search_zones_to_refresh ON private.link_search_zones USING btree (user_id) WHERE (NOT is_exact);

-- private.mail_addresses
create table private.mail_addresses (
  user_id uuid not null,
  local_part text not null,
  any_sender boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint mail_addresses_pkey PRIMARY KEY (user_id),
  constraint mail_addresses_local_part_key UNIQUE (local_part),
  constraint mail_addresses_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint mail_addresses_local_part_is_random CHECK ((local_part ~ '^[a-z2-7]{24}$'::text))
);
alter table private.mail_addresses enable row level security;

-- private.mail_senders
create table private.mail_senders (
  user_id uuid not null,
  email text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint mail_senders_pkey PRIMARY KEY (user_id, email),
  constraint mail_senders_address FOREIGN KEY (user_id) REFERENCES private.mail_addresses(user_id) ON DELETE CASCADE,
  constraint mail_senders_email_is_an_address CHECK ((email ~ '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$'::text)),
  constraint mail_senders_email_length CHECK ((char_length(email) <= 254))
);
alter table private.mail_senders enable row level security;

-- private.open_access_requests
create view private.open_access_requests as
 SELECT r.id,
    r.owner_id,
    r.category_id,
    c.name AS category_name,
    r.asker_id,
    p.name AS asker_name,
    r.email,
    r.note,
    r.asked_at
   FROM private.access_requests r
     JOIN public.categories c ON c.id = r.category_id AND c.user_id = r.owner_id AND NOT c.is_public
     JOIN public.profiles p ON p.id = r.asker_id
  WHERE r.refused_at IS NULL AND NOT private.is_account_closed(r.asker_id) AND NOT (EXISTS ( SELECT
           FROM public.shared_with s
          WHERE s.category_id = r.category_id AND s.email = r.email));
alter table private.open_access_requests replica identity nothing;

-- private.page_attempts
create table private.page_attempts (
  category_id uuid not null,
  network inet not null,
  since timestamp with time zone not null default now(),
  wrong integer not null default 0,
  constraint page_attempts_pkey PRIMARY KEY (category_id, network),
  constraint page_attempts_category_id_fkey FOREIGN KEY (category_id) REFERENCES private.public_pages(category_id) ON DELETE CASCADE
);
alter table private.page_attempts enable row level security;

-- private.page_proofs
create table private.page_proofs (
  digest bytea not null,
  category_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint page_proofs_pkey PRIMARY KEY (digest),
  constraint page_proofs_category_id_fkey FOREIGN KEY (category_id) REFERENCES private.public_pages(category_id) ON DELETE CASCADE
);
CREATE INDEX page_proofs_of_category ON private.page_proofs USING btree (category_id, expires_at);
alter table private.page_proofs enable row level security;

-- private.plan_limits
create table private.plan_limits (
  plan text not null,
  max_links integer,
  max_categories integer,
  max_received_shares integer,
  can_share boolean not null,
  storage_megabytes integer not null,
  max_folder_members integer not null,
  max_webhooks integer not null default 0,
  constraint plan_limits_pkey PRIMARY KEY (plan)
);

-- private.program_act_rows
create table private.program_act_rows (
  act_id bigint not null,
  kind text not null,
  row_id uuid not null,
  was jsonb,
  became jsonb,
  tags_given uuid[] not null default '{}'::uuid[],
  tags_taken uuid[] not null default '{}'::uuid[],
  happened_at timestamp with time zone not null default now(),
  constraint program_act_rows_pkey PRIMARY KEY (act_id, kind, row_id),
  constraint program_act_rows_act_id_fkey FOREIGN KEY (act_id) REFERENCES private.program_acts(id) ON DELETE CASCADE,
  constraint program_act_rows_kind_known CHECK ((kind = ANY (ARRAY['link'::text, 'category'::text, 'tag'::text])))
);
alter table private.program_act_rows enable row level security;

-- private.program_acts
create table private.program_acts (
  id bigint not null generated always as identity,
  owner_id uuid not null,
  person_id uuid not null,
  key text not null,
  started_at timestamp with time zone not null default now(),
  row_count integer not null,
  rows_until bigint not null,
  made_tags uuid[] not null default '{}'::uuid[],
  undone_at timestamp with time zone,
  undone jsonb,
  constraint program_acts_pkey PRIMARY KEY (id),
  constraint program_acts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.library_counts(user_id) ON DELETE CASCADE
);
CREATE INDEX program_acts_by_age ON private.program_acts USING btree (started_at);
CREATE INDEX program_acts_of_owner ON private.program_acts USING btree (owner_id, rows_until);
CREATE UNIQUE INDEX program_acts_going_on ON private.program_acts USING btree (owner_id, person_id, key) WHERE (undone_at IS NULL);
alter table private.program_acts enable row level security;

-- private.public_pages
create table private.public_pages (
  category_id uuid not null,
  user_id uuid not null,
  ends_at timestamp with time zone,
  password_hash text,
  constraint public_pages_pkey PRIMARY KEY (category_id),
  constraint public_pages_password_is_hashed CHECK ((password_hash ~~ '$2a$%'::text))
);
CREATE INDEX public_pages_of_user ON private.public_pages USING btree (user_id);
alter table private.public_pages enable row level security;

-- private.refused_mails
create table private.refused_mails (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  message_key text not null,
  sender text not null,
  subject text not null,
  reason text not null,
  refused_at timestamp with time zone not null default clock_timestamp(),
  constraint refused_mails_pkey PRIMARY KEY (id),
  constraint refused_mails_once UNIQUE (user_id, message_key),
  constraint refused_mails_address FOREIGN KEY (user_id) REFERENCES private.mail_addresses(user_id) ON DELETE CASCADE,
  constraint refused_mails_message_key_length CHECK (((char_length(message_key) >= 1) AND (char_length(message_key) <= 100))),
  constraint refused_mails_reason_known CHECK ((reason = ANY (ARRAY['unknown_sender'::text, 'unverified_sender'::text, 'no_link'::text, 'too_many_links'::text, 'too_many_mails'::text, 'plan_limit_links'::text, 'plan_limit_categories'::text]))),
  constraint refused_mails_sender_length CHECK ((char_length(sender) <= 254)),
  constraint refused_mails_subject_length CHECK ((char_length(subject) <= 100))
);
alter table private.refused_mails enable row level security;

-- private.restorations
create table private.restorations (
  user_id uuid not null,
  link_count integer not null,
  category_count integer not null,
  constraint restorations_pkey PRIMARY KEY (user_id)
);
alter table private.restorations enable row level security;

-- private.saved_mails
create table private.saved_mails (
  user_id uuid not null,
  message_key text not null,
  saved_at timestamp with time zone not null default clock_timestamp(),
  constraint saved_mails_pkey PRIMARY KEY (user_id, message_key),
  constraint saved_mails_address FOREIGN KEY (user_id) REFERENCES private.mail_addresses(user_id) ON DELETE CASCADE,
  constraint saved_mails_message_key_length CHECK (((char_length(message_key) >= 1) AND (char_length(message_key) <= 100)))
);
CREATE INDEX saved_mails_by_moment ON private.saved_mails USING btree (user_id, saved_at);
alter table private.saved_mails enable row level security;

-- private.share_mail_addresses
create table private.share_mail_addresses (
  email text not null,
  token uuid not null default gen_random_uuid(),
  unsubscribed_at timestamp with time zone,
  mailbox text not null generated always as (private.mailbox_of(email)) stored,
  constraint share_mail_addresses_pkey PRIMARY KEY (email),
  constraint share_mail_addresses_token_unique UNIQUE (token)
);
CREATE INDEX share_mail_addresses_of_mailbox ON private.share_mail_addresses USING btree (mailbox);
alter table private.share_mail_addresses enable row level security;

-- private.share_notifications
create table private.share_notifications (
  id uuid not null default gen_random_uuid(),
  category_id uuid,
  email text not null,
  sender_id uuid not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  queued_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone not null default now(),
  leased_until timestamp with time zone,
  claimed_at timestamp with time zone,
  started_at timestamp with time zone,
  sent_at timestamp with time zone,
  mailbox text not null generated always as (private.mailbox_of(email)) stored,
  folder_id uuid,
  constraint share_notifications_pkey PRIMARY KEY (id),
  constraint share_notifications_one_per_folder UNIQUE (folder_id, mailbox),
  constraint share_notifications_one_per_mailbox UNIQUE (category_id, mailbox),
  constraint share_notifications_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint share_notifications_of_one_thing CHECK ((num_nonnulls(category_id, folder_id) = 1)),
  constraint share_notifications_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'expired'::text])))
);
CREATE INDEX share_notifications_claimed ON private.share_notifications USING btree (claimed_at) WHERE (claimed_at IS NOT NULL);
CREATE INDEX share_notifications_due ON private.share_notifications USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX share_notifications_leased ON private.share_notifications USING btree (leased_until) WHERE (state = 'sending'::text);
CREATE INDEX share_notifications_of_receiver ON private.share_notifications USING btree (mailbox, claimed_at);
CREATE INDEX share_notifications_of_sender ON private.share_notifications USING btree (sender_id, claimed_at);
CREATE INDEX share_notifications_oldest ON private.share_notifications USING btree (queued_at);
CREATE TRIGGER share_notifications_notify AFTER INSERT ON private.share_notifications FOR EACH STATEMENT EXECUTE FUNCTION private.notify_mail_queued();
alter table private.share_notifications enable row level security;

-- private.shares_at_rest
create table private.shares_at_rest (
  user_id uuid not null,
  category_id uuid not null,
  email text,
  created_at timestamp with time zone not null,
  constraint shares_at_rest_once UNIQUE NULLS NOT DISTINCT (category_id, email),
  constraint shares_at_rest_category_fkey FOREIGN KEY (category_id, user_id) REFERENCES public.categories(id, user_id) ON DELETE CASCADE
);
CREATE INDEX shares_at_rest_of_user ON private.shares_at_rest USING btree (user_id);
alter table private.shares_at_rest enable row level security;

-- private.short_ids
create table private.short_ids (
  number bigint not null generated always as identity,
  user_id uuid not null,
  id uuid not null,
  constraint short_ids_pkey PRIMARY KEY (number),
  constraint short_ids_one_each UNIQUE (user_id, id),
  constraint short_ids_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table private.short_ids enable row level security;

-- private.stripe_events
create table private.stripe_events (
  id text not null,
  type text not null,
  customer text,
  created_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  applied_at timestamp with time zone,
  outcome text,
  constraint stripe_events_pkey PRIMARY KEY (id),
  constraint stripe_events_done_or_not CHECK (((applied_at IS NULL) = (outcome IS NULL))),
  constraint stripe_events_outcome_is_known CHECK ((outcome = ANY (ARRAY['applied'::text, 'superseded'::text, 'ignored'::text])))
);
CREATE INDEX stripe_events_oldest ON private.stripe_events USING btree (received_at);
alter table private.stripe_events enable row level security;

-- private.subscription_reconciliation
create table private.subscription_reconciliation (
  only_row boolean not null default true,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  checked integer,
  repaired integer,
  constraint subscription_reconciliation_pkey PRIMARY KEY (only_row),
  constraint subscription_reconciliation_has_one_row CHECK (only_row)
);
alter table private.subscription_reconciliation enable row level security;

-- private.subscription_syncs
create table private.subscription_syncs (
  customer_id text not null,
  user_id uuid not null,
  issued bigint not null default 0,
  applied bigint not null default 0,
  issued_at timestamp with time zone,
  asked_at timestamp with time zone,
  constraint subscription_syncs_pkey PRIMARY KEY (customer_id),
  constraint subscription_syncs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint subscription_syncs_applied_was_issued CHECK ((applied <= issued))
);
CREATE INDEX subscription_syncs_of_user ON private.subscription_syncs USING btree (user_id);
alter table private.subscription_syncs enable row level security;

-- private.tag_change_links
create table private.tag_change_links (
  id bigint not null generated always as identity,
  change_id bigint not null,
  tag_id uuid not null,
  got_it boolean not null,
  link_ids uuid[] not null,
  constraint tag_change_links_pkey PRIMARY KEY (id),
  constraint tag_change_links_change_fkey FOREIGN KEY (change_id) REFERENCES private.tag_changes(id) ON DELETE CASCADE
);
CREATE INDEX tag_change_links_of_change ON private.tag_change_links USING btree (change_id);
alter table private.tag_change_links enable row level security;

-- private.tag_changes
create table private.tag_changes (
  id bigint not null generated always as identity,
  user_id uuid not null,
  gone jsonb not null default '[]'::jsonb,
  made uuid[] not null default '{}'::uuid[],
  owner_id uuid not null,
  constraint tag_changes_pkey PRIMARY KEY (id),
  constraint tag_changes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.library_counts(user_id) ON DELETE CASCADE,
  constraint tag_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.library_counts(user_id) ON DELETE CASCADE
);
CREATE INDEX tag_changes_of_owner ON private.tag_changes USING btree (owner_id);
CREATE INDEX tag_changes_of_user ON private.tag_changes USING btree (user_id, id);
alter table private.tag_changes enable row level security;

-- private.told_warnings
create view private.told_warnings as
 SELECT m.user_id,
    m.kind,
    m.occasion,
    m.finished_at
   FROM private.account_mails m
     JOIN private.unused_accounts a ON a.user_id = m.user_id AND a.seen_at = m.occasion
  WHERE m.state = ANY (ARRAY['sent'::text, 'refused'::text]);
alter table private.told_warnings replica identity nothing;

-- private.unused_accounts
create view private.unused_accounts as
 SELECT u.id AS user_id,
    a.seen_at
   FROM auth.users u
     JOIN private.account_activity a ON a.user_id = u.id
  WHERE u.email IS NOT NULL AND u.email_confirmed_at IS NOT NULL AND u.deleted_at IS NULL AND NOT (EXISTS ( SELECT
           FROM private.account_closures c
          WHERE c.user_id = u.id AND c.reopened_at IS NULL)) AND NOT (EXISTS ( SELECT
           FROM public.subscribers s
          WHERE s.user_id = u.id AND s.subscription_status = 'active'::text)) AND NOT (EXISTS ( SELECT
           FROM private.installation i
          WHERE i.admin_user_id = u.id));
alter table private.unused_accounts replica identity nothing;

-- private.user_activity
create table private.user_activity (
  day date not null,
  user_id uuid not null,
  constraint user_activity_pkey PRIMARY KEY (day, user_id),
  constraint user_activity_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX user_activity_of_user ON private.user_activity USING btree (user_id);
alter table private.user_activity enable row level security;

-- private.user_directory
create table private.user_directory (
  user_id uuid not null,
  email text not null default ''::text,
  plan text not null default 'free'::text,
  created_at timestamp with time zone not null default now(),
  constraint user_directory_pkey PRIMARY KEY (user_id),
  constraint user_directory_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
CREATE INDEX user_directory_newest ON private.user_directory USING btree (created_at, user_id) INCLUDE (email, plan);
alter table private.user_directory enable row level security;

-- private.webhook_deliveries
create table private.webhook_deliveries (
  id uuid not null default gen_random_uuid(),
  number bigint not null generated always as identity,
  webhook_id uuid not null,
  message_id text not null,
  type text not null,
  body text not null,
  subject text,
  created_at timestamp with time zone not null default clock_timestamp(),
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null default now(),
  give_up_at timestamp with time zone not null default (now() + '3 days'::interval),
  attempted_at timestamp with time zone,
  outcome text,
  status smallint,
  milliseconds integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_webhook FOREIGN KEY (webhook_id) REFERENCES private.webhooks(id) ON DELETE CASCADE,
  constraint webhook_deliveries_outcome_known CHECK ((outcome = ANY (ARRAY['delivered'::text, 'refused'::text, 'unreachable'::text, 'timeout'::text]))),
  constraint webhook_deliveries_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_by_age ON private.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_log ON private.webhook_deliveries USING btree (webhook_id, number);
CREATE INDEX webhook_deliveries_waiting ON private.webhook_deliveries USING btree (webhook_id, number) WHERE (state = 'waiting'::text);
alter table private.webhook_deliveries enable row level security;

-- private.webhooks
create table private.webhooks (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  url text not null,
  events text[] not null,
  secret bytea not null default private.new_webhook_secret(),
  old_secret bytea,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  off_at timestamp with time zone,
  off_reason text,
  deleted_at timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  due_at timestamp with time zone not null default 'infinity'::timestamp with time zone,
  rest_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  older_secret bytea,
  older_secret_until timestamp with time zone,
  places integer not null default 0,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_user_id_is_a_user FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint webhooks_events_known CHECK (private.are_webhook_events(events)),
  constraint webhooks_off_for_a_reason CHECK (((off_at IS NULL) = (off_reason IS NULL))),
  constraint webhooks_off_reason_known CHECK ((off_reason = ANY (ARRAY['owner'::text, 'failing'::text, 'gone'::text, 'full'::text]))),
  constraint webhooks_url_is_public CHECK (private.is_webhook_url(url))
);
CREATE INDEX webhooks_due ON private.webhooks USING btree (due_at) WHERE ((off_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX webhooks_of_user ON private.webhooks USING btree (user_id);
alter table private.webhooks enable row level security;
comment on column places of table private.webhooks is 'How many its owner had when it was deleted, this one included.';

-- auth.sessions
-- A table of the platform. What is ours on it:
CREATE TRIGGER user_activity_note AFTER INSERT OR UPDATE OF refreshed_at ON auth.sessions FOR EACH ROW EXECUTE FUNCTION private.note_activity();

-- auth.users
-- A table of the platform. What is ours on it:
CREATE CONSTRAINT TRIGGER public_pages_forget_user AFTER DELETE ON auth.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.forget_public_pages();
CREATE TRIGGER access_requests_follow_address AFTER UPDATE OF email ON auth.users FOR EACH ROW WHEN (((old.email)::text IS DISTINCT FROM (new.email)::text)) EXECUTE FUNCTION private.end_access_requests();
CREATE TRIGGER account_closures_end_with_sign_in AFTER UPDATE OF last_sign_in_at ON auth.users FOR EACH ROW WHEN ((new.last_sign_in_at IS DISTINCT FROM old.last_sign_in_at)) EXECUTE FUNCTION private.reopen_account();
CREATE TRIGGER profiles_follow_user AFTER INSERT OR UPDATE OF raw_user_meta_data ON auth.users FOR EACH ROW EXECUTE FUNCTION private.follow_user();
CREATE TRIGGER share_folders_follow_address AFTER INSERT OR UPDATE OF email, email_confirmed_at ON auth.users FOR EACH ROW EXECUTE FUNCTION private.follow_confirmed_address();
CREATE TRIGGER user_directory_follow_address AFTER UPDATE OF email ON auth.users FOR EACH ROW WHEN (((old.email)::text IS DISTINCT FROM (new.email)::text)) EXECUTE FUNCTION private.follow_listed_address();

-- realtime.messages
-- A table of the platform. What is ours on it:
create policy messages_be_there on realtime.messages for insert to authenticated with check (((extension = 'presence'::text) AND ( SELECT private.may_meet(( SELECT realtime.topic() AS topic)) AS may_meet)));
create policy messages_hear_own_requests on realtime.messages for select to authenticated using (((extension = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) = ('requests:'::text || ( SELECT auth.uid() AS uid)))));
create policy messages_hear_own_session on realtime.messages for select to authenticated using (((extension = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) = ('session:'::text || ( SELECT (auth.jwt() ->> 'session_id'::text))))));
create policy messages_hear_shared_category on realtime.messages for select to anon, authenticated using (((extension = 'broadcast'::text) AND (( SELECT realtime.topic() AS topic) ~~ 'shared:%'::text)));
create policy messages_of_open_account on realtime.messages as restrictive for all to authenticated using (( SELECT private.is_account_open() AS is_account_open));
create policy messages_see_who_is_there on realtime.messages for select to authenticated using (((extension = 'presence'::text) AND ( SELECT private.may_meet(( SELECT realtime.topic() AS topic)) AS may_meet)));

-- storage.buckets
-- A table of the platform. What is ours on it:
create policy buckets_of_open_account on storage.buckets as restrictive for all to authenticated using (( SELECT private.is_account_open() AS is_account_open));

-- storage.objects
-- A table of the platform. What is ours on it:
create policy files_delete_own on storage.objects for delete to authenticated using (((bucket_id = 'arquivos'::text) AND ((name COLLATE "C") >= ((( SELECT auth.uid() AS uid))::text || '/'::text)) AND ((name COLLATE "C") < ((( SELECT auth.uid() AS uid))::text || '0'::text))));
create policy files_insert_own on storage.objects for insert to authenticated with check (((bucket_id = 'arquivos'::text) AND ((name COLLATE "C") >= ((( SELECT auth.uid() AS uid))::text || '/'::text)) AND ((name COLLATE "C") < ((( SELECT auth.uid() AS uid))::text || '0'::text))));
create policy files_select_asked_cover on storage.objects for select to anon using (((bucket_id = 'arquivos'::text) AND (name = ( SELECT private.asked_cover() AS asked_cover))));
create policy files_select_own on storage.objects for select to authenticated using (((bucket_id = 'arquivos'::text) AND ((name COLLATE "C") >= ( SELECT COALESCE(private.asked_cover(), ((auth.uid())::text || '/'::text)) AS "coalesce")) AND ((name COLLATE "C") < ( SELECT COALESCE((private.asked_cover() || '!'::text), ((auth.uid())::text || '0'::text)) AS "coalesce"))));
create policy files_update_own on storage.objects for update to authenticated using (((bucket_id = 'arquivos'::text) AND ((name COLLATE "C") >= ((( SELECT auth.uid() AS uid))::text || '/'::text)) AND ((name COLLATE "C") < ((( SELECT auth.uid() AS uid))::text || '0'::text)))) with check (((bucket_id = 'arquivos'::text) AND ((name COLLATE "C") >= ((( SELECT auth.uid() AS uid))::text || '/'::text)) AND ((name COLLATE "C") < ((( SELECT auth.uid() AS uid))::text || '0'::text))));
create policy objects_insert_within_plan on storage.objects as restrictive for insert to authenticated with check (private.has_room_for(id, bucket_id, name, metadata, user_metadata));
create policy objects_of_open_account on storage.objects as restrictive for all to authenticated using ((( SELECT private.is_account_open() AS is_account_open) OR ((bucket_id = 'arquivos'::text) AND (name = ( SELECT private.written_cover() AS written_cover))))) with check ((( SELECT private.is_account_open() AS is_account_open) OR ((bucket_id = 'arquivos'::text) AND (name = ( SELECT private.written_cover() AS written_cover)) AND private.is_cover_file(metadata))));
create policy objects_update_within_plan on storage.objects as restrictive for update to authenticated using (true) with check (private.has_room_for(id, bucket_id, name, metadata, user_metadata));

CREATE OR REPLACE FUNCTION public.admin_audit(page integer DEFAULT 1, page_size integer DEFAULT 20)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  size integer := least(greatest(coalesce(page_size, 20), 1), 100);
  at_page integer := greatest(coalesce(page, 1), 1);
begin
  if not private.enter_admin_area('audit', null, jsonb_build_object('page', at_page)) then
    return null;
  end if;
  return jsonb_build_object(
    'total', (select count(*) from private.admin_audit_log),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', k.id, 'happened_at', k.happened_at, 'action', k.action, 'details', k.details,
        'admin_id', k.admin_id, 'admin_email', (select u.email from auth.users u where u.id = k.admin_id),
        'user_id', k.user_id, 'user_email', (select u.email from auth.users u where u.id = k.user_id)
      ) order by k.id desc), '[]')
      from (
        select l.* from private.admin_audit_log l order by l.id desc offset (at_page - 1)::bigint * size limit size
      ) as k
    )
  );
end
$function$;
grant execute on function public.admin_audit(integer,integer) to authenticated;
comment on function public.admin_audit(integer,integer) is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.admin_change_plan(user_id uuid, plan text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.enter_admin_area(
    'change_plan_refused', admin_change_plan.user_id, jsonb_build_object('plan', left(admin_change_plan.plan, 20))
  ) then
    return null;
  end if;
  perform set_config('response.status', '403', true);
  return jsonb_build_object(
    'code', '42501', 'message', 'Somente o provedor de pagamento muda o plano de uma pessoa',
    'details', null, 'hint', 'payment_provider_only'
  );
end
$function$;
grant execute on function public.admin_change_plan(uuid,text) to authenticated;
comment on function public.admin_change_plan(uuid,text) is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.admin_list_users(search text DEFAULT ''::text, plan text DEFAULT NULL::text, page integer DEFAULT 1, page_size integer DEFAULT 10, closed_for text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  term text := lower(btrim(left(coalesce(search, ''), 320)));
  wanted text := nullif(admin_list_users.plan, '');
  wanted_reason text := nullif(admin_list_users.closed_for, '');
  size integer := least(greatest(coalesce(page_size, 10), 1), 100);
  at_page integer := greatest(coalesce(page, 1), 1);
  past bigint := (at_page - 1)::bigint * size;
  total bigint;
  ids uuid[];
begin
  if not private.enter_admin_area('users', null, jsonb_build_object(
    'search', nullif(regexp_replace(term, '(\S)\S*@', '\1…@', 'g'), ''),
    'search_check', case when term like '%@%' then left(md5(term), 2) end, 'plan', left(wanted, 20), 'closed_for', left(wanted_reason, 20), 'page', at_page
  )) then
    return null;
  end if;

  -- Apart from the list of everybody, whose walk along its index knows nothing of closures: those are few.
  if wanted_reason is not null then
    ids := array(
      select d.user_id
      from private.account_closures c join private.user_directory d on d.user_id = c.user_id
      where c.reopened_at is null and c.reason = wanted_reason
        and (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0)
      order by d.created_at desc, d.user_id desc
      offset past limit size
    );
    select count(*) into total
    from private.account_closures c join private.user_directory d on d.user_id = c.user_id
    where c.reopened_at is null and c.reason = wanted_reason
      and (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0);
    return jsonb_build_object('total', total, 'users', private.describe_users(ids));
  end if;

  -- strpos takes the term as it is: no character in it stands for others.
  ids := array(
    select d.user_id
    from private.user_directory d
    where (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0)
    order by d.created_at desc, d.user_id desc
    offset past limit size
  );
  -- A page that is not full is the last one and tells the total; what is rare is walked for once.
  if cardinality(ids) between 1 and size - 1 or past = 0 and cardinality(ids) = 0 then
    total := past + cardinality(ids);
  else
    select count(*) into total
    from private.user_directory d
    where (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0);
  end if;
  return jsonb_build_object('total', total, 'users', private.describe_users(ids));
end
$function$;
grant execute on function public.admin_list_users(text,text,integer,integer,text) to authenticated;
comment on function public.admin_list_users(text,text,integer,integer,text) is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.admin_overview()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.enter_admin_area('overview') then
    return null;
  end if;
  return jsonb_build_object(
    'total_users', (select count(*) from private.user_directory d),
    'premium_users', (select count(*) from private.user_directory d where d.plan <> 'free'),
    'monthly_revenue', private.revenue_of(),
    'storage_used', private.total_storage_used(),
    'recent_users', private.describe_users(array(
      select d.user_id from private.user_directory d order by d.created_at desc, d.user_id desc limit 10
    ))
  );
end
$function$;
grant execute on function public.admin_overview() to authenticated;
comment on function public.admin_overview() is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.admin_statistics(first_day date, last_day date, unit text DEFAULT 'day'::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step text := case when unit in ('week', 'month') then unit else 'day' end;
  today date := private.brasilia_day(now());
  until date := least(coalesce(last_day, today), today);
  since date;
  total_storage bigint;
begin
  if not private.enter_admin_area('statistics', null, jsonb_build_object('from', first_day, 'to', last_day, 'unit', step)) then
    return null;
  end if;
  -- Two years tell enough; nobody's days are kept for longer.
  delete from private.user_activity a where a.day < today - 760;

  until := greatest(until, date '2000-01-01');
  since := greatest(
    date_trunc(step, least(coalesce(first_day, until - 29), until)::timestamp)::date,
    (date_trunc(step, until::timestamp) - 399 * ('1 ' || step)::interval)::date,
    date_trunc(step, timestamp '2000-01-01')::date
  );
  total_storage := private.total_storage_used();
  return jsonb_build_object('unit', step, 'entries', (
    with entries as (
      select g::date as day, (g + ('1 ' || step)::interval)::date as next_day
      from generate_series(since::timestamp, until::timestamp, ('1 ' || step)::interval) as g
    ), signed_up as (
      select date_trunc(step, private.brasilia_day(d.created_at)::timestamp)::date as day, count(*) as n
      from private.user_directory d
      where d.created_at >= since::timestamp at time zone 'America/Sao_Paulo'
      group by 1
    ), active as (
      select date_trunc(step, a.day::timestamp)::date as day, count(distinct a.user_id) as n
      from private.user_activity a
      where a.day >= since
      group by 1
    ), written as (
      select date_trunc(step, w.day::timestamp)::date as day, sum(w.links) as links, sum(w.bytes) as bytes
      from private.written_since(since) w
      group by 1
    )
    select jsonb_agg(jsonb_build_object(
      'starts_on', e.day,
      'sign_ups', coalesce(s.n, 0),
      'active_users', coalesce(a.n, 0),
      'links_created', coalesce(w.links, 0),
      'storage_used', total_storage
        - coalesce((select sum(later.bytes) from written later where later.day >= e.next_day), 0)
    ) order by e.day)
    from entries e
    left join signed_up s on s.day = e.day
    left join active a on a.day = e.day
    left join written w on w.day = e.day
  ));
end
$function$;
grant execute on function public.admin_statistics(date,date,text) to authenticated;
comment on function public.admin_statistics(date,date,text) is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.admin_subscriptions(state text DEFAULT NULL::text, page integer DEFAULT 1, page_size integer DEFAULT 10)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted text := nullif(admin_subscriptions.state, '');
  size integer := least(greatest(coalesce(page_size, 10), 1), 100);
  at_page integer := greatest(coalesce(page, 1), 1);
begin
  if not private.enter_admin_area('subscriptions', null, jsonb_build_object('state', left(wanted, 20), 'page', at_page)) then
    return null;
  end if;
  return jsonb_build_object(
    'monthly_revenue', private.revenue_of(),
    'states', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'state', g.state, 'count', g.n, 'monthly_revenue', private.revenue_of(g.state)
      ) order by g.n desc, g.state), '[]')
      from (
        select private.subscription_state(s) as state, count(*) as n
        from public.subscribers s where s.subscription_status is not null group by 1
      ) as g
    ),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan', g.plan, 'billing_interval', g.billing_interval, 'currency', g.currency, 'count', g.n, 'monthly_cents', round(g.cents)
      ) order by g.plan, g.billing_interval, g.currency), '[]')
      from (
        select s.plan, s.billing_interval, lower(coalesce(s.currency, 'usd')) as currency, count(*) as n,
          sum(private.monthly_cents(s)) as cents
        from public.subscribers s where s.subscription_status = 'active' group by 1, 2, 3
      ) as g
    ),
    'total', (
      select count(*) from public.subscribers s
      where s.subscription_status is not null and (wanted is null or private.subscription_state(s) = wanted)
    ),
    'subscriptions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'user_id', k.user_id, 'email', u.email, 'name', p.name, 'plan', k.plan, 'state', k.state,
        'billing_interval', k.billing_interval, 'amount_cents', k.amount_cents, 'currency', lower(coalesce(k.currency, 'usd')),
        'current_period_end', k.current_period_end, 'trial_end', k.trial_end
      ) order by k.updated_at desc, k.user_id), '[]')
      from (
        select s.*, private.subscription_state(s) as state
        from public.subscribers s
        where s.subscription_status is not null and (wanted is null or private.subscription_state(s) = wanted)
        order by s.updated_at desc, s.user_id
        offset (at_page - 1)::bigint * size limit size
      ) as k
      join auth.users u on u.id = k.user_id
      join public.profiles p on p.id = k.user_id
    )
  );
end
$function$;
grant execute on function public.admin_subscriptions(text,integer,integer) to authenticated;
comment on function public.admin_subscriptions(text,integer,integer) is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.admin_user_links(user_id uuid, page integer DEFAULT 1, page_size integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  size integer := least(greatest(coalesce(page_size, 50), 1), 200);
  at_page integer := greatest(coalesce(page, 1), 1);
begin
  if not private.enter_admin_area('user_links', admin_user_links.user_id, jsonb_build_object('page', at_page)) then
    return null;
  end if;
  return jsonb_build_object(
    'total', coalesce(
      (select n.link_count from public.library_counts n where n.user_id = admin_user_links.user_id), 0
    ),
    'links', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', k.id, 'title', k.title, 'url', k.url, 'created_at', k.created_at,
        'category', jsonb_build_object('id', c.id, 'name', c.name), 'favorite', false
      ) order by k.created_at desc, k.id desc), '[]')
      from (
        select l.id, l.title, l.url, l.created_at, l.category_id
        from public.links l
        where l.user_id = admin_user_links.user_id
        order by l.created_at desc, l.id desc
        offset (at_page - 1)::bigint * size limit size
      ) as k
      join public.categories c on c.id = k.category_id
    )
  );
end
$function$;
grant execute on function public.admin_user_links(uuid,integer,integer) to authenticated;
comment on function public.admin_user_links(uuid,integer,integer) is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.allow_any_mail_sender(allowed boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  update private.mail_addresses a set any_sender = coalesce(allowed, false) where a.user_id = caller;
  if not found then
    raise exception using errcode = 'PT404', message = 'Você não tem um endereço para salvar por e-mail';
  end if;
end
$function$;
grant execute on function public.allow_any_mail_sender(boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.allow_mail_sender(email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
  wanted constant text := lower(btrim(allow_mail_sender.email));
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  if wanted is null or char_length(wanted) > 254 or wanted !~ '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$' then
    raise exception using errcode = 'PT400', message = 'Email inválido';
  end if;
  -- Locked, so that two at once are counted one after the other.
  perform from private.mail_addresses a where a.user_id = caller for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Você não tem um endereço para salvar por e-mail';
  end if;
  if exists (select from private.mail_senders s where s.user_id = caller and s.email = wanted) then
    return;
  end if;
  if (select count(*) from private.mail_senders s where s.user_id = caller) >= 20 then
    raise exception using errcode = 'PT409', message = 'No máximo 20 remetentes. Tire um da lista.';
  end if;
  insert into private.mail_senders (user_id, email) values (caller, wanted);
end
$function$;
grant execute on function public.allow_mail_sender(text) to authenticated;

CREATE OR REPLACE FUNCTION public.answer_access_request(request_id uuid, allow boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
  request private.access_requests;
begin
  select r.* into request from private.access_requests r where r.id = $1 and r.owner_id = caller;
  -- As whoever saves the list does: one after the other, and the category's row before the request's.
  perform from public.categories c where c.id = request.category_id and c.user_id = caller for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pedido não encontrado';
  elsif $2 then
    delete from private.access_requests r
    where r.id = $1 and r.id in (select o.id from private.open_access_requests o where o.owner_id = caller);
  else
    update private.access_requests r set refused_at = case when not $2 then now() end
    where r.id = $1 and case
      when $2 is null then r.refused_at > now() - private.undo_window()
      else r.refused_at is null
    end;
  end if;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pedido não encontrado';
  end if;
  if $2 then
    -- Who asks has thought better of having left.
    delete from private.left_shares l where l.user_id = request.asker_id and l.category_id = request.category_id;
    insert into public.shared_with (category_id, email) values (request.category_id, request.email);
    perform private.enqueue_share_notifications(request.category_id, caller, array[request.email]);
  end if;
  perform private.tell_owner_of_requests(caller);
end
$function$;
grant execute on function public.answer_access_request(uuid,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.apply_subscription(customer_id text, ticket bigint, state jsonb, event_id text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  has_won boolean;
  is_written boolean;
begin
  if event_id is not null then
    perform from private.stripe_events e where e.id = $4 and e.applied_at is null for update;
    if not found then
      return 'repeated';
    end if;
  end if;
  update private.subscription_syncs t set applied = $2
  where t.customer_id = $1 and t.applied < $2 and t.issued >= $2;
  has_won := found;
  if has_won and (state is null or state = 'null') then
    is_written := private.release_customer($1);
  elsif has_won then
    is_written := private.write_subscription($1, jsonb_populate_record(null::public.subscribers, state));
  end if;
  update private.stripe_events e
  set applied_at = now(), outcome = case when has_won then 'applied' else 'superseded' end
  where e.id = $4;
  return case
    when is_written then 'changed'
    when not exists (select from public.subscribers s where s.stripe_customer_id = $1) then 'unknown'
    when has_won then 'unchanged'
    else 'superseded'
  end;
end
$function$;
grant execute on function public.apply_subscription(text,bigint,jsonb,text) to service_role;

CREATE OR REPLACE FUNCTION public.are_link_checks_due()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
      select from private.failing_links f
      where f.due_at <= now()
        and not exists (select from private.account_closures c where c.user_id = f.user_id and c.reopened_at is null)
    )
    or exists (select from private.link_check_rounds r where r.due_at <= now())
$function$;
grant execute on function public.are_link_checks_due() to service_role;

CREATE OR REPLACE FUNCTION public.arranged_links(category_id uuid, max_results integer DEFAULT 50, below text DEFAULT NULL::text)
 RETURNS TABLE(id uuid, url text, title text, description text, user_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, rank text, tag_ids uuid[], added_by_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  access text := coalesce(private.category_access($1), 'denied');
begin
  if below !~ '^[0-9a-f]{1,255}$' then
    raise exception using errcode = 'PT400', message = 'Lugar inválido na ordem';
  elsif access not in ('owner', 'invited') then
    return;
  end if;
  return query
    select p.*, case when access = 'owner' then array(
      select k.tag_id from public.link_tags k where k.link_id = p.id
    ) end, (select l.added_by_name from public.links l where l.id = p.id)
    from public.categories c
    cross join lateral private.arranged_page(c.id, c.user_id, below, least(greatest(coalesce(max_results, 50), 0), 1000)) as p
    where c.id = $1;
end
$function$;
grant execute on function public.arranged_links(uuid,integer,text) to authenticated;
comment on function public.arranged_links(uuid,integer,text) is 'A page of a category''s links in the order that its owner gave it. Nullable: description, rank, tag_ids, added_by_name.';

CREATE OR REPLACE FUNCTION public.available_folders()
 RETURNS TABLE(folder_id uuid, name text, owner_name text, is_closed boolean, category_count integer, link_count integer, refusal text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.folder_id, f.name, p.name, a.is_closed, has.categories::integer, has.links::integer,
    case
      when not l.can_share then 'plan_sharing'
      when n.link_count + nullif(has.links, 0) > l.max_links then 'plan_limit_links'
      when n.category_count + nullif(has.categories, 0) > l.max_categories then 'plan_limit_categories'
      when has.people > l.max_folder_members then 'plan_limit_folder_members'
      -- A plan without a limit meets the bound of all, which no other plan lifts: private.limit_tags says so.
      when l.max_links is null then null
      when (select count(*) from public.tags o where o.user_id = a.person_id) + nullif((
        select count(distinct t.folded)
        from public.categories c
        join public.links i on i.category_id = c.id
        join public.link_tags k on k.link_id = i.id
        join public.tags t on t.id = k.tag_id
        where c.folder_id = f.id
          and not exists (select from public.tags o where o.user_id = a.person_id and o.folded = t.folded)
      ), 0) > l.max_links then 'plan_limit_tags'
    end
  from private.available_folders a
  join public.folders f on f.id = a.folder_id
  join public.profiles p on p.id = a.owner_id
  join public.profiles own on own.id = a.person_id
  join private.plan_limits l on l.plan = own.plan
  join public.library_counts n on n.user_id = a.person_id
  cross join lateral (
    select (select count(*) from public.categories c where c.folder_id = f.id) as categories,
      (select coalesce(sum(k.link_count), 0) from public.categories c join public.category_counts k on k.category_id = c.id
        where c.folder_id = f.id) as links,
      -- The old owner comes in the new one's place.
      (select count(distinct m.email) from public.folder_members m where m.folder_id = f.id) as people
  ) as has
  where a.person_id = private.caller_id()
  order by f.name, f.id
$function$;
grant execute on function public.available_folders() to authenticated;
comment on function public.available_folders() is 'The folders that the caller may have. Nullable: owner_name, refusal.';

CREATE OR REPLACE FUNCTION public.begin_access_request_mail(id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed boolean;
begin
  select exists (select from private.open_access_requests r where r.id = m.request_id and r.owner_id = m.owner_id)
    and u.email_confirmed_at is not null and not private.is_account_closed(m.owner_id)
    and not private.wants_no_share_mail(private.mailbox_of(u.email))
  into allowed
  from private.access_request_mails m join auth.users u on u.id = m.owner_id
  where m.id = $1 and m.state = 'sending' and m.started_at is null and m.leased_until > now()
  for update of m;
  if allowed then
    update private.access_request_mails m set started_at = now() where m.id = $1;
  elsif not allowed then
    update private.access_request_mails m set state = 'waiting', leased_until = null, attempts = m.attempts - 1 where m.id = $1;
  end if;
  return coalesce(allowed, false);
end
$function$;
grant execute on function public.begin_access_request_mail(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.begin_account_mail(id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted boolean;
begin
  select private.is_account_mail_wanted(m) into wanted
  from private.account_mails m
  where m.id = $1 and m.state = 'sending' and m.started_at is null and m.leased_until > now()
  for update;
  if wanted then
    update private.account_mails m set started_at = now() where m.id = $1;
  elsif not wanted then
    update private.account_mails m set state = 'withdrawn', leased_until = null where m.id = $1;
  end if;
  return coalesce(wanted, false);
end
$function$;
grant execute on function public.begin_account_mail(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.begin_account_purges(max integer DEFAULT 20, at timestamp with time zone DEFAULT now())
 RETURNS TABLE(user_id uuid, stripe_customer_id text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  begun uuid[];
  held uuid[];
  closure record;
begin
  held := array(
    select c.user_id
    from private.account_closures c join auth.users u on u.id = c.user_id
    where c.reason = 'deletion' and c.reopened_at is null and c.purge_after <= at
    order by c.purge_started_at nulls first, c.purge_after
    limit least(greatest(coalesce(max, 20), 0), 100)
    for update of u, c skip locked
  );
  -- In the order in which an owner who comes back locks them, for all of the batch at once.
  perform from public.folders f
  where f.shared_with && array(select lower(u.email) from auth.users u where u.id = any (held) and u.email is not null)
  order by f.id for no key update;
  for closure in
    select c.user_id, c.id, c.purge_started_at
    from unnest(held) with ordinality as h(id, place) join private.account_closures c on c.user_id = h.id
    order by h.place
  loop
    if closure.purge_started_at is null then
      perform private.forget_person(closure.user_id);
      insert into private.account_events (event, closure_id) values ('purge_started', closure.id);
    end if;
    update private.account_closures c set purge_started_at = at where c.user_id = closure.user_id;
    begun := begun || closure.user_id;
  end loop;
  return query
    select b.id, s.stripe_customer_id
    from unnest(begun) with ordinality as b(id, place) left join public.subscribers s on s.user_id = b.id
    order by b.place;
end
$function$;
grant execute on function public.begin_account_purges(integer,timestamp with time zone) to service_role;
comment on function public.begin_account_purges(integer,timestamp with time zone) is 'Accounts that are to be purged. Nullable: stripe_customer_id.';

CREATE OR REPLACE FUNCTION public.begin_daily_mail(id uuid, at timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mail private.daily_mails;
  allowed boolean;
begin
  select d.* into mail from private.daily_mails d
  where d.mail_id = $1 and d.started_at is null and d.leased_until > $2 for update;
  if not found then
    return false;
  end if;
  select mail.unsubscribed_at is null
    and private.daily_mail_hash(lower(u.email), private.shared_news(u.id, mail.told_until, mail.window_end)) = mail.content_hash
  into allowed
  from auth.users u where u.id = mail.user_id;
  if allowed then
    update private.daily_mails d set started_at = $2 where d.user_id = mail.user_id;
    return true;
  end if;
  update private.daily_mails d
  set leased_until = null, content_hash = null, attempts = d.attempts - 1
  where d.user_id = mail.user_id;
  return false;
end
$function$;
grant execute on function public.begin_daily_mail(uuid,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.begin_share_notification(id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed boolean;
begin
  select private.is_share_standing(n) and not private.wants_no_share_mail(n.mailbox)
  into allowed
  from private.share_notifications n
  where n.id = $1 and n.state = 'sending' and n.started_at is null and n.leased_until > now()
  for update;
  if allowed then
    update private.share_notifications n set started_at = now() where n.id = $1;
  elsif not allowed then
    update private.share_notifications n
    set state = 'waiting', leased_until = null, claimed_at = null, attempts = n.attempts - 1
    where n.id = $1;
  end if;
  return coalesce(allowed, false);
end
$function$;
grant execute on function public.begin_share_notification(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.begin_subscription_check(user_id uuid)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.subscription_syncs as t (customer_id, user_id, asked_at)
  select s.stripe_customer_id, s.user_id, clock_timestamp()
  from public.subscribers s where s.user_id = $1 and s.stripe_customer_id is not null
  on conflict on constraint subscription_syncs_pkey do update set asked_at = clock_timestamp()
  where t.asked_at is null or t.asked_at < clock_timestamp() - interval '1500 milliseconds'
  returning t.customer_id
$function$;
grant execute on function public.begin_subscription_check(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.begin_subscription_sync(customer_id text)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.subscription_syncs as t (customer_id, user_id, issued, issued_at)
  select s.stripe_customer_id, s.user_id, 1, clock_timestamp()
  from public.subscribers s where s.stripe_customer_id = $1
  on conflict on constraint subscription_syncs_pkey do update
  set issued = t.issued + 1, issued_at = clock_timestamp(), user_id = excluded.user_id
  returning t.issued
$function$;
grant execute on function public.begin_subscription_sync(text) to service_role;

CREATE OR REPLACE FUNCTION public.broken_links(link_ids uuid[])
 RETURNS TABLE(link_id uuid, failed_since timestamp with time zone, status integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- As many as one answer has rows.
  if array_length(link_ids, 1) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 links por vez';
  end if;
  return query
    select f.link_id, f.failed_since, f.status::integer from private.failing_links f
    where f.user_id = private.caller_id() and f.link_id = any ($1) and f.broken;
end
$function$;
grant execute on function public.broken_links(uuid[]) to authenticated;
comment on function public.broken_links(uuid[]) is 'Those of the caller''s links that do not answer any more. Nullable: status.';

CREATE OR REPLACE FUNCTION public.capture_link(id uuid, url text, title text, description text DEFAULT NULL::text, category_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.writer_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  return private.capture_link_of(caller, $1, $2, $3, $4, $5);
end
$function$;
grant execute on function public.capture_link(uuid,text,text,text,uuid) to authenticated;
comment on function public.capture_link(uuid,text,text,text,uuid) is 'The category in which a link is that was sent to be saved. Nullable.';

CREATE OR REPLACE FUNCTION public.category_covers(category_id uuid, link_ids uuid[])
 RETURNS TABLE(link_id uuid, state text, path text, tried_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- As many as one answer has rows.
  if array_length(link_ids, 1) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 links por vez';
  elsif coalesce(private.category_access($1), 'denied') not in ('owner', 'invited', 'public') then
    return;
  end if;
  return query
    select c.link_id, c.state, case when c.state = 'image' then private.cover_name(c.user_id, c.link_id) end, c.tried_at
    from private.link_covers c join public.links l on l.id = c.link_id and l.user_id = c.user_id
    where c.link_id = any ($2) and l.category_id = $1 and c.state <> 'old' and (c.state <> 'image' or c.leftover_since is null);
end
$function$;
grant execute on function public.category_covers(uuid,uuid[]) to anon, authenticated;

CREATE OR REPLACE FUNCTION public.category_history(category_id uuid, before bigint DEFAULT NULL::bigint)
 RETURNS TABLE(id bigint, act text, count integer, subject text, program text, person text, changed_at timestamp with time zone, undo text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select h.id, h.act, h.count, h.subject, h.program,
    case when coalesce(h.person_id, c.user_id) <> u.caller
      then coalesce((select p.name from public.profiles p where p.id = coalesce(h.person_id, c.user_id)), '') end,
    h.changed_at,
    case
      when h.program is null or h.program = '' then null
      when a.id is null then 'never'
      when a.undone_at is not null then 'undone'
      when a.row_count > private.most('rows_of_act') then 'too_large'
      else 'possible'
    end
  from (select private.caller_id() as caller) as u
  join public.categories c on c.id = $1
  join private.category_changes h on h.category_id = c.id
  left join private.program_acts a on a.id = h.act_id
  where ($2 is null or h.id < $2) and h.changed_at > now() - interval '30 days'
    and (c.user_id = u.caller or private.sees_change(c, h.person_id, h.changed_at, u.caller))
  order by h.id desc
  limit 50
$function$;
grant execute on function public.category_history(uuid,bigint) to authenticated;
comment on function public.category_history(uuid,bigint) is 'What changed in a category, for its owner, and for whoever may write in it what members did. Nullable: subject, program, person, undo.';

CREATE OR REPLACE FUNCTION public.category_people(category_id uuid)
 RETURNS TABLE(person_id uuid, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with people as (
    select c.user_id as id from public.categories c where c.id = $1 and not c.is_held_back
    union
    select r.person_id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where c.id = $1 and r.may_write and not c.is_held_back
  )
  select p.id, p.name
  from people join public.profiles p on p.id = people.id
  where private.caller_id() in (select id from people)
  order by p.name, p.id
$function$;
grant execute on function public.category_people(uuid) to authenticated;
comment on function public.category_people(uuid) is 'Who may write in a category, for those who may themselves. Nullable: name.';

CREATE OR REPLACE FUNCTION public.change_mail_address()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
  made text;
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  insert into private.mail_addresses as a (user_id, local_part) values (caller, private.new_mail_local_part())
  on conflict on constraint mail_addresses_pkey do update set local_part = excluded.local_part, created_at = now()
  returning a.local_part into made;
  return made;
end
$function$;
grant execute on function public.change_mail_address() to authenticated;

CREATE OR REPLACE FUNCTION public.change_webhook(webhook_id uuid, url text, events text[], enabled boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hook constant private.webhooks := private.own_webhook(private.webhook_owner(), webhook_id);
begin
  perform private.check_webhook($2, $3);
  update private.webhooks w set
    url = $2, events = $3,
    off_at = case when enabled then null else coalesce(hook.off_at, now()) end,
    off_reason = case when enabled then null else coalesce(hook.off_reason, 'owner') end
  where w.id = hook.id;
  -- Another receiver, or the same one mended: what failed before says nothing of it.
  if enabled and (hook.off_at is not null or hook.url <> $2) then
    perform private.wake_webhook(hook.id);
  end if;
end
$function$;
grant execute on function public.change_webhook(uuid,text,text[],boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.claim_access_request_mails(max integer DEFAULT 10)
 RETURNS TABLE(id uuid, email text, category_id uuid, category_name text, asker_name text, asker_email text, note text, unsubscribe_token uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  leased uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('private.access_request_mails', 0));
  update private.access_request_mails m
  set state = case when m.started_at is null then 'waiting' else 'sent' end, leased_until = null
  where m.state = 'sending' and m.leased_until < now();
  delete from private.access_request_mails m where m.queued_at < now() - interval '7 days';
  with due as (
    select m.id from private.access_request_mails m
    join private.open_access_requests r on r.id = m.request_id and r.owner_id = m.owner_id
    join auth.users u on u.id = m.owner_id and u.email_confirmed_at is not null
    where m.state = 'waiting' and m.next_attempt_at <= now() and not private.is_account_closed(m.owner_id)
      and not private.wants_no_share_mail(private.mailbox_of(u.email))
    order by m.next_attempt_at, m.queued_at, m.id
    limit least(greatest(coalesce($1, 10), 0), 100)
  ), taken as (
    update private.access_request_mails m
    set state = 'sending', leased_until = now() + interval '5 minutes', started_at = null, attempts = m.attempts + 1
    where m.id in (select d.id from due d)
    returning m.id
  )
  select coalesce(array_agg(t.id), '{}') into leased from taken t;
  insert into private.share_mail_addresses (email)
  select distinct lower(u.email) from private.access_request_mails m join auth.users u on u.id = m.owner_id where m.id = any (leased)
  on conflict do nothing;
  return query
    select m.id, lower(u.email), r.category_id, r.category_name, r.asker_name, r.email, r.note, a.token
    from private.access_request_mails m
    join private.open_access_requests r on r.id = m.request_id
    join auth.users u on u.id = m.owner_id
    join private.share_mail_addresses a on a.email = lower(u.email)
    where m.id = any (leased)
    order by m.next_attempt_at, m.queued_at, m.id;
end
$function$;
grant execute on function public.claim_access_request_mails(integer) to service_role;
comment on function public.claim_access_request_mails(integer) is 'Mails about requests for access that are due. Nullable: asker_name.';

CREATE OR REPLACE FUNCTION public.claim_account_mails(max integer DEFAULT 10)
 RETURNS TABLE(id uuid, kind text, email text, name text, deadline timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed uuid[];
begin
  -- Whoever began and never told may have sent it.
  update private.account_mails m
  set state = case when m.started_at is null then 'waiting' else 'sent' end, finished_at = m.started_at, leased_until = null
  where m.state = 'sending' and m.leased_until < now();

  with due as (
    select m.id from private.account_mails m
    where m.state = 'waiting' and m.next_attempt_at <= now()
    order by m.next_attempt_at, m.id
    limit least(greatest(coalesce(max, 10), 0), 100)
    for update skip locked
  ), taken as (
    update private.account_mails m
    set state = case when private.is_account_mail_wanted(m) and u.email is not null then 'sending' else 'withdrawn' end,
      leased_until = now() + interval '5 minutes', attempts = m.attempts + 1, started_at = null
    from due, auth.users u where m.id = due.id and u.id = m.user_id
    returning m.id, m.state
  )
  select array_agg(t.id) into claimed from taken t where t.state = 'sending';
  return query
    select m.id, m.kind, u.email::text, p.name, m.deadline
    from private.account_mails m
    join auth.users u on u.id = m.user_id
    join public.profiles p on p.id = m.user_id
    where m.id = any (claimed)
    order by m.queued_at, m.id;
end
$function$;
grant execute on function public.claim_account_mails(integer) to service_role;
comment on function public.claim_account_mails(integer) is 'Mails about accounts that are due. Nullable: name.';

CREATE OR REPLACE FUNCTION public.claim_account_upkeep(at timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.account_upkeep u set due_at = at + interval '20 minutes'
  where u.due_at <= at or u.due_at > at + interval '2 days';
  return found;
end
$function$;
grant execute on function public.claim_account_upkeep(timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.claim_daily_mails(max integer DEFAULT 10, at timestamp with time zone DEFAULT now())
 RETURNS TABLE(id uuid, email text, news jsonb, unsubscribe_token uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  most constant integer := least(greatest(coalesce($1, 10), 0), 100);
  reach constant timestamptz := $2 - interval '5 minutes';
  tomorrow constant timestamptz := private.mail_morning(private.brasilia_day($2) + 1);
  due record;
  told jsonb;
  key uuid;
  claimed integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.daily_mails', 0));
  update private.daily_mails d
  set told_until = case when d.started_at is null then d.told_until else d.window_end end,
    due_at = case when d.started_at is null then d.due_at else m.morning end,
    next_attempt_at = case when d.started_at is null then d.next_attempt_at else m.morning end,
    attempts = case when d.started_at is null then d.attempts else 0 end,
    mail_id = case when d.started_at is null then d.mail_id end,
    window_end = case when d.started_at is null then d.window_end end,
    leased_until = null, content_hash = null, started_at = null
  from private.daily_mails b
  cross join lateral private.mail_morning(private.brasilia_day(coalesce(b.started_at, $2)) + 1) as m(morning)
  where b.user_id = d.user_id and d.leased_until < $2;
  for due in
    select d.user_id, d.told_until, coalesce(d.window_end, reach) as window_end, lower(u.email) as address
    from private.daily_mails d join auth.users u on u.id = d.user_id
    where d.unsubscribed_at is null and d.next_attempt_at <= $2 and d.leased_until is null
    order by d.next_attempt_at, d.user_id
    limit 100
    for update of d skip locked
  loop
    exit when claimed >= most or clock_timestamp() > statement_timestamp() + interval '2 seconds';
    told := private.shared_news(due.user_id, due.told_until, due.window_end);
    if told is null then
      update private.daily_mails d
      set told_until = greatest(d.told_until, due.window_end), due_at = tomorrow, next_attempt_at = tomorrow, attempts = 0,
        mail_id = null, window_end = null
      where d.user_id = due.user_id;
      continue;
    end if;
    update private.daily_mails d
    set mail_id = coalesce(d.mail_id, gen_random_uuid()), window_end = due.window_end,
      content_hash = private.daily_mail_hash(due.address, told), leased_until = $2 + interval '5 minutes', attempts = d.attempts + 1
    where d.user_id = due.user_id
    returning d.mail_id into key;
    insert into private.share_mail_addresses (email) values (due.address) on conflict do nothing;
    claimed := claimed + 1;
    return query select key, due.address, told, a.token from private.share_mail_addresses a where a.email = due.address;
  end loop;
end
$function$;
grant execute on function public.claim_daily_mails(integer,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.claim_folder_notifications(max integer DEFAULT 10)
 RETURNS TABLE(id uuid, folder_id uuid, email text, folder_name text, role text, sender_name text, first_category_id uuid, unsubscribe_token uuid, attempts integer, queued_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed uuid[] := private.lease_share_notifications(max, null, true);
begin
  return query
    select n.id, n.folder_id, n.email, f.name, m.role, p.name,
      (
        select c.id from public.categories c
        where c.folder_id = n.folder_id and not c.is_held_back
        order by lower(c.name), c.id limit 1
      ),
      a.token, n.attempts, n.queued_at
    from unnest(claimed) with ordinality as k(id, place)
    join private.share_notifications n on n.id = k.id
    join public.folders f on f.id = n.folder_id
    join private.folder_invitations m on m.folder_id = n.folder_id and m.email = n.email
    join public.profiles p on p.id = n.sender_id
    join private.share_mail_addresses a on a.email = n.email
    order by k.place;
end
$function$;
grant execute on function public.claim_folder_notifications(integer) to service_role;
comment on function public.claim_folder_notifications(integer) is 'Mails to people invited to folders that are due. Nullable: sender_name, first_category_id.';

CREATE OR REPLACE FUNCTION public.claim_share_notifications(max integer DEFAULT 10, for_category uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, category_id uuid, email text, category_name text, description text, owner_name text, unsubscribe_token uuid, attempts integer, queued_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claimed uuid[] := private.lease_share_notifications(max, for_category, false);
begin
  return query
    select n.id, n.category_id, n.email, c.name, c.description, c.name_users, a.token, n.attempts, n.queued_at
    from unnest(claimed) with ordinality as k(id, place)
    join private.share_notifications n on n.id = k.id
    join public.categories c on c.id = n.category_id
    join private.share_mail_addresses a on a.email = n.email
    order by k.place;
end
$function$;
grant execute on function public.claim_share_notifications(integer,uuid) to service_role;
comment on function public.claim_share_notifications(integer,uuid) is 'Invitation mails that are due. Nullable: description, owner_name.';

CREATE OR REPLACE FUNCTION public.claim_stripe_customer(user_id uuid, customer_id text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  standing text;
begin
  if customer_id is null or customer_id !~ '^[A-Za-z0-9_-]{1,255}$' then
    raise exception using errcode = 'PT400', message = 'Cliente de pagamento inválido';
  end if;
  begin
    insert into public.subscribers as s (user_id, stripe_customer_id)
    select p.id, $2 from public.profiles p where p.id = $1
    on conflict on constraint subscribers_pkey do update set stripe_customer_id = excluded.stripe_customer_id
    where s.stripe_customer_id is null;
  exception when unique_violation then
    null;
  end;
  select s.stripe_customer_id into standing from public.subscribers s where s.user_id = $1;
  return standing;
end
$function$;
grant execute on function public.claim_stripe_customer(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.close_abandoned_accounts(max integer DEFAULT 500, days integer DEFAULT 30, at timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  unseen_since timestamptz := at - make_interval(days => greatest(coalesce($2, 30), 9));
  doomed uuid[];
begin
  select array_agg(held.id) into doomed
  from (
    select u.id
    from auth.users u join private.account_activity a on a.user_id = u.id
    where u.is_anonymous and u.email is null and u.deleted_at is null
      and u.created_at <= unseen_since and a.seen_at <= unseen_since
      and not exists (select from private.account_closures c where c.user_id = u.id and c.reopened_at is null)
      and not exists (select from public.subscribers s where s.user_id = u.id and s.subscription_status = 'active')
      and not exists (select from private.installation i where i.admin_user_id = u.id)
    limit least(greatest(coalesce($1, 500), 0), 10000)
    for update of u skip locked
  ) as held;
  if doomed is null then
    return 0;
  end if;
  -- A refresh writes to the session alone: it is waited for. Looked at once more, now that nobody of them comes back meanwhile.
  perform from auth.sessions s where s.user_id = any (doomed) order by s.id for update;
  select array_agg(a.user_id) into doomed
  from private.account_activity a join auth.users u on u.id = a.user_id
  where a.user_id = any (doomed) and u.is_anonymous and u.email is null and a.seen_at <= unseen_since;
  if doomed is null then
    return 0;
  end if;

  insert into private.account_closures as c (user_id, reason, closed_at, purge_after)
  select d.id, 'deletion', at, at from unnest(doomed) as d(id)
  on conflict on constraint account_closures_pkey do update set
    id = excluded.id, reason = excluded.reason, closed_at = excluded.closed_at, purge_after = excluded.purge_after,
    reopened_at = null, is_notice_due = false;
  perform private.withdraw_accounts(doomed);
  insert into private.account_events (event, closure_id)
  select 'deleted', c.id from private.account_closures c where c.user_id = any (doomed);
  return cardinality(doomed);
end
$function$;
grant execute on function public.close_abandoned_accounts(integer,integer,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.close_account(user_id uuid, asking_session uuid DEFAULT NULL::uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  until timestamptz;
begin
  if exists (select from private.installation i where i.admin_user_id = $1) then
    raise exception using errcode = 'PT409', message = 'A conta que administra esta instalação não pode ser excluída';
  end if;
  -- A sign-in at the same moment waits here, or has to be waited for: it comes before or after, whole.
  perform from auth.users u where u.id = $1 for update;
  if not found then
    return null;
  end if;
  select c.purge_after into until
  from private.account_closures c where c.user_id = $1 and c.reason = 'deletion' and c.reopened_at is null;
  if found then
    return until;
  end if;

  insert into private.account_closures as c (user_id, reason, purge_after)
  values ($1, 'deletion', now() + private.restore_window())
  on conflict on constraint account_closures_pkey do update set
    id = excluded.id, reason = excluded.reason, closed_at = excluded.closed_at, purge_after = excluded.purge_after,
    reopened_at = null, is_notice_due = false
  returning c.purge_after into until;
  perform private.withdraw_accounts(array[$1], asking_session);
  insert into private.account_events (event, closure_id)
  select 'deleted', c.id from private.account_closures c where c.user_id = $1;
  insert into private.account_mails (user_id, kind, occasion, deadline) values ($1, 'deleted', now(), until);
  return until;
end
$function$;
grant execute on function public.close_account(uuid,uuid) to service_role;
comment on function public.close_account(uuid,uuid) is 'Until when the account can be had back. Nullable.';

CREATE OR REPLACE FUNCTION public.close_feed(category_id uuid DEFAULT NULL::uuid, search_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.feeds f where f.user_id = caller and (f.category_id = $1 or f.search_id = $2);
end
$function$;
grant execute on function public.close_feed(uuid,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.copy_shared_category(category_id uuid, folder_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  access text := private.category_access($1);
  copy uuid;
  total integer;
  tags record;
begin
  if access = 'limited' then
    raise exception using
      errcode = 'P0001',
      message = 'Limite de categorias compartilhadas atingido',
      hint = 'plan_limit_shares';
  elsif caller is null or access is null or access = 'denied' then
    -- Restricted to others and missing answer alike.
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif not exists (select from public.folders f where f.id = $2 and f.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  end if;
  select n.link_count into total from public.category_counts n where n.category_id = $1;
  if total > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;

  insert into public.categories (name, description, folder_id, user_id)
  select c.name, c.description, $2, caller from public.categories c where c.id = $1
  returning id into copy;
  if copy is null then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  -- Their names, the ones that most links have first, as far as the plan has room. (Before the links, which they are given to.)
  tags := private.make_tags(caller, array(
    select t.name
    from public.links l join public.link_tags k on k.link_id = l.id join public.tags t on t.id = k.tag_id
    where l.category_id = $1
    group by t.name, t.folded order by count(*) desc, t.folded
  ), true);
  -- The last one first: dates are new, the order is the same.
  with source as materialized (
    select gen_random_uuid() as id, l.id as source_id, l.url, l.title, l.description,
      row_number() over (order by coalesce(m.rank, private.birth_rank(l.created_at, l.id)) collate "C") as place
    from public.links l
    left join public.manual_order m on m.link_id = l.id
      and exists (select from public.manual_order o where o.category_id = $1)
    where l.category_id = $1
    order by place
    limit 20000
  ), copied as (
    insert into public.links (id, url, title, description, category_id, user_id)
    select s.id, s.url, s.title, s.description, copy, caller from source s order by s.place
    returning id, created_at
  )
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select s.id, own.id, caller, c.created_at
  from source s
  join copied c on c.id = s.id
  join public.link_tags k on k.link_id = s.source_id
  join public.tags t on t.id = k.tag_id
  join public.tags own on own.user_id = caller and own.folded = t.folded and own.id = any (tags.ids);
  update public.tags t set tagged_at = clock_timestamp() where t.id = any (tags.ids);
  return copy;
exception when foreign_key_violation then
  -- The folder went meanwhile.
  raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
end
$function$;
grant execute on function public.copy_shared_category(uuid,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.count_links_by(term text DEFAULT ''::text, site text DEFAULT NULL::text, folder text DEFAULT NULL::text, category text DEFAULT NULL::text, kind text DEFAULT NULL::text, saved_before timestamp with time zone DEFAULT NULL::timestamp with time zone, saved_since timestamp with time zone DEFAULT NULL::timestamp with time zone, favorite boolean DEFAULT false, tags text[] DEFAULT NULL::text[], untagged boolean DEFAULT false, broken boolean DEFAULT false, max_count integer DEFAULT 1000)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.reader_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  most integer := least(greatest(coalesce(max_count, 1000), 0), 1000);
  is_filtered boolean := num_nonnulls(site, folder, category, kind, saved_before, saved_since) > 0
    or favorite is true or untagged is true or broken is true or cardinality(tags) > 0;
begin
  if caller is null or most = 0 then
    return 0;
  elsif is_filtered is true then
    return cardinality(private.find_links_left(
      caller, whole, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, broken, most));
  elsif whole = '' then
    return (select least(n.link_count, most) from public.library_counts n where n.user_id = caller);
  end if;
  return cardinality(private.find_links_of_term(caller, whole, most));
end
$function$;
grant execute on function public.count_links_by(text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,text[],boolean,boolean,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.count_searches(searches jsonb)
 RETURNS TABLE(place integer, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  began timestamptz := clock_timestamp();
  asked record;
begin
  if jsonb_typeof(searches) is distinct from 'array' or jsonb_array_length(searches) > private.most('saved_searches') then
    raise exception using errcode = 'PT400', message = 'Uma lista de no máximo 100 buscas por vez';
  end if;
  for asked in
    select q.* from rows from (
      jsonb_to_recordset(searches) as (
        term text, site text, folder text, category text, kind text, saved_before timestamptz, saved_since timestamptz, favorite boolean,
        tags text[], untagged boolean, broken boolean
      )
    ) with ordinality as q(term, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, broken, place)
  loop
    place := asked.place;
    total := public.count_links_by(
      asked.term, asked.site, asked.folder, asked.category, asked.kind, asked.saved_before, asked.saved_since, asked.favorite,
      asked.tags, asked.untagged, asked.broken);
    return next;
    exit when clock_timestamp() > began + interval '2 seconds';
  end loop;
end
$function$;
grant execute on function public.count_searches(jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.create_webhook(url text, events text[])
 RETURNS TABLE(id uuid, secret text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller constant uuid := private.webhook_owner();
begin
  perform private.check_webhook($1, $2);
  perform private.take_webhook_place(caller);
  return query
    insert into private.webhooks as w (user_id, url, events) values (caller, $1, $2)
    returning w.id, 'whsec_' || encode(w.secret, 'base64');
end
$function$;
grant execute on function public.create_webhook(text,text[]) to authenticated;

CREATE OR REPLACE FUNCTION public.daily_mail()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.daily_mails d where d.user_id = private.caller_id() and d.unsubscribed_at is null)
$function$;
grant execute on function public.daily_mail() to authenticated;

CREATE OR REPLACE FUNCTION public.delete_from_bin(deletion_id bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  ended boolean;
begin
  update private.deletions d set purge_after = now()
  where d.id = deletion_id and d.user_id = caller and d.purge_after > now();
  ended := found;
  perform private.purge_deletions(10000);
  return ended;
end
$function$;
grant execute on function public.delete_from_bin(bigint) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_group(group_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  content jsonb;
begin
  perform private.lock_group(private.caller_id(), $1);
  select jsonb_build_object(
    'name', g.name,
    'emails', (select coalesce(jsonb_agg(m.email order by m.created_at, m.email), '[]') from private.group_members m where m.group_id = $1),
    'since', (select coalesce(jsonb_object_agg(m.email, m.created_at), '{}') from private.group_members m where m.group_id = $1),
    'folders', (
      select coalesce(jsonb_agg(jsonb_build_object('folder_id', s.folder_id, 'role', s.role, 'emails', (
        select coalesce(jsonb_agg(m.email), '[]') from public.folder_members m where m.folder_id = s.folder_id and m.group_id = $1
      ), 'since', (
        select coalesce(jsonb_object_agg(m.email, m.created_at), '{}') from public.folder_members m
        where m.folder_id = s.folder_id and m.group_id = $1
      )) order by s.created_at, s.folder_id), '[]')
      from private.folder_groups s where s.group_id = $1
    )
  ) into content from private.groups g where g.id = $1;
  delete from private.groups g where g.id = $1;
  return content;
end
$function$;
grant execute on function public.delete_group(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_links(link_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  gone integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para excluir';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  delete from public.links where id = any (link_ids);
  get diagnostics gone = row_count;
  return gone;
end
$function$;
grant execute on function public.delete_links(uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_tags(tag_ids uuid[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.writer_id();
  change bigint := private.open_tag_change(caller);
  own uuid[] := array(select t.id from public.tags t where t.id = any (tag_ids) and t.user_id = caller);
begin
  if cardinality(own) = 0 then
    raise exception using errcode = 'PT404', message = 'Esta tag não existe mais';
  end if;
  perform private.keep_tags(change, own);
  perform private.tell_viewers(private.shared_categories_with_tags(caller, own));
  delete from public.tags t where t.id = any (own);
  return change;
end
$function$;
grant execute on function public.delete_tags(uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_webhook(webhook_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.webhook_owner();
  hook private.webhooks;
begin
  -- As private.take_webhook_place: two that are deleted at once are counted one after the other.
  perform from public.library_counts n where n.user_id = caller for no key update;
  hook := private.own_webhook(caller, webhook_id);
  update private.webhooks w
  set deleted_at = now(),
    places = (select count(*) from private.webhooks o where o.user_id = caller and o.deleted_at is null)
  where w.id = hook.id;
end
$function$;
grant execute on function public.delete_webhook(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.empty_bin()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  ended integer;
begin
  update private.deletions d set purge_after = now() where d.user_id = caller and d.purge_after > now();
  get diagnostics ended = row_count;
  perform private.purge_deletions(10000);
  return ended;
end
$function$;
grant execute on function public.empty_bin() to authenticated;

CREATE OR REPLACE FUNCTION public.end_device(session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.caller_session() is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  end if;
  if $1 is distinct from private.caller_session()
    and exists (select from auth.sessions s where s.id = $1 and s.user_id = (select auth.uid()))
  then
    perform private.end_pending_changes((select auth.uid()));
    -- Asked again: whoever held the account may have ended the session that asks.
    if private.caller_session() is null then
      raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
    end if;
  end if;
  delete from auth.sessions s where s.id = $1 and s.user_id = (select auth.uid());
  if not found then
    return false;
  end if;
  perform realtime.send('{}', 'ended', 'session:' || $1, true);
  return true;
end
$function$;
grant execute on function public.end_device(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.end_folder_offer(folder_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
begin
  delete from private.folder_offers o
  where o.folder_id = $1 and (o.owner_id = caller or exists (
    select from private.available_folders a where a.folder_id = $1 and a.person_id = caller and not a.is_closed
  ));
end
$function$;
grant execute on function public.end_folder_offer(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.end_group_share(folder_id uuid, group_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  perform private.lock_group(private.caller_id(), $2);
  delete from private.folder_groups s where s.folder_id = $1 and s.group_id = $2;
end
$function$;
grant execute on function public.end_group_share(uuid,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.end_other_devices()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  own constant uuid := private.caller_session();
  ended uuid[];
  session_id uuid;
begin
  if own is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  end if;
  perform private.end_pending_changes((select auth.uid()));
  -- Asked again: whoever held the account may have ended the session that asks.
  if private.caller_session() is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  end if;
  with gone as (
    delete from auth.sessions s
    where s.user_id = (select auth.uid()) and s.id <> own and s.oauth_client_id is null and s.scopes is null
    returning s.id
  )
  select coalesce(array_agg(g.id), '{}') into ended from gone g;
  foreach session_id in array ended loop
    perform realtime.send('{}', 'ended', 'session:' || session_id, true);
  end loop;
  return cardinality(ended);
end
$function$;
grant execute on function public.end_other_devices() to authenticated;

CREATE OR REPLACE FUNCTION public.feed_key(category_id uuid DEFAULT NULL::uuid, search_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.key from private.feeds f
  where f.user_id = private.caller_id() and (f.category_id = $1 or f.search_id = $2)
$function$;
grant execute on function public.feed_key(uuid,uuid) to authenticated;
comment on function public.feed_key(uuid,uuid) is 'The key of a feed of one''s own. Nullable.';

CREATE OR REPLACE FUNCTION public.find_account_to_close(user_id uuid)
 RETURNS TABLE(email text, closed_at timestamp with time zone, stripe_customer_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.email::text, c.closed_at, s.stripe_customer_id
  from auth.users u
  left join private.account_closures c on c.user_id = u.id and c.reopened_at is null
  left join public.subscribers s on s.user_id = u.id
  where u.id = $1
$function$;
grant execute on function public.find_account_to_close(uuid) to service_role;
comment on function public.find_account_to_close(uuid) is 'An account as delete-account sees it. Nullable: email, closed_at, stripe_customer_id.';

CREATE OR REPLACE FUNCTION public.find_charged_closed_accounts()
 RETURNS TABLE(stripe_customer_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.stripe_customer_id
  from private.account_closures c join public.subscribers s on s.user_id = c.user_id
  where c.reopened_at is null and c.reason = 'deletion' and s.stripe_customer_id is not null
    and s.subscription_status in ('active', 'payment_failed')
$function$;
grant execute on function public.find_charged_closed_accounts() to service_role;

CREATE OR REPLACE FUNCTION public.find_links_by_url(urls text[], in_shared_folders boolean DEFAULT false)
 RETURNS TABLE(url text, link_id uuid, title text, category_id uuid, category_name text, folder_name text, is_own boolean, owner_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.reader_id();
  owners uuid[] := array[caller];
  opened uuid[] := '{}';
begin
  if cardinality(urls) > 200 then
    raise exception using errcode = 'PT400', message = 'No máximo 200 endereços por vez';
  end if;
  if in_shared_folders and caller is not null then
    select coalesce(array_agg(distinct r.owner_id), '{}') || owners, coalesce(array_agg(c.id), '{}') into owners, opened
    from private.folder_places r
    join public.categories c on c.folder_id = r.folder_id and not c.is_held_back
    where r.person_id = caller;
  end if;
  return query
    select asked.address, l.id, l.title, c.id, c.name, f.name, l.user_id = caller,
      case when l.user_id <> caller then (select p.name from public.profiles p where p.id = l.user_id) end
    from (
      select given.address, private.address_key(given.address) as key, min(given.place) as place
      from unnest(urls) with ordinality as given(address, place)
      where given.address is not null
      group by given.address
    ) as asked
    cross join unnest(owners) as o(id)
    cross join lateral (
      select k.id, k.title, k.category_id, k.created_at, k.user_id
      from private.link_addresses a join public.links k on k.id = a.id
      where a.user_id = o.id and a.hash = hashtextextended(asked.key, 0)
        and private.address_key(k.url) = asked.key
        and (o.id = caller or k.category_id = any (opened))
      order by a.created_at desc, a.id desc
      limit 5
    ) as l
    join public.categories c on c.id = l.category_id
    join public.folders f on f.id = c.folder_id
    order by asked.place, l.user_id = caller desc, l.created_at desc, l.id desc;
end
$function$;
grant execute on function public.find_links_by_url(text[],boolean) to authenticated;
comment on function public.find_links_by_url(text[],boolean) is 'Where addresses are kept, the caller''s own links first. Nullable: owner_name.';

CREATE OR REPLACE FUNCTION public.finish_access_request_mail(id uuid, outcome text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  update private.access_request_mails m
  set state = case outcome when 'retry' then 'waiting' else outcome end,
    leased_until = null,
    started_at = case outcome when 'retry' then null else m.started_at end,
    next_attempt_at = case outcome
      when 'retry' then now() + private.share_notification_retry(m.attempts - 1) else m.next_attempt_at
    end
  where m.id = $1 and m.state = 'sending';
  return found;
end
$function$;
grant execute on function public.finish_access_request_mail(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.finish_account_mail(id uuid, outcome text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  update private.account_mails m
  set state = case outcome when 'retry' then 'waiting' else outcome end,
    finished_at = case when outcome <> 'retry' then now() end,
    leased_until = null,
    started_at = case outcome when 'retry' then null else m.started_at end,
    next_attempt_at = case outcome
      when 'retry' then now() + private.share_notification_retry(m.attempts - 1) else m.next_attempt_at
    end
  where m.id = $1 and m.state = 'sending';
  return found;
end
$function$;
grant execute on function public.finish_account_mail(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.finish_account_upkeep(next_in integer DEFAULT 1440, at timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.account_upkeep u set due_at = at + make_interval(mins => next_in) where u.is_this;
  -- The tokens from before have long expired.
  delete from private.account_closures c where c.reopened_at < at - interval '30 days';
  delete from private.account_mails m
  where m.state in ('sent', 'refused', 'withdrawn') and m.queued_at < at - interval '12 months';
  delete from private.refused_mails r where r.refused_at < at - interval '30 days';
  delete from private.saved_mails m where m.saved_at < at - interval '7 days';
$function$;
grant execute on function public.finish_account_upkeep(integer,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.finish_daily_mail(id uuid, outcome text, at timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  again timestamptz;
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  select $3 + private.share_notification_retry(d.attempts - 1) into again from private.daily_mails d where d.mail_id = $1 and d.leased_until is not null;
  update private.daily_mails d
  set told_until = case outcome when 'retry' then d.told_until else d.window_end end,
    due_at = case outcome when 'retry' then d.due_at else m.morning end,
    next_attempt_at = case outcome
      when 'retry' then greatest(again, private.mail_morning(private.brasilia_day(again))) else m.morning
    end,
    attempts = case outcome when 'retry' then d.attempts else 0 end,
    mail_id = case outcome when 'retry' then d.mail_id end,
    window_end = case outcome when 'retry' then d.window_end end,
    leased_until = null, content_hash = null, started_at = null
  from private.mail_morning(private.brasilia_day($3) + 1) as m(morning)
  where d.mail_id = $1 and d.leased_until is not null;
  return found;
end
$function$;
grant execute on function public.finish_daily_mail(uuid,text,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.finish_share_notification(id uuid, outcome text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if outcome is null or outcome not in ('sent', 'refused', 'retry') then
    raise exception using errcode = 'PT400', message = 'Resultado desconhecido';
  end if;
  update private.share_notifications n
  set state = case outcome when 'retry' then 'waiting' else outcome end,
    sent_at = case outcome when 'sent' then now() end,
    leased_until = null,
    started_at = case outcome when 'retry' then null else n.started_at end,
    -- Counted by the limits is what may have reached somebody.
    claimed_at = case outcome when 'retry' then null else n.claimed_at end,
    next_attempt_at = case outcome
      when 'retry' then now() + private.share_notification_retry(n.attempts - 1) else n.next_attempt_at
    end
  where n.id = $1 and n.state = 'sending';
  return found;
end
$function$;
grant execute on function public.finish_share_notification(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.folder_news()
 RETURNS TABLE(category_id uuid, added integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.id, n.added
  from private.folder_places r
  join public.categories c on c.folder_id = r.folder_id and not c.is_held_back
  left join private.category_visits v on v.person_id = r.person_id and v.category_id = c.id
  cross join lateral (
    select count(*)::integer as added
    from (
      select from public.links l
      where l.category_id = c.id and l.created_at > coalesce(v.seen_at, r.since) and l.added_by is distinct from r.person_id
      limit 100
    ) as fresh
  ) as n
  where r.person_id = private.caller_id() and n.added > 0
  order by c.id
$function$;
grant execute on function public.folder_news() to authenticated;

CREATE OR REPLACE FUNCTION public.folder_offer(folder_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.email from private.folder_offers o where o.folder_id = $1 and o.owner_id = private.caller_id()
$function$;
grant execute on function public.folder_offer(uuid) to authenticated;
comment on function public.folder_offer(uuid) is 'To whom one''s own folder is offered.';

CREATE OR REPLACE FUNCTION public.forbid_mail_sender(email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.mail_senders s where s.user_id = caller and s.email = lower(btrim(forbid_mail_sender.email));
end
$function$;
grant execute on function public.forbid_mail_sender(text) to authenticated;

CREATE OR REPLACE FUNCTION public.get_all_profiles()
 RETURNS SETOF public.profiles
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.enter_admin_area('profiles') then
    return query select p.* from public.profiles p order by p.created_at desc, p.id;
  end if;
end
$function$;
grant execute on function public.get_all_profiles() to authenticated;
comment on function public.get_all_profiles() is 'rest: recorded first';

CREATE OR REPLACE FUNCTION public.get_all_user_emails()
 RETURNS TABLE(id uuid, email text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.enter_admin_area('emails') then
    return query select u.id, u.email::text from auth.users u order by u.created_at desc, u.id;
  end if;
end
$function$;
grant execute on function public.get_all_user_emails() to authenticated;
comment on function public.get_all_user_emails() is 'The address of every account, for the administrator. Nullable: email. rest: recorded first';

CREATE OR REPLACE FUNCTION public.give_up_mail_address()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.mail_addresses a where a.user_id = caller;
end
$function$;
grant execute on function public.give_up_mail_address() to authenticated;

CREATE OR REPLACE FUNCTION public.has_left_share(category_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.left_shares l where l.user_id = private.caller_id() and l.category_id = $1)
$function$;
grant execute on function public.has_left_share(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.has_requested_access(category_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from private.access_requests r
    where r.asker_id = private.caller_id() and r.category_id = $1 and r.asked_at > now() - interval '30 days'
  )
$function$;
grant execute on function public.has_requested_access(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.ignore_stripe_event(event_id text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.stripe_events e set applied_at = now(), outcome = 'ignored'
  where e.id = $1 and e.applied_at is null
  returning true
$function$;
grant execute on function public.ignore_stripe_event(text) to service_role;

CREATE OR REPLACE FUNCTION public.import_library(import_id uuid, part integer, content jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.require_importer();
  running private.imports;
  made record;
  link_ids uuid[];
  tag_ids uuid[];
  answer jsonb;
begin
  perform private.require_import_content(content);
  if import_id is null or part is null or part < 0 or part >= 10000 then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  end if;
  perform private.purge_imports();
  insert into private.imports (user_id, id) values (caller, $1) on conflict (user_id, id) do nothing;
  -- Parts of one import come one after the other, also those that a slow network sent twice.
  select i.* into running from private.imports i where i.user_id = caller and i.id = $1 for update;
  if running.undone_at is not null then
    raise exception using errcode = 'PT409', message = 'Esta importação foi desfeita';
  end if;
  select p.answer into answer from private.import_parts p
  where p.user_id = caller and p.import_id = $1 and p.part = $2;
  if found then
    return answer;
  end if;
  if (select count(*) from private.imports i where i.user_id = caller) > 50 then
    raise exception using errcode = 'PT429', message = 'Muitas importações em um dia. Tente de novo amanhã.';
  end if;
  perform private.require_import_room(caller, content -> 'total');

  -- Limits hold as ever (there is nothing to be given back); the trigger of search leaves the summing up to widen_search_zones.
  insert into private.restorations (user_id, link_count, category_count) values (caller, 0, 0);
  made := private.import_places(caller, running.started_at, content);
  link_ids := private.import_links(caller, running.started_at, content);
  tag_ids := private.import_tags(caller, content, link_ids);
  delete from private.restorations where user_id = caller;

  answer := jsonb_build_object(
    'folders', cardinality(made.folder_ids),
    'categories', cardinality(made.category_ids),
    'links', cardinality(link_ids),
    'known', jsonb_array_length(content -> 'links') - cardinality(link_ids)
  );
  insert into private.import_parts (user_id, import_id, part, answer, folder_ids, category_ids, link_ids, tag_ids)
  values (caller, $1, $2, answer, made.folder_ids, made.category_ids, link_ids, tag_ids);
  return answer;
exception
  when not_null_violation or invalid_text_representation or invalid_datetime_format or datetime_field_overflow
    or numeric_value_out_of_range or invalid_parameter_value then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
end
$function$;
grant execute on function public.import_library(uuid,integer,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.is_admin()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_admin()
$function$;
grant execute on function public.is_admin() to authenticated;

CREATE OR REPLACE FUNCTION public.is_inbox(category public.categories)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select exists (select from public.inboxes i where i.category_id = category.id and i.user_id = category.user_id) $function$;
grant execute on function public.is_inbox(public.categories) to authenticated;

CREATE OR REPLACE FUNCTION public.join_repeated_links(joins jsonb)
 RETURNS TABLE(kept uuid, remaining uuid, gone uuid[], version timestamp with time zone, was jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  asked jsonb;
  members public.links[];
  chosen public.links;
  oldest public.links;
  is_starred boolean;
  was_starred boolean;
  own_tags uuid[];
  more_tags uuid[];
begin
  if jsonb_typeof(joins) is distinct from 'array' or jsonb_array_length(joins) > 50
    or (select count(*) from jsonb_array_elements(joins) as j(one), jsonb_array_elements(j.one -> 'links')) > 2500 then
    raise exception using errcode = 'PT400', message = 'No máximo 50 endereços por vez';
  end if;
  -- All of them in one order: of two that join the same, the second waits and finds what the first has left.
  perform from public.links l
  where l.user_id = caller and l.id in (
    select (k.link ->> 'id')::uuid from jsonb_array_elements(joins) as j(one), jsonb_array_elements(j.one -> 'links') as k(link)
  )
  order by l.id for update;

  for asked in select j.one from jsonb_array_elements(joins) with ordinality as j(one, place) order by j.place loop
    select l.* into chosen from public.links l where l.id = (asked ->> 'kept')::uuid and l.user_id = caller;
    continue when chosen.id is null;
    members := array(
      select l
      from public.links l
      join (
        select distinct on ((k.link ->> 'id')::uuid) (k.link ->> 'id')::uuid as id, (k.link ->> 'updated_at')::timestamptz as seen
        from jsonb_array_elements(asked -> 'links') as k(link)
      ) as given on given.id = l.id and given.seen = l.updated_at
      where l.user_id = caller and private.address_key(l.url) = private.address_key(chosen.url)
      order by l.created_at, l.id
    );
    continue when cardinality(members) < 2 or not exists (select from unnest(members) as m where m.id = chosen.id);
    oldest := members[1];
    kept := chosen.id;
    remaining := oldest.id;
    gone := array(select m.id from unnest(members[2:]) as m);
    was_starred := exists (select from public.favorites s where s.user_id = caller and s.link_id = remaining);
    is_starred := was_starred or exists (select from public.favorites s where s.user_id = caller and s.link_id = any (gone));
    own_tags := array(select k.tag_id from public.link_tags k where k.link_id = remaining);
    -- As many as a link has room for, those that most links have first.
    more_tags := array(
      select t.id from public.tags t
      where t.id in (select k.tag_id from public.link_tags k where k.link_id = any (gone)) and t.id <> all (own_tags)
      order by t.link_count desc, t.id limit greatest(private.most_tags('link') - cardinality(own_tags), 0)
    );
    was := jsonb_build_object(
      'title', oldest.title, 'url', oldest.url, 'description', oldest.description, 'category_id', oldest.category_id,
      'favorite', was_starred, 'more_tags', more_tags);
    -- What hangs on the links that go, goes with them into the bin: what is to stay is taken note of before, and written after.
    delete from public.links l where l.id = any (gone);
    update public.links l
    set title = chosen.title, url = chosen.url, category_id = chosen.category_id, description = private.join_descriptions(array(
      select m.description from unnest(members) as m order by m.id <> chosen.id, m.created_at, m.id
    ))
    where l.id = remaining
    returning l.updated_at into version;
    if is_starred and not was_starred then
      insert into public.favorites (user_id, link_id) values (caller, remaining);
    end if;
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select remaining, m.id, caller, oldest.created_at from unnest(more_tags) as m(id);
    update public.tags t set tagged_at = clock_timestamp() where t.id = any (more_tags);
    return next;
  end loop;
end
$function$;
grant execute on function public.join_repeated_links(jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.kept_addresses(buckets integer[])
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Once, not for each bucket.
  reader uuid := private.reader_id();
begin
  if cardinality(buckets) > 100 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 grupos de endereços por vez';
  end if;
  return (
    -- As text: JSON's numbers do not hold 64 bits.
    select coalesce(array_agg(distinct a.hash::text), '{}')
    from (select distinct b from unnest(buckets) as b where b between -2048 and 2047) as asked(bucket)
    join private.link_addresses a
      on a.hash between asked.bucket::bigint << 52 and (asked.bucket::bigint << 52) + ((1::bigint << 52) - 1)
    where a.user_id = reader
  );
end
$function$;
grant execute on function public.kept_addresses(integer[]) to authenticated;

CREATE OR REPLACE FUNCTION public.last_import()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select jsonb_build_object(
      'id', i.id, 'started_at', i.started_at, 'folders', sum((p.answer ->> 'folders')::integer),
      'categories', sum((p.answer ->> 'categories')::integer), 'links', sum((p.answer ->> 'links')::integer)
    )
    from private.imports i
    join private.import_parts p on p.user_id = i.user_id and p.import_id = i.id
    where i.user_id = private.caller_id() and i.started_at > now() - private.import_window()
    group by i.id, i.started_at
    having sum(cardinality(p.link_ids) + cardinality(p.category_ids) + cardinality(p.folder_ids)) > 0
    order by i.started_at desc
    limit 1
  );
end
$function$;
grant execute on function public.last_import() to authenticated;

CREATE OR REPLACE FUNCTION public.leave_share(category_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- As whoever saves the list does: one after the other. Nobody holds what is not shared with them.
  perform from public.categories c
  where c.id = $1 and c.id = any (private.invited_category_ids()) for no key update;
  delete from private.left_shares l
  where l.user_id = private.caller_id() and l.left_at < now() - interval '1 day'
    and not exists (select from public.categories c where c.id = l.category_id)
    and not exists (select from private.deleted_rows r where r.kind = 'category' and r.id = l.category_id);
  with gone as (
    delete from public.shared_with s
    where s.category_id = $1 and s.email = lower(auth.email()) and private.caller_id() is not null
    returning s.created_at
  )
  insert into private.left_shares (user_id, category_id, shared_at)
  select private.caller_id(), $1, g.created_at from gone g
  on conflict on constraint left_shares_pkey do update set shared_at = excluded.shared_at, left_at = now();
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  delete from private.access_requests r
  where r.asker_id = private.caller_id() and r.category_id = $1 and r.refused_at is null;
end
$function$;
grant execute on function public.leave_share(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.link_checks()
 RETURNS TABLE(total bigint, checked bigint, broken bigint, ended_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    (select count(*) from public.links l where l.user_id = r.user_id),
    (select count(*) from public.links l where l.user_id = r.user_id and (l.created_at, l.id) <= (r.reached_at, r.reached_id)),
    (select count(*) from private.failing_links f where f.user_id = r.user_id and f.broken),
    r.ended_at
  from private.link_check_rounds r
  where r.user_id = private.caller_id()
$function$;
grant execute on function public.link_checks() to authenticated;
comment on function public.link_checks() is 'Whether the caller''s links are looked at, and how far that has come; nothing where it is off. Nullable: ended_at.';

CREATE OR REPLACE FUNCTION public.list_access_requests()
 RETURNS TABLE(id uuid, category_id uuid, category_name text, asker_name text, email text, note text, asked_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.id, r.category_id, r.category_name, r.asker_name, r.email, r.note, r.asked_at
  from private.open_access_requests r where r.owner_id = private.caller_id()
  order by r.asked_at, r.id limit 100
$function$;
grant execute on function public.list_access_requests() to authenticated;
comment on function public.list_access_requests() is 'Requests for one''s own categories. Nullable: asker_name.';

CREATE OR REPLACE FUNCTION public.list_bin(before bigint DEFAULT NULL::bigint, max integer DEFAULT 50)
 RETURNS TABLE(id bigint, item_type text, name text, folder_count integer, category_count integer, link_count integer, folder_name text, category_name text, deleted_at timestamp with time zone, purge_after timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.id, named.kind, named.title, n.folders::integer, n.categories::integer, n.links::integer,
    case when named.kind <> 'folder' then d.folder_name end, case when named.kind = 'link' then d.category_name end,
    d.deleted_at, d.purge_after
  from (
    select o.* from private.deletions o
    where o.user_id = private.caller_id() and o.purge_after > now() and (before is null or o.id < before)
      and exists (select from private.deleted_rows r where r.deletion_id = o.id and r.kind in ('folder', 'category', 'link'))
    order by o.id desc
    limit least(greatest(coalesce(max, 50), 0), 100)
  ) as d
  cross join lateral (
    select count(*) filter (where r.kind = 'folder') as folders, count(*) filter (where r.kind = 'category') as categories,
      count(*) filter (where r.kind = 'link') as links
    from private.deleted_rows r where r.deletion_id = d.id
  ) as n
  cross join lateral (
    select r.kind, coalesce(r.content ->> 'name', r.content ->> 'title') as title
    from private.deleted_rows r
    where r.deletion_id = d.id
      and r.kind = case when n.folders > 0 then 'folder' when n.categories > 0 then 'category' else 'link' end
    order by r.id limit 1
  ) as named
  order by d.id desc
$function$;
grant execute on function public.list_bin(bigint,integer) to authenticated;
comment on function public.list_bin(bigint,integer) is 'What is in the caller''s bin. Nullable: folder_name, category_name.';

CREATE OR REPLACE FUNCTION public.list_bin_rows(after_deletion bigint DEFAULT 0, after_kind text DEFAULT ''::text, after_id uuid DEFAULT NULL::uuid, max integer DEFAULT 1000)
 RETURNS TABLE(deletion_id bigint, kind text, id uuid, content jsonb, deleted_at timestamp with time zone, purge_after timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  left_over integer := least(greatest(coalesce(max, 1000), 0), 1000);
  found_rows integer;
  d private.deletions;
begin
  for d in
    select o.* from private.deletions o
    where o.user_id = caller and o.purge_after > now() and o.id >= after_deletion
    order by o.id
  loop
    exit when left_over = 0;
    return query
      select d.id, r.kind, r.id, r.content || case r.kind
        when 'category' then jsonb_build_object('shared_with', coalesce(
          (
            select jsonb_agg(jsonb_build_object('email', s.content ->> 'email', 'created_at', s.content ->> 'created_at'))
            from private.deleted_rows s where s.deletion_id = d.id and s.kind = 'share' and s.id = r.id
          ), '[]'
        ), 'manual_order', (
          select jsonb_build_object('category_id', r.id)
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'order' and k.id = r.id limit 1
        ))
        when 'folder' then jsonb_build_object('folder_members', coalesce(
          (
            select jsonb_agg(jsonb_build_object(
              'email', m.content ->> 'email', 'role', m.content ->> 'role', 'created_at', m.content ->> 'created_at'
            ))
            from private.deleted_rows m where m.deletion_id = d.id and m.kind = 'member' and m.id = r.id and m.content ->> 'group_id' is null
          ), '[]'
        ), 'folder_looks', (
          select jsonb_build_object('color', k.content ->> 'color', 'emoji', k.content ->> 'emoji')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'look' and k.id = r.id limit 1
        ))
        else jsonb_build_object('manual_order', (
          select jsonb_build_object('rank', k.content ->> 'rank')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'order' and k.id = r.id limit 1
        ), 'link_tags', coalesce((
          select jsonb_agg(jsonb_build_object('tags', jsonb_build_object('name', t.name)) order by t.folded)
          from private.deleted_rows k
          cross join lateral jsonb_array_elements_text(k.content -> 'tag_ids') as g(id)
          join public.tags t on t.id = g.id::uuid and t.user_id = caller
          where k.deletion_id = d.id and k.kind = 'tags' and k.id = r.id
        ), '[]'))
      end, d.deleted_at, d.purge_after
      from private.deleted_rows r
      where r.deletion_id = d.id and r.kind in ('folder', 'category', 'link')
        and (d.id > after_deletion or (r.kind, r.id) > (after_kind, after_id))
      order by r.kind, r.id
      limit left_over;
    get diagnostics found_rows = row_count;
    left_over := left_over - found_rows;
  end loop;
end
$function$;
grant execute on function public.list_bin_rows(bigint,text,uuid,integer) to authenticated;

CREATE OR REPLACE FUNCTION public.list_devices()
 RETURNS TABLE(session_id uuid, is_current boolean, signed_in_at timestamp with time zone, last_used_at timestamp with time zone, user_agent text, network text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id,
    s.id = own.id,
    s.created_at,
    greatest(s.created_at, s.refreshed_at at time zone 'utc'),
    s.user_agent,
    private.shorten_address(s.ip)
  from (select private.caller_session() as id) as own
  join auth.sessions s on own.id is not null and s.user_id = (select auth.uid())
  where (s.not_after is null or s.not_after > now()) and s.oauth_client_id is null and s.scopes is null
  order by s.id = own.id desc, 4 desc, s.id
  limit 200
$function$;
grant execute on function public.list_devices() to authenticated;

CREATE OR REPLACE FUNCTION public.list_files_to_purge(user_id uuid, max integer DEFAULT 1000)
 RETURNS TABLE(bucket_id text, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
grant execute on function public.list_files_to_purge(uuid,integer) to service_role;

CREATE OR REPLACE FUNCTION public.list_folder_groups(folder_id uuid)
 RETURNS TABLE(group_id uuid, name text, role text, member_count integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select g.id, g.name, s.role,
    (select count(*) from public.folder_members m where m.folder_id = $1 and m.group_id = g.id)::integer
  from private.folder_groups s join private.groups g on g.id = s.group_id
  where s.folder_id = $1 and s.owner_id = private.caller_id()
  order by s.created_at, g.id
$function$;
grant execute on function public.list_folder_groups(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.list_groups()
 RETURNS TABLE(id uuid, name text, emails text[], folder_count integer, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select g.id, g.name, array(select m.email from private.group_members m where m.group_id = g.id order by m.created_at, m.email),
    (select count(*) from private.folder_groups s where s.group_id = g.id)::integer, g.created_at
  from private.groups g where g.user_id = private.caller_id()
  order by lower(g.name), g.id
$function$;
grant execute on function public.list_groups() to authenticated;

CREATE OR REPLACE FUNCTION public.list_leftover_covers(max integer DEFAULT 200)
 RETURNS TABLE(name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  at_most integer := least(greatest(coalesce(max, 200), 1), 1000);
begin
  with gone as (
    select c.link_id from private.link_covers c
    where c.leftover_since < now() - interval '1 day' and not exists (
      select from storage.objects o where o.bucket_id = 'arquivos' and o.name = private.cover_name(c.user_id, c.link_id)
    )
    order by c.leftover_since
    limit 10 * at_most
    for update skip locked
  ), kept as (
    -- Of a link in the bin it is asked again a day later.
    update private.link_covers c set leftover_since = case when l.id is null then now() end
    from gone g left join public.links l on l.id = g.link_id
    where c.link_id = g.link_id and (
      l.id is not null and c.state in ('none', 'removed')
      or c.state = 'removed' and exists (
        select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
        where d.user_id = c.user_id and r.kind = 'link' and r.id = c.link_id
      )
    )
    returning c.link_id
  )
  delete from private.link_covers c using gone g
  where c.link_id = g.link_id and not exists (select from kept k where k.link_id = c.link_id);
  return query
    select o.name from (
      select c.user_id, c.link_id from private.link_covers c
      where c.leftover_since < now() - interval '1 day'
      order by c.leftover_since
      limit at_most
    ) as c
    join storage.objects o on o.bucket_id = 'arquivos' and o.name = private.cover_name(c.user_id, c.link_id);
end
$function$;
grant execute on function public.list_leftover_covers(integer) to service_role;

CREATE OR REPLACE FUNCTION public.list_own_access_requests()
 RETURNS TABLE(category_id uuid, note text, asked_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.category_id, r.note, r.asked_at from private.access_requests r
  where r.asker_id = private.caller_id() and r.asked_at > now() - interval '30 days'
  order by r.asked_at, r.id
$function$;
grant execute on function public.list_own_access_requests() to authenticated;

CREATE OR REPLACE FUNCTION public.list_refused_mails()
 RETURNS TABLE(id uuid, sender text, subject text, reason text, refused_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.id, r.sender, r.subject, r.reason, r.refused_at
  from private.refused_mails r
  where r.user_id = private.caller_id() and r.refused_at > now() - interval '30 days'
  order by r.refused_at desc, r.id
  limit 20
$function$;
grant execute on function public.list_refused_mails() to authenticated;

CREATE OR REPLACE FUNCTION public.list_repeated_links(before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_address text DEFAULT NULL::text, max_addresses integer DEFAULT 20)
 RETURNS TABLE(address text, newest timestamp with time zone, address_count integer, copy_count integer, id uuid, title text, url text, description text, category_id uuid, category_name text, folder_name text, favorite boolean, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with repeated as materialized (
    select a.hash, max(a.created_at) as newest, count(*) as copies
    from private.link_addresses a
    where a.user_id = private.caller_id()
    group by a.hash
    having count(*) > 1
  ), page as materialized (
    select r.hash, r.newest, r.copies
    from repeated r
    where before is null or (r.newest, r.hash) < (before, before_address::bigint)
    order by r.newest desc, r.hash desc
    limit least(greatest(coalesce(max_addresses, 20), 0), 50)
  )
  select p.hash::text, p.newest, (select count(*) from repeated)::integer, p.copies::integer,
    l.id, l.title, l.url, l.description, l.category_id, c.name, f.name,
    exists (select from public.favorites s where s.link_id = l.id and s.user_id = l.user_id), l.created_at, l.updated_at
  from page p
  cross join lateral (
    select a.created_at, a.id from private.link_addresses a
    where a.user_id = private.caller_id() and a.hash = p.hash
    order by a.created_at, a.id limit 50
  ) as copy
  join public.links l on l.id = copy.id
  join public.categories c on c.id = l.category_id
  join public.folders f on f.id = c.folder_id
  order by p.newest desc, p.hash desc, copy.created_at, copy.id
$function$;
grant execute on function public.list_repeated_links(timestamp with time zone,text,integer) to authenticated;
comment on function public.list_repeated_links(timestamp with time zone,text,integer) is 'The caller''s links whose address another of their links has, by address. Nullable: description.';

CREATE OR REPLACE FUNCTION public.list_stale_customers(before timestamp with time zone, max integer DEFAULT 100)
 RETURNS TABLE(customer_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.stripe_customer_id
  from public.subscribers s
  left join private.subscription_syncs t on t.customer_id = s.stripe_customer_id
  where s.stripe_customer_id is not null and (t.issued_at is null or t.issued_at < $1)
  order by t.issued_at nulls first, s.stripe_customer_id
  limit least(greatest(coalesce($2, 100), 0), 500)
$function$;
grant execute on function public.list_stale_customers(timestamp with time zone,integer) to service_role;

CREATE OR REPLACE FUNCTION public.list_webhook_deliveries(webhook_id uuid, before bigint DEFAULT NULL::bigint)
 RETURNS TABLE(id uuid, number bigint, type text, subject text, created_at timestamp with time zone, state text, attempts integer, attempted_at timestamp with time zone, outcome text, status integer, next_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.id, d.number, d.type, d.subject, d.created_at, d.state, d.attempts, d.attempted_at, d.outcome, d.status::integer,
    case when d.state = 'waiting' and w.off_at is null then greatest(d.due_at, w.due_at) end
  from private.webhooks w join private.webhook_deliveries d on d.webhook_id = w.id
  where w.id = $1 and w.user_id = private.caller_id() and w.deleted_at is null and (before is null or d.number < before)
    and (d.created_at > now() - interval '30 days' or d.state = 'waiting')
  order by d.number desc
  limit 20
$function$;
grant execute on function public.list_webhook_deliveries(uuid,bigint) to authenticated;
comment on function public.list_webhook_deliveries(uuid,bigint) is 'The log of a webhook. Nullable: subject, attempted_at, outcome, status, next_at.';

CREATE OR REPLACE FUNCTION public.list_webhooks()
 RETURNS TABLE(id uuid, url text, events text[], created_at timestamp with time zone, off_at timestamp with time zone, off_reason text, failing_since timestamp with time zone, waiting bigint, delivered_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w.id, w.url, w.events, w.created_at, w.off_at, w.off_reason, w.failing_since,
    (select count(*) from private.webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting'),
    (select d.attempted_at from private.webhook_deliveries d
     where d.webhook_id = w.id and d.state = 'delivered' order by d.number desc limit 1)
  from private.webhooks w
  where w.user_id = private.caller_id() and w.deleted_at is null
  order by w.created_at, w.id
$function$;
grant execute on function public.list_webhooks() to authenticated;
comment on function public.list_webhooks() is 'The person''s webhooks. Nullable: off_at, off_reason, failing_since, delivered_at.';

CREATE OR REPLACE FUNCTION public.mail_address()
 RETURNS TABLE(local_part text, any_sender boolean, own_sender text, senders text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.local_part, a.any_sender,
    (select lower(u.email) from auth.users u where u.id = a.user_id and u.email_confirmed_at is not null),
    array(select s.email from private.mail_senders s where s.user_id = a.user_id order by s.created_at, s.email)
  from private.mail_addresses a
  where a.user_id = private.caller_id()
$function$;
grant execute on function public.mail_address() to authenticated;
comment on function public.mail_address() is 'The address to which a person sends links. Nullable: own_sender.';

CREATE OR REPLACE FUNCTION public.merge_tags(source_ids uuid[], target_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  caller uuid := private.writer_id();
  change bigint;
  sources uuid[] := array(
    select t.id from public.tags t where t.id = any (source_ids) and t.id <> target_id and t.user_id = caller
  );
  moved uuid[];
  is_rest boolean;
begin
  moved := array(select distinct k.link_id from public.link_tags k where k.tag_id = any (sources) limit 20001);
  is_rest := cardinality(moved) <= 20000;
  moved := moved[:20000];
  -- The links first, as whoever deletes them does.
  perform from public.links l where l.id = any (moved) order by l.id for key share;
  change := private.open_tag_change(caller);
  if cardinality(sources) = 0 or not exists (select from public.tags t where t.id = target_id and t.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Esta tag não existe mais';
  end if;
  perform private.tell_viewers(private.shared_categories_with_tags(caller, sources));
  if is_rest then
    perform private.keep_tags(change, sources);
    -- The sources first: a link that has twenty has room for the target.
    delete from public.tags t where t.id = any (sources);
  else
    with lost as (
      delete from public.link_tags k where k.tag_id = any (sources) and k.link_id = any (moved) returning k.tag_id, k.link_id
    )
    insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
    select change, n.tag_id, false, array_agg(n.link_id)
    from (select l.*, row_number() over (partition by l.tag_id) / 5000 as part from lost l) as n group by n.tag_id, n.part;
  end if;
  with got as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select l.id, target_id, caller, l.created_at from public.links l where l.id = any (moved) and l.user_id = caller
    on conflict do nothing
    returning link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, target_id, true, array_agg(n.link_id)
  from (select g.*, row_number() over () / 5000 as part from got g) as n group by n.part;
  update public.tags t set tagged_at = clock_timestamp() where t.id = any (sources || target_id);
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, n.got_it, array_agg(n.id)
  from (
    select k.*, row_number() over (partition by k.tag_id) / 5000 as part
    from (
      select distinct r.id, m.tag_id, m.got_it
      from private.deletions d
      join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'tags' and r.content -> 'tag_ids' ?| sources::text[]
      cross join lateral (
        select s.id, false from unnest(sources) as s(id) where r.content -> 'tag_ids' ? s.id::text
        union all
        select target_id, true where not r.content -> 'tag_ids' ? target_id::text
      ) as m(tag_id, got_it)
      -- A link that was made anew under the id of one in the bin did not have its tags.
      where d.user_id = caller and not exists (select from public.links l where l.id = r.id)
    ) as k
  ) as n group by n.tag_id, n.got_it, n.part;
  update private.deleted_rows r
  set content = jsonb_build_object('tag_ids', (
    select jsonb_agg(distinct case when o.id = any (sources::text[]) then target_id::text else o.id end)
    from jsonb_array_elements_text(r.content -> 'tag_ids') as o(id)
  ))
  from private.deletions d
  where d.user_id = caller and r.deletion_id = d.id and r.kind = 'tags' and r.content -> 'tag_ids' ?| sources::text[];
  return jsonb_build_object('change', change, 'done', is_rest);
end
$function$;
grant execute on function public.merge_tags(uuid[],uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.move_links(link_ids uuid[], target_category_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moved integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para mover';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  -- Somebody else's category answers like one that does not exist.
  if not exists (
    select from public.categories
    where id = target_category_id
      and (user_id = auth.uid() or private.may_write_links() and id = any (private.writable_category_ids()))
  ) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  update public.links set category_id = target_category_id
  where id = any (link_ids) and category_id <> target_category_id;
  get diagnostics moved = row_count;
  return moved;
exception when foreign_key_violation then
  -- The category went while the links were on their way, or is another person's than the links.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$function$;
grant execute on function public.move_links(uuid[],uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.note_cover(link_id uuid, state text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.writer_id();
  noted timestamptz;
begin
  if coalesce($2, '') not in ('image', 'none', 'removed') then
    raise exception using errcode = 'PT400', message = 'Capa inválida';
  end if;
  -- The link stays as long as this takes: it could go, and leave a row behind that nothing takes away.
  perform from public.links l where l.id = $1 and l.user_id = caller for key share;
  if not found then
    raise exception using errcode = 'PT404', message = 'Este link não existe mais';
  elsif $2 = 'image' and not exists (
    select from storage.objects o where o.bucket_id = 'arquivos' and o.name = private.cover_name(caller, $1)
  ) then
    raise exception using errcode = 'PT404', message = 'A imagem desta capa não existe mais';
  end if;
  insert into private.link_covers as c (link_id, user_id, state) values ($1, caller, $2)
  on conflict on constraint link_covers_pkey do update set
    user_id = excluded.user_id, state = excluded.state, tried_at = excluded.tried_at,
    leftover_since = case
      when excluded.state = 'image' then null
      when c.state in ('image', 'old') then coalesce(c.leftover_since, now())
      else c.leftover_since
    end
  returning c.tried_at into noted;
  return noted;
end
$function$;
grant execute on function public.note_cover(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.note_link_checks(checks jsonb, round_of uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  with noted as (
    select c.link_id, l.user_id, c.outcome, c.status
    from jsonb_to_recordset(checks) as c(link_id uuid, url text, outcome text, status smallint)
    join public.links l on l.id = c.link_id and l.url = c.url
    -- Who has turned it off meanwhile has nothing noted.
    join private.link_check_rounds r on r.user_id = l.user_id
    for key share of l, r
  ), healed as (
    delete from private.failing_links f using noted n where n.outcome = 'works' and f.link_id = n.link_id
  ), unsure as (
    update private.failing_links f set due_at = now() + interval '1 day' from noted n where n.outcome = 'unsure' and f.link_id = n.link_id
  )
  insert into private.failing_links as f (link_id, user_id, status, due_at)
  select n.link_id, n.user_id, n.status, now() + interval '3 days' from noted n where n.outcome = 'fails'
  on conflict on constraint failing_links_pkey do update set
    failed_at = now(), status = excluded.status,
    -- What is known to be broken may be mended, but there is no hurry.
    due_at = case when now() - f.failed_since >= interval '2 days' then now() + interval '7 days' else excluded.due_at end;
  update private.link_check_rounds r
  set reached_at = r.taken_at, reached_id = r.taken_id, taken_at = null, taken_id = null, due_at = now()
  where r.user_id = $2 and r.taken_at is not null;
end
$function$;
grant execute on function public.note_link_checks(jsonb,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.offer_folder(folder_id uuid, email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
begin
  perform from public.folders f where f.id = $1 and f.user_id = caller for key share;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  elsif not exists (
    select from public.folder_members m where m.folder_id = $1 and m.email = lower(btrim($2)) and m.role in ('editor', 'manager')
  ) then
    raise exception using errcode = 'PT409', message = 'Só quem edita ou gerencia a pasta pode recebê-la';
  end if;
  insert into private.folder_offers (folder_id, owner_id, email) values ($1, caller, lower(btrim($2)))
  on conflict on constraint folder_offers_pkey do update set email = excluded.email, created_at = excluded.created_at;
end
$function$;
grant execute on function public.offer_folder(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.open_feed(category_id uuid DEFAULT NULL::uuid, search_id uuid DEFAULT NULL::uuid, renew boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller constant uuid := private.caller_id();
  found_key text;
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  -- Somebody else's answers like one that does not exist.
  if num_nonnulls($1, $2) <> 1
    or not exists (select from public.categories c where c.id = $1 and c.user_id = caller)
    and not exists (select from public.saved_searches s where s.id = $2 and s.user_id = caller)
  then
    raise exception using errcode = 'PT404', message = 'Não encontramos o que você quer acompanhar';
  end if;
  -- Locked, so that two at once are counted one after the other.
  perform from public.library_counts n where n.user_id = caller for no key update;
  update private.feeds f set key = case when renew then private.new_mail_local_part() else f.key end
  where f.user_id = caller and (f.category_id = $1 or f.search_id = $2)
  returning f.key into found_key;
  if found then
    return found_key;
  elsif (select count(*) from private.feeds f where f.user_id = caller) >= 200 then
    raise exception using errcode = 'PT409', message = 'No máximo 200 endereços para acompanhar. Desligue um que não usa mais.';
  end if;
  insert into private.feeds as f (user_id, category_id, search_id) values (caller, $1, $2) returning f.key into found_key;
  return found_key;
end
$function$;
grant execute on function public.open_feed(uuid,uuid,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.open_inbox()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.writer_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  return private.open_inbox_of(caller);
end
$function$;
grant execute on function public.open_inbox() to authenticated;

CREATE OR REPLACE FUNCTION public.open_locked_page(category_id uuid, password text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  hash text;
  origin constant inet := private.request_network();
  wrong_here integer;
  proof constant text := encode(extensions.gen_random_bytes(24), 'hex');
begin
  select p.password_hash into hash
  from private.public_pages p join public.categories c on c.id = p.category_id and c.is_public
  where p.category_id = $1 and not private.has_page_ended(p.category_id);
  if hash is null or $2 is null or octet_length($2) > 72 then
    return null;
  end if;
  delete from private.page_attempts a where a.category_id = $1 and a.since < now() - interval '1 hour';
  if (select coalesce(sum(a.wrong), 0) from private.page_attempts a where a.category_id = $1) >= 1000 then
    perform private.refuse_page_attempt();
  end if;
  -- Its row is held until the answer is: guesses made at once are counted one after the other.
  insert into private.page_attempts as a (category_id, network) values ($1, origin)
  on conflict on constraint page_attempts_pkey do update set
    since = case when a.since < now() - interval '15 minutes' then now() else a.since end,
    wrong = case when a.since < now() - interval '15 minutes' then 0 else a.wrong end
  returning a.wrong into wrong_here;
  if wrong_here >= 10 then
    perform private.refuse_page_attempt();
  end if;
  if extensions.crypt($2, hash) <> hash then
    update private.page_attempts a set wrong = a.wrong + 1 where a.category_id = $1 and a.network = origin;
    return null;
  end if;
  delete from private.page_proofs r where r.category_id = $1 and r.expires_at < now();
  -- The password may have become another one since it was read.
  insert into private.page_proofs (digest, category_id, expires_at)
  select sha256(convert_to(proof, 'UTF8')), p.category_id, now() + interval '2 hours'
  from private.public_pages p where p.category_id = $1 and p.password_hash = hash for share;
  return case when found then proof end;
end
$function$;
grant execute on function public.open_locked_page(uuid,text) to anon, authenticated;

CREATE OR REPLACE FUNCTION public.open_share(category_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.chosen_shares (user_id, category_id)
  select private.caller_id(), s.category_id from public.shared_with s
  where s.category_id = $1 and s.email = lower(auth.email()) and private.caller_id() is not null
  on conflict on constraint chosen_shares_pkey do update set category_id = excluded.category_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
end
$function$;
grant execute on function public.open_share(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.opened_share()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.category_id
  from private.chosen_shares c
  join public.shared_with s on s.category_id = c.category_id and s.email = lower(auth.email())
  where c.user_id = private.caller_id()
$function$;
grant execute on function public.opened_share() to authenticated;
comment on function public.opened_share() is 'Which of the categories shared with the caller they want opened. Nullable.';

CREATE OR REPLACE FUNCTION public.page_limits(category_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, ends_at timestamp with time zone, has_password boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.id, p.ends_at, p.password_hash is not null
  from public.categories c left join private.public_pages p on p.category_id = c.id
  where c.user_id = private.caller_id() and (c.id = $1 or $1 is null and (p.ends_at is not null or p.password_hash is not null))
  order by c.created_at, c.id
$function$;
grant execute on function public.page_limits(uuid) to authenticated;
comment on function public.page_limits(uuid) is 'What the owner has said of public pages. Nullable: ends_at.';

CREATE OR REPLACE FUNCTION public.place_links(category_id uuid, link_ids uuid[], ranks text[], manual boolean DEFAULT true)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.writer_id();
  placed integer;
begin
  if manual is null or link_ids is null or ranks is null or cardinality(link_ids) <> cardinality(ranks) then
    raise exception using errcode = 'PT400', message = 'Ordem inválida';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  elsif not exists (select from public.categories c where c.id = $1 and c.user_id = caller) then
    -- Somebody else's category answers like one that does not exist.
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;

  if manual then
    insert into public.manual_order (user_id, category_id) values (caller, $1) on conflict (category_id) do nothing;
  else
    delete from public.manual_order m where m.category_id = $1;
  end if;
  -- Each link once, and in one order for everybody who writes, so that no two wait for each other.
  with wanted as materialized (
    select distinct on (l.id) l.id, nullif(w.rank, '') as rank
    from unnest(link_ids, ranks) with ordinality as w(id, rank, place)
    join public.links l on l.id = w.id and l.category_id = $1 and l.user_id = caller
    order by l.id, w.place
  ), unplaced as (
    delete from public.manual_order m using wanted w where m.link_id = w.id and w.rank is null
  )
  insert into public.manual_order as m (user_id, link_id, rank)
  select caller, w.id, w.rank from wanted w where w.rank is not null order by w.id
  on conflict (link_id) do update set rank = excluded.rank where m.rank <> excluded.rank;
  get diagnostics placed = row_count;
  perform private.tell_viewers(private.shared_category_ids(array[$1]));
  return placed;
exception when foreign_key_violation then
  -- It went while it was being placed.
  raise exception using errcode = 'PT404', message = 'Este link ou esta categoria não existe mais';
end
$function$;
grant execute on function public.place_links(uuid,uuid[],text[],boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.preview_import(content jsonb)
 RETURNS integer[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  homes record;
begin
  perform private.require_import_content(content);
  if caller is null then
    return '{}';
  end if;
  homes := private.find_import_homes(caller, content);
  return private.find_known_links(caller, content, homes.places, homes.category_ids);
exception
  when invalid_text_representation or numeric_value_out_of_range or invalid_parameter_value then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
end
$function$;
grant execute on function public.preview_import(jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.program_act(change_id bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
  act constant private.program_acts := private.find_program_act($1, caller);
begin
  if act.id is null then
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  elsif act.undone_at is not null then
    return act.undone;
  end if;
  return private.count_fates(array(
    select f from private.weigh_program_act(
      act.id, act.owner_id, case when act.owner_id <> caller then private.writable_category_ids() end
    ) as f
  ));
end
$function$;
grant execute on function public.program_act(bigint) to authenticated;

CREATE OR REPLACE FUNCTION public.purge_account(user_id uuid, max_links integer DEFAULT 10000)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  closure uuid;
  gone integer;
  most integer := greatest(coalesce(max_links, 10000), 1);
begin
  select c.id into closure from private.account_closures c
  where c.user_id = $1 and c.purge_started_at is not null and c.reopened_at is null for update;
  if not found then
    return not exists (select from auth.users u where u.id = $1);
  end if;
  delete from public.links l where l.ctid = any (array(select k.ctid from public.links k where k.user_id = $1 limit most));
  get diagnostics gone = row_count;
  if gone = 0 then
    delete from private.deleted_rows where ctid = any (array(
      select r.ctid from private.deletions d join private.deleted_rows r on r.deletion_id = d.id where d.user_id = $1 limit most
    ));
    get diagnostics gone = row_count;
  end if;
  if gone > 0 then
    return false;
  end if;
  delete from auth.users u where u.id = $1;
  insert into private.account_events (event, closure_id) values ('purged', closure);
  return true;
end
$function$;
grant execute on function public.purge_account(uuid,integer) to service_role;

CREATE OR REPLACE FUNCTION public.purge_stripe_events()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  purged integer;
begin
  delete from private.stripe_events e where e.received_at < now() - interval '90 days';
  get diagnostics purged = row_count;
  return purged;
end
$function$;
grant execute on function public.purge_stripe_events() to service_role;

CREATE OR REPLACE FUNCTION public.queue_share_notifications(category_id uuid, emails text[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted text[];
  queued integer;
begin
  if cardinality(emails) > 100 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por vez';
  elsif private.caller_id() is null
    or not exists (select from public.categories c where c.id = $1 and c.user_id = private.caller_id())
  then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  wanted := array(select lower(btrim(given.email, E' \t\r\n')) from unnest(emails) as given(email));
  perform private.enqueue_share_notifications($1, private.caller_id(), wanted);
  select count(*) into queued from public.shared_with s
  where s.category_id = $1 and s.email = any (wanted) and s.created_at > now() - interval '1 day';
  return queued;
end
$function$;
grant execute on function public.queue_share_notifications(uuid,text[]) to authenticated;

CREATE OR REPLACE FUNCTION public.receive_mail(local_part text, message_key text, sender text, is_verified boolean, subject text, links jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  address private.mail_addresses;
  from_address constant text := lower(btrim(coalesce($3, '')));
  link record;
  saved integer := 0;
  refusal text;
  hint text;
begin
  if $2 is null or char_length($2) not between 1 and 100 or jsonb_typeof($6) is distinct from 'array' then
    raise exception using errcode = 'PT400', message = 'Mensagem inválida';
  end if;
  -- The account first, as whoever closes or deletes it does: in the other order the two could wait for each other.
  perform from auth.users u
  where u.id = (select a.user_id from private.mail_addresses a where a.local_part = lower($1)) for key share;
  -- One message of a person at a time: a second delivery of it waits, and finds it saved.
  select a.* into address from private.mail_addresses a where a.local_part = lower($1) for update;
  if not found or exists (
    select from auth.users u where u.id = address.user_id and (u.deleted_at is not null or u.banned_until > now())
  ) or exists (
    select from private.account_closures c where c.user_id = address.user_id and c.reopened_at is null
  ) then
    return 'unknown_address';
  end if;
  -- Providers try again for three days at most.
  delete from private.saved_mails m where m.user_id = address.user_id and m.saved_at < now() - interval '7 days';
  if exists (select from private.saved_mails m where m.user_id = address.user_id and m.message_key = $2) then
    return 'repeated';
  end if;

  if not address.any_sender then
    refusal := case
      when not (
        exists (select from private.mail_senders s where s.user_id = address.user_id and s.email = from_address)
        or exists (
          select from auth.users u
          where u.id = address.user_id and u.email_confirmed_at is not null and lower(u.email) = from_address
        )
      ) then 'unknown_sender'
      when $4 is not true then 'unverified_sender'
    end;
  end if;
  if refusal is null and (
    select count(*) from private.saved_mails m
    where m.user_id = address.user_id and m.saved_at > clock_timestamp() - interval '1 hour'
  ) >= 60 then
    refusal := 'too_many_mails';
  end if;

  if refusal is null then
    for link in
      select l.value ->> 'url' as url, l.value ->> 'title' as title, l.value ->> 'description' as description
      from jsonb_array_elements($6) with ordinality as l(value, place) order by l.place limit 20
    loop
      begin
        perform private.capture_link_of(address.user_id, gen_random_uuid(), link.url, link.title, link.description, null);
        saved := saved + 1;
      exception
        when check_violation or not_null_violation then
          -- No address that can be saved; the others are.
          null;
        when raise_exception then
          get stacked diagnostics hint = pg_exception_hint;
          -- What a plan calls unlimited ends as well, at bound_links and bound_categories.
          hint := replace(hint, 'bound_', 'plan_limit_');
          if coalesce(hint, '') not in ('plan_limit_links', 'plan_limit_categories') then
            raise;
          end if;
          refusal := hint;
          exit;
      end;
    end loop;
    refusal := coalesce(refusal, case
      when saved = 0 then 'no_link'
      when jsonb_array_length($6) > 20 then 'too_many_links'
    end);
  end if;

  if refusal is not null then
    perform private.note_refused_mail(address.user_id, $2, from_address, $5, refusal);
  end if;
  if saved = 0 then
    return refusal;
  end if;
  insert into private.saved_mails (user_id, message_key) values (address.user_id, $2);
  return 'saved';
end
$function$;
grant execute on function public.receive_mail(text,text,text,boolean,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.received_folders()
 RETURNS TABLE(folder_id uuid, name text, owner_id uuid, owner_name text, role text, may_write boolean, shared_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.folder_id, f.name, r.owner_id, p.name, r.role, r.may_write, r.since
  from private.folder_places r
  join public.folders f on f.id = r.folder_id
  join public.profiles p on p.id = r.owner_id
  where r.person_id = private.reader_id()
  order by r.since, r.folder_id
$function$;
grant execute on function public.received_folders() to authenticated;
comment on function public.received_folders() is 'The folders shared with the caller. Nullable: owner_name.';

CREATE OR REPLACE FUNCTION public.record_stripe_event(event_id text, type text, customer_id text, created_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.stripe_events (id, type, customer, created_at) values ($1, $2, $3, $4) on conflict do nothing;
  return exists (select from private.stripe_events e where e.id = $1 and e.applied_at is null);
end
$function$;
grant execute on function public.record_stripe_event(text,text,text,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.request_access(category_id uuid, note text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  asker constant uuid := private.caller_id();
  address text;
  addressee uuid;
  request private.access_requests;
begin
  if asker is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  elsif $1 is null then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para o pedido';
  elsif char_length(coalesce($2, '')) > 280 then
    raise exception using errcode = 'PT400', message = 'A mensagem pode ter no máximo 280 caracteres';
  end if;
  select lower(u.email) into address from auth.users u where u.id = asker and u.email_confirmed_at is not null;
  if address is null then
    raise exception using errcode = 'PT403', message = 'Confirme seu e-mail para pedir acesso', hint = 'address_unconfirmed';
  end if;
  -- One after the other: limits hold.
  perform pg_advisory_xact_lock(hashtextextended('private.access_requests of ' || asker, 0));
  delete from private.access_requests r where r.refused_at is null and r.asked_at < now() - interval '30 days';
  if exists (
    select from private.access_requests r
    where r.asker_id = asker and r.category_id = $1 and r.asked_at > now() - interval '30 days'
  ) then
    return;
  elsif (
    select count(*) from private.access_requests r where r.asker_id = asker and r.asked_at > now() - interval '1 day'
  ) >= 20 then
    raise exception using
      errcode = 'PT429', message = 'Você já fez muitos pedidos hoje. Tente de novo amanhã.', hint = 'too_many_requests';
  end if;

  if coalesce(private.category_access($1), 'denied') = 'denied' then
    perform pg_advisory_xact_lock(hashtextextended('requests to ' || c.user_id, 0)) from public.categories c where c.id = $1;
    addressee := private.addressee_of_request($1, asker);
  end if;
  insert into private.access_requests as r (asker_id, category_id, owner_id, email, note)
  values (asker, $1, addressee, address, btrim(regexp_replace(coalesce($2, ''), '\s+', ' ', 'g')))
  returning r.* into request;
  if addressee is not null then
    perform private.queue_access_request_mail(request);
    perform private.tell_owner_of_requests(addressee);
  end if;
end
$function$;
grant execute on function public.request_access(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.resend_webhook_delivery(delivery_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hook constant private.webhooks := private.own_webhook(
    private.webhook_owner(), (select d.webhook_id from private.webhook_deliveries d where d.id = delivery_id)
  );
begin
  if hook.off_at is not null then
    raise exception using errcode = 'PT409', message = 'Este webhook está desligado. Ligue antes.';
  end if;
  update private.webhook_deliveries d
  set state = 'waiting', attempts = 0, due_at = now(), give_up_at = now() + interval '3 days'
  where d.id = delivery_id;
  -- One that is under way stays so: then this one is next.
  update private.webhooks w
  set due_at = case when hook.failures > 0 then now() else least(w.due_at, greatest(w.rest_until, now())) end
  where w.id = hook.id;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$function$;
grant execute on function public.resend_webhook_delivery(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.restore_from_bin(deletion_id bigint, place_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  restored jsonb;
begin
  if exists (
    select from private.deletions d where d.id = deletion_id and d.user_id = caller and d.purge_after > now()
  ) then
    restored := private.give_back(caller, null, null, deletion_id, place_id);
  end if;
  -- Somebody else's answers like one that does not exist.
  if restored is null or (restored ->> 'folders')::integer + (restored ->> 'categories')::integer + (restored ->> 'links')::integer = 0 then
    raise exception using errcode = 'PT404', message = 'Este item não está mais na Lixeira';
  end if;
  return restored;
end
$function$;
grant execute on function public.restore_from_bin(bigint,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.restore_group(group_id uuid, content jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  emails text[] := array(select jsonb_array_elements_text($2 -> 'emails'));
  shared record;
  queued text[];
begin
  perform public.save_group($1, $2 ->> 'name', emails);
  -- Who entered a group after its folder went to the bin comes back with the folder (private.restore_members).
  update private.group_members m set created_at = ($2 -> 'since' ->> m.email)::timestamptz
  where m.group_id = $1 and m.created_at > ($2 -> 'since' ->> m.email)::timestamptz;
  for shared in
    select f.id as folder_id, s.role, s.emails, s.since
    from jsonb_to_recordset($2 -> 'folders') as s(folder_id uuid, role text, emails jsonb, since jsonb)
    join public.folders f on f.id = s.folder_id and f.user_id = caller
    order by f.id
  loop
    begin
      perform private.require_sharing_plan(caller);
      -- Meanwhile nobody is placed (private.place_group_members).
      insert into private.restorations (user_id, link_count, category_count) values (caller, 0, 0);
      perform public.share_folder_with_group(shared.folder_id, $1, shared.role);
      delete from private.restorations r where r.user_id = caller;
      queued := array(select n.mailbox from private.share_notifications n where n.folder_id = shared.folder_id);
      insert into public.folder_members (folder_id, email, role, group_id, created_at)
      select shared.folder_id, m.email, shared.role, $1, least((shared.since ->> m.email)::timestamptz, clock_timestamp())
      from private.group_members m
      where m.group_id = $1 and shared.emails ? m.email and m.email is distinct from lower(auth.email())
      order by m.email
      on conflict do nothing;
      -- They were there before and are not invited anew. What had not been sent still is.
      delete from private.share_notifications n
      where n.folder_id = shared.folder_id and n.sender_id = caller and n.queued_at = now() and n.mailbox <> all (queued);
    exception when raise_exception then
      -- Of what the plan no longer allows only this folder is left out.
      null;
    end;
  end loop;
end
$function$;
grant execute on function public.restore_group(uuid,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.restore_webhook(webhook_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.webhook_owner();
  recent constant timestamptz := now() - interval '1 hour';
  had integer;
begin
  perform from public.library_counts n where n.user_id = caller for no key update;
  if (select count(*) from private.webhooks w where w.user_id = caller and w.deleted_at is null)
    >= coalesce((select max(w.places) from private.webhooks w where w.user_id = caller and w.deleted_at > recent), 0)
  then
    perform private.take_webhook_place(caller);
  end if;
  update private.webhooks w set deleted_at = null
  where w.id = webhook_id and w.user_id = caller and w.deleted_at > recent
  returning w.places into had;
  if not found then
    raise exception using errcode = 'PT404', message = 'Webhook não encontrado';
  end if;
  -- Those that were deleted after it may follow.
  update private.webhooks w set places = had
  where w.user_id = caller and w.deleted_at > recent and w.places < had;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$function$;
grant execute on function public.restore_webhook(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.return_to_share(category_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  place private.left_shares;
begin
  perform from public.categories c where c.id = $1 and public.has_left_share($1) for no key update;
  delete from private.left_shares l where l.user_id = private.caller_id() and l.category_id = $1 returning * into place;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.shared_with (category_id, email, created_at)
  select c.id, lower(auth.email()), place.shared_at
  from public.categories c
  where c.id = $1 and not c.is_public and place.left_at > now() - private.undo_window();
  return found;
end
$function$;
grant execute on function public.return_to_share(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.rotate_webhook_secret(webhook_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hook constant private.webhooks := private.own_webhook(private.webhook_owner(), webhook_id);
  made text;
begin
  update private.webhooks w
  set older_secret = hook.old_secret, older_secret_until = hook.old_secret_until,
    old_secret = hook.secret, old_secret_until = now() + interval '1 day', secret = private.new_webhook_secret()
  where w.id = hook.id
  returning 'whsec_' || encode(w.secret, 'base64') into made;
  return made;
end
$function$;
grant execute on function public.rotate_webhook_secret(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.save_group(group_id uuid, name text, added text[] DEFAULT '{}'::text[], removed text[] DEFAULT '{}'::text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Entre na sua conta';
  end if;
  perform private.lock_groups_of(caller, $1);
  insert into private.groups as g (id, user_id, name) values ($1, caller, btrim($2))
  on conflict (id) do update set name = excluded.name where g.user_id = caller;
  if not found then
    raise exception using errcode = 'PT404', message = 'Grupo não encontrado';
  end if;
  if (select count(*) from private.groups g where g.user_id = caller) > private.most('groups') then
    perform private.refuse_beyond('groups');
  end if;
  delete from private.group_members m where m.group_id = $1 and m.email in (select lower(btrim(e)) from unnest($4) as e);
  insert into private.group_members (group_id, email) select $1, e from private.read_group_emails($3) as e
  on conflict do nothing;
  if (select count(*) from private.group_members m where m.group_id = $1) > private.most('group_emails') then
    perform private.refuse_beyond('group_emails');
  end if;
end
$function$;
grant execute on function public.save_group(uuid,text,text[],text[]) to authenticated;

CREATE OR REPLACE FUNCTION public.save_sharing(category_id uuid, is_public boolean, emails text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted text[] := '{}';
  before text[];
  added text[];
begin
  if is_public is null or emails is null then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para o compartilhamento';
  end if;
  -- Somebody else's category answers like one that does not exist.
  perform from public.categories c where c.id = $1 and c.user_id = private.sharer_id() for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  if cardinality(emails) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por categoria';
  end if;
  if not $2 then
    wanted := private.read_share_emails(emails);
  end if;

  -- What goes first, so that a full list can change; the gates look at each step.
  delete from public.shared_with s where s.category_id = $1 and s.email <> all (wanted);
  update public.categories c set is_public = $2 where c.id = $1 and c.is_public <> $2;
  before := array(select s.email from public.shared_with s where s.category_id = $1);
  added := array(
    select w.email from unnest(wanted) with ordinality as w(email, place)
    where w.email <> all (before) order by w.place
  );
  insert into public.shared_with (category_id, email)
  select $1, a.email from unnest(added) with ordinality as a(email, place) order by a.place;
  perform private.enqueue_share_notifications($1, private.sharer_id(), added);

  return jsonb_build_object(
    'is_public', $2,
    'emails', array(select s.email from public.shared_with s where s.category_id = $1 order by s.created_at, s.email),
    'added', added
  );
end
$function$;
grant execute on function public.save_sharing(uuid,boolean,text[]) to authenticated;

CREATE OR REPLACE FUNCTION public.search_links(term text, max_results integer DEFAULT 10, page integer DEFAULT 1)
 RETURNS TABLE(id uuid, title text, description text, url text, category_id uuid, category_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.reader_id();
  whole text := btrim(private.normalize_search_text(term));
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
begin
  if caller is not null and whole <> '' and most > 0 then
    return query select * from private.page_of_links(
      caller, whole, private.find_links_of_term(caller, whole, private.reach_of_page(most, page)), most, page);
  end if;
end
$function$;
grant execute on function public.search_links(text,integer,integer) to authenticated, service_role;
comment on function public.search_links(text,integer,integer) is 'The caller''s links that contain the term, newest first, then those that contain all of its words, then those that contain some in a category or folder whose names contain the others. Nullable: description.';

CREATE OR REPLACE FUNCTION public.search_links_by(term text DEFAULT ''::text, site text DEFAULT NULL::text, folder text DEFAULT NULL::text, category text DEFAULT NULL::text, kind text DEFAULT NULL::text, saved_before timestamp with time zone DEFAULT NULL::timestamp with time zone, saved_since timestamp with time zone DEFAULT NULL::timestamp with time zone, favorite boolean DEFAULT false, tags text[] DEFAULT NULL::text[], untagged boolean DEFAULT false, broken boolean DEFAULT false, max_results integer DEFAULT 10, page integer DEFAULT 1)
 RETURNS TABLE(id uuid, title text, description text, url text, category_id uuid, category_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.reader_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
begin
  if caller is not null and most > 0 then
    return query select * from private.page_of_links(caller, whole, private.find_links_left(
      caller, whole, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, broken,
      private.reach_of_page(most, page)
    ), most, page);
  end if;
end
$function$;
grant execute on function public.search_links_by(text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,text[],boolean,boolean,integer,integer) to authenticated;
comment on function public.search_links_by(text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,text[],boolean,boolean,integer,integer) is 'The caller''s links that the operators leave and the term finds, as search_links orders them. Nullable: description.';

CREATE OR REPLACE FUNCTION public.search_received_links(term text DEFAULT ''::text, owner text DEFAULT NULL::text, site text DEFAULT NULL::text, category text DEFAULT NULL::text, kind text DEFAULT NULL::text, saved_before timestamp with time zone DEFAULT NULL::timestamp with time zone, saved_since timestamp with time zone DEFAULT NULL::timestamp with time zone, favorite boolean DEFAULT false, max_results integer DEFAULT 10, page integer DEFAULT 1)
 RETURNS TABLE(id uuid, title text, description text, url text, category_id uuid, category_name text, owner_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.reader_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  host text := lower(left(site, 500));
  owner_wanted text := btrim(private.normalize_search_text(left(owner, 500)));
  category_wanted text := btrim(private.normalize_search_text(left(category, 500)));
  until timestamptz := coalesce(saved_before, 'infinity');
  since timestamptz := coalesce(saved_since, '-infinity');
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
  skipped bigint := most * (greatest(coalesce(page, 1), 1)::bigint - 1);
  words record;
  is_narrowed boolean := host is not null or kind is not null or favorite is true;
  is_ranked boolean;
  is_long boolean := char_length(whole) > 100;
  enough bigint;
begin
  if caller is null or most = 0 or (
    whole = '' and owner is null and category is null and saved_before is null and saved_since is null and not is_narrowed
  ) then
    return;
  end if;
  words := private.search_words(whole);
  -- What is one word, or none, and known by it: then the newest are the best, and no more are looked for.
  is_ranked := is_long or (cardinality(words.wanted) > 0 and words.wanted <> array[whole]);
  enough := case when not is_ranked and not is_narrowed then skipped + most end;
  return query
    with received as materialized (
      select c.id, c.user_id, c.name, c.name_users as owner_name, private.normalize_search_text(c.name) as place,
        private.normalize_search_text(coalesce(c.name_users, '')) as owner_place
      from private.received_categories() c
    ), asked as materialized (
      select r.*, coalesce(n.link_count, 0)::bigint as link_count,
        sum(coalesce(n.link_count, 0)) over (partition by r.user_id) as owner_count
      from received r
      left join public.category_counts n on n.category_id = r.id
      where (category_wanted is null
          or r.place = any (private.names_match(array(select o.place from received o), category_wanted)))
        and (owner_wanted is null
          or r.owner_place = any (private.names_match(array(select o.owner_place from received o), owner_wanted))
          -- A whole address only: nobody learns one by guessing at parts of it.
          or exists (select from auth.users u where u.id = r.user_id and lower(u.email) = lower(btrim(owner))))
    ), sources as materialized (
      select s.*, sum(s.texts) over (order by s.texts, s.user_id) as texts_so_far
      from (
        select a.user_id, array_agg(a.id) as ids, array_agg(a.place) as places,
          -- One text alone costs as much as four in a row.
          whole <> '' and a.owner_count > 1000 and a.owner_count * 4 >= l.link_count as is_scanned,
          least(a.owner_count * 4, case when a.owner_count > 1000 then l.link_count end) as texts
        from asked a
        join public.library_counts l on l.user_id = a.user_id
        group by a.user_id, a.owner_count, l.link_count
      ) as s
    ), candidates as materialized (
      select f.*
      from sources s
      join asked a on a.user_id = s.user_id
      cross join lateral private.walk_category(
        a.id, a.user_id, private.needed_words(whole, words.wanted, array[a.place]), words.wanted, until, since,
        case when whole = '' then 40000 / (select count(*) from asked) else 20000 end, enough
      ) as f
      where not s.is_scanned and s.texts_so_far <= 600000
      union all
      select f.*
      from sources s
      cross join lateral private.scan_categories(
        s.ids, s.user_id, private.needed_words(whole, words.wanted, s.places), words.wanted, until, since, enough
      ) as f
      where s.is_scanned and s.texts_so_far <= 600000
    )
    select l.id, l.title, l.description, l.url, l.category_id, hit.name, hit.owner_name
    from (
      select k.id, k.created_at, k.name, k.owner_name, k.rank
      from (
        select c.id, c.created_at, a.name, a.owner_name, case
          when whole = '' or not is_ranked then 3
          else private.rank_text(case
            -- A longer word may lie in none of the pieces.
            when is_long then (
              select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = c.id
            )
            else (
              select string_agg(s.piece, E'\n') from private.link_search s
              where s.user_id = a.user_id and s.created_at = c.created_at and s.id = c.id
            )
          end, whole, words.wanted, words.unwanted, a.place)
        end as rank
        from (
          select c.* from candidates c
          where not is_narrowed or exists (
            select from public.links l
            cross join lateral (select lower(l.url) as address offset 0) as lower
            where l.id = c.id
              and (favorite is not true or l.id in (select f.link_id from public.favorites f where f.user_id = caller))
              and (host is null or (strpos(lower.address, host) > 0 and strpos(
                '.' || coalesce(substring(lower.address from '^https?://(?:[^/?#]*@)?([^/?#:]+)'), '') || '.',
                '.' || host || '.') > 0))
              and (kind is null or private.is_link_kind(lower.address, kind))
          )
          -- So many texts are compared whole.
          order by c.created_at desc, c.id desc limit 20000
        ) as c
        join asked a on a.id = c.category_id
      ) as k
      where k.rank > 0
      order by k.rank desc, k.created_at desc, k.id desc
      limit most offset skipped
    ) as hit
    join public.links l on l.id = hit.id
    order by hit.rank desc, hit.created_at desc, hit.id desc;
end
$function$;
grant execute on function public.search_received_links(text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,integer,integer) to authenticated;
comment on function public.search_received_links(text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,integer,integer) is 'Links of the categories shared with the caller, as far as they may open them, that the operators leave and the term finds. Nullable: description, owner_name.';

CREATE OR REPLACE FUNCTION public.see_category(category_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.category_visits as v (person_id, category_id)
  select r.person_id, c.id
  from public.categories c join private.folder_places r on r.folder_id = c.folder_id
  where c.id = $1 and not c.is_held_back and r.person_id = private.caller_id()
  on conflict on constraint category_visits_pkey do update set seen_at = greatest(v.seen_at, excluded.seen_at);
  delete from private.category_visits v
  where v.person_id = private.caller_id() and v.seen_at < now() - private.restore_window() - interval '1 day'
    and not exists (select from public.categories c where c.id = v.category_id)
$function$;
grant execute on function public.see_category(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.send_webhook_test(webhook_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.webhook_owner();
  hook constant private.webhooks := private.own_webhook(caller, webhook_id);
begin
  if hook.off_at is not null then
    raise exception using errcode = 'PT409', message = 'Este webhook está desligado. Ligue antes.';
  elsif (
    select count(*) from private.webhook_deliveries d
    where d.webhook_id = hook.id and d.type = 'webhook.test' and d.created_at > now() - interval '1 hour'
  ) >= 30 then
    raise exception using errcode = 'PT429', message = 'Muitos testes em uma hora. Espere um pouco.';
  end if;
  perform private.queue_webhook_event(caller, 'webhook.test', null, '{}', hook.id);
end
$function$;
grant execute on function public.send_webhook_test(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.set_daily_mail(enabled boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  elsif enabled is null then
    raise exception using errcode = 'PT400', message = 'Diga se o resumo diário fica ligado';
  elsif enabled then
    perform private.turn_daily_mail_on(caller);
  else
    delete from private.daily_mails d where d.user_id = caller;
  end if;
end
$function$;
grant execute on function public.set_daily_mail(boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.set_link_checks(enabled boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  elsif enabled is null then
    raise exception using errcode = 'PT400', message = 'Diga se a verificação fica ligada';
  elsif enabled then
    insert into private.link_check_rounds (user_id) values (caller) on conflict do nothing;
  else
    delete from private.link_check_rounds r where r.user_id = caller;
    delete from private.failing_links f where f.user_id = caller;
  end if;
end
$function$;
grant execute on function public.set_link_checks(boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.set_page_end(category_id uuid, ends_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller constant uuid := private.caller_id();
  before timestamptz;
  is_published boolean;
begin
  select c.is_public into is_published from public.categories c where c.id = $1 and c.user_id = caller for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif $2 <= now() or $2 > now() + interval '10 years' then
    raise exception using errcode = 'PT400', message = 'Escolha uma data no futuro, em até dez anos';
  end if;
  select p.ends_at into before from private.public_pages p where p.category_id = $1;
  if before is not null and ($2 is null or $2 > before) then
    perform private.require_sharing_plan(caller);
  end if;
  perform private.tidy_public_pages(caller);
  insert into private.public_pages as p (category_id, user_id, ends_at) values ($1, caller, $2)
  on conflict on constraint public_pages_pkey do update set user_id = excluded.user_id, ends_at = excluded.ends_at;
  if is_published then
    perform private.tell_viewers(array[$1]);
  end if;
end
$function$;
grant execute on function public.set_page_end(uuid,timestamp with time zone) to authenticated;

CREATE OR REPLACE FUNCTION public.set_page_password(category_id uuid, password text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller constant uuid := private.caller_id();
  is_published boolean;
begin
  select c.is_public into is_published from public.categories c where c.id = $1 and c.user_id = caller for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif char_length($2) < 8 or octet_length($2) > 72 then
    raise exception using errcode = 'PT400', message = 'A senha deve ter de 8 a 72 caracteres';
  end if;
  if $2 is null and exists (select from private.public_pages p where p.category_id = $1 and p.password_hash is not null) then
    perform private.require_sharing_plan(caller);
  end if;
  perform private.tidy_public_pages(caller);
  insert into private.public_pages as p (category_id, user_id, password_hash)
  values ($1, caller, extensions.crypt($2, extensions.gen_salt('bf', 10)))
  on conflict on constraint public_pages_pkey do update set user_id = excluded.user_id, password_hash = excluded.password_hash;
  delete from private.page_proofs r where r.category_id = $1;
  delete from private.page_attempts a where a.category_id = $1;
  if is_published then
    perform private.tell_viewers(array[$1]);
  end if;
end
$function$;
grant execute on function public.set_page_password(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.share_folder_with_group(folder_id uuid, group_id uuid, role text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  old_role text;
begin
  perform from public.folders f where f.id = $1 and f.user_id = caller for key share;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  end if;
  perform private.lock_group(caller, $2);
  select s.role into old_role from private.folder_groups s where s.folder_id = $1 and s.group_id = $2;
  -- What takes away is allowed on every plan.
  if coalesce(array_position(array['viewer', 'editor', 'manager'], $3) > array_position(array['viewer', 'editor', 'manager'], old_role), true)
  then
    perform private.require_sharing_plan(caller);
  end if;
  insert into private.folder_groups (folder_id, group_id, owner_id, role) values ($1, $2, caller, $3)
  on conflict on constraint folder_groups_pkey do update set role = excluded.role;
end
$function$;
grant execute on function public.share_folder_with_group(uuid,uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.shared_category(category_id uuid)
 RETURNS TABLE(id uuid, access text, name text, description text, owner_name text, link_count integer, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select $1, a.access, c.name, c.description, c.name_users, n.link_count, c.created_at, c.updated_at
  from (
    select coalesce(private.category_access($1), (
      select 'locked' from public.categories p
      where p.id = $1 and p.is_public and not private.has_page_ended(p.id) and private.is_page_locked(p.id)
    )) as access
  ) as a
  left join public.categories c on c.id = $1 and a.access not in ('denied', 'locked')
  left join public.category_counts n on n.category_id = c.id
  where a.access is not null
$function$;
grant execute on function public.shared_category(uuid) to anon, authenticated, service_role;
comment on function public.shared_category(uuid) is 'How the caller stands to a category. Nullable: name, description, owner_name, link_count, created_at, updated_at.';

CREATE OR REPLACE FUNCTION public.shared_folder(folder_id uuid)
 RETURNS TABLE(id uuid, name text, owner_name text, categories jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.id, f.name, listed.owner_name, listed.categories
  from public.folders f
  cross join lateral (
    select max(c.name_users) as owner_name, jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'description', c.description, 'link_count', c.link_count, 'updated_at', c.updated_at
    ) order by c.name, c.id) as categories
    from (
      select o.id, o.name, o.description, o.name_users, o.updated_at, coalesce(n.link_count, 0) as link_count
      from public.categories o left join public.category_counts n on n.category_id = o.id
      where o.folder_id = f.id and o.is_public and private.is_page_open(o.id)
      order by o.updated_at desc, o.id limit 500
    ) as c
  ) as listed
  where f.id = $1 and f.is_public and listed.categories is not null
$function$;
grant execute on function public.shared_folder(uuid) to anon, service_role;
comment on function public.shared_folder(uuid) is 'A public folder with its public categories. Nullable: owner_name.';

CREATE OR REPLACE FUNCTION public.shared_links(category_id uuid, max_results integer DEFAULT 50, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, url text, title text, description text, created_at timestamp with time zone, updated_at timestamp with time zone, tags text[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  at_most integer := least(greatest(coalesce(max_results, 50), 0), 100);
  owner uuid;
begin
  if coalesce(private.category_access(shared_links.category_id), 'denied') in ('denied', 'limited') then
    return;
  end if;
  select m.user_id into owner from public.manual_order m where m.category_id = shared_links.category_id;
  if owner is not null then
    return query
      select p.id, p.url, p.title, p.description, p.created_at, p.updated_at, private.tag_names(p.id)
      from private.arranged_page(
        shared_links.category_id,
        owner,
        coalesce(
          (
            select m.rank from public.manual_order m join public.links l on l.id = m.link_id
            where m.link_id = shared_links.before_id and l.category_id = shared_links.category_id
          ),
          case
            -- No link is of before 1970, and none of the year 4000.
            when shared_links.before is not null then private.birth_rank(
              least(greatest(shared_links.before, timestamptz 'epoch'), timestamptz '4000-01-01 00:00:00+00'),
              coalesce(shared_links.before_id, '00000000-0000-0000-0000-000000000000')
            )
          end
        ),
        at_most
      ) as p;
    return;
  end if;
  return query
    select l.id, l.url, l.title, l.description, l.created_at, l.updated_at, private.tag_names(l.id)
    from public.links l
    where l.category_id = shared_links.category_id
      and (l.created_at, l.id) < (
        coalesce(shared_links.before, 'infinity'),
        coalesce(shared_links.before_id, '00000000-0000-0000-0000-000000000000')
      )
    order by l.created_at desc, l.id desc
    limit at_most;
end
$function$;
grant execute on function public.shared_links(uuid,integer,timestamp with time zone,uuid) to anon, authenticated, service_role;
comment on function public.shared_links(uuid,integer,timestamp with time zone,uuid) is 'A page of a shared category''s links. Nullable: description.';

CREATE OR REPLACE FUNCTION public.shared_tags(link_ids uuid[])
 RETURNS TABLE(link_id uuid, names text[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  return query
    select l.id, private.tag_names(l.id)
    from (
      select c.id from (
        select distinct o.category_id as id from public.links o where o.id = any (link_ids)
      ) as c
      where private.category_access(c.id) in ('owner', 'invited')
    ) as readable
    join public.links l on l.category_id = readable.id and l.id = any (link_ids)
    where exists (select from public.link_tags k where k.link_id = l.id);
end
$function$;
grant execute on function public.shared_tags(uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION public.suggest_search(term text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  whole text := btrim(private.normalize_search_text(left(term, 200)));
  caller uuid := private.reader_id();
  words record;
  asked text;
  likest text;
  spelled text;
  suggestion text := regexp_replace(btrim(left(term, 200)), '\s+', ' ', 'g');
  replaced integer := 0;
  names text[];
  parts text[];
  separators constant text := E'\n./:-_?&=#,;()[]{}"''!|+%*@<>\x01';
begin
  if caller is null or whole is null or whole = '' then
    return null;
  end if;
  words := private.search_words(whole);
  if cardinality(words.wanted) not between 1 and 8 then
    return null;
  end if;
  names := array(
    select private.normalize_search_text(c.name || E'\x01' || f.name)
    from public.categories c join public.folders f on f.id = c.folder_id
    where c.user_id = caller
    order by c.created_at desc, c.id desc limit 1000
  ) || array(select t.folded from public.tags t where t.user_id = caller order by t.link_count desc, t.id limit 1000);
  foreach asked in array words.wanted loop
    -- Two letters are like too much, and a long quotation like nothing.
    continue when char_length(asked) not between 3 and 40 or strpos(asked, ' ') > 0;
    continue when exists (select from unnest(names) as n where strpos(n, asked) > 0)
      or exists (select from private.find_links(caller, array[asked], '{}', '{}', 1, 0));
    replaced := replaced + 1;
    if replaced > 3 then
      return null;
    end if;
    -- Taking texts apart costs most: only those that share most runs of three letters are.
    parts := array(select distinct substr(asked, n, 3) from generate_series(1, least(char_length(asked) - 2, 16)) as n);
    select v.word into likest
    from (
      select u.word, count(*) as often
      from (
        select t.piece
        from (
          select unnest(names) as piece
          union all
          (select s.piece from private.link_search s where s.user_id = caller order by s.created_at desc, s.id desc limit 3000)
        ) as t
        cross join lateral (
          select count(*) as shared from unnest(parts) as p(part) where strpos(t.piece, p.part) > 0
        ) as likeness
        where likeness.shared > 0
        order by likeness.shared desc
        limit 60
      ) as recent
      cross join lateral unnest(string_to_array(translate(recent.piece, separators, repeat(' ', char_length(separators))), ' ')) as u(word)
      where char_length(u.word) between char_length(asked) - 2 and char_length(asked) + 2
      group by u.word
    ) as v
    where v.word ~ '[[:alpha:]]' and extensions.similarity(v.word, asked) >= 0.3
    order by extensions.similarity(v.word, asked) desc, v.often desc, v.word collate "C"
    limit 1;
    if likest is null then
      return null;
    end if;
    -- As the person wrote it, with its accents.
    spelled := null;
    select lower(w.original) into spelled
    from private.find_links(caller, array[likest], '{}', '{}', 1, 0) as hit(id)
    join public.links l on l.id = hit.id
    cross join lateral regexp_split_to_table(l.title || ' ' || coalesce(l.description, ''), '[^[:alnum:]]+') as w(original)
    where private.normalize_search_text(w.original) = likest
    limit 1;
    select string_agg(
      case
        when strpos(private.normalize_search_text(t.token), asked) > 0
          then replace(private.normalize_search_text(t.token), asked, coalesce(spelled, likest))
        else t.token
      end, ' ' order by t.place)
    into suggestion
    from string_to_table(suggestion, ' ') with ordinality as t(token, place);
  end loop;
  if replaced = 0 or not exists (select from public.search_links(suggestion, 1)) then
    return null;
  end if;
  return suggestion;
end
$function$;
grant execute on function public.suggest_search(text) to authenticated;
comment on function public.suggest_search(text) is 'For a term that finds nothing: the same with misspelt words replaced by the likest of the caller''s own. Nullable: result.';

CREATE OR REPLACE FUNCTION public.suspend_inactive_accounts(max integer DEFAULT 500, at timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  doomed uuid[];
begin
  select array_agg(held.id) into doomed
  from (
    select u.id
    from private.told_warnings w join auth.users u on u.id = w.user_id
    where w.kind = 'inactive_second' and w.finished_at <= at - interval '7 days'
      and w.occasion <= at - interval '12 months'
    limit least(greatest(coalesce(max, 500), 0), 10000)
    for update of u skip locked
  ) as held;
  -- Looked at once more, now that nobody of them can sign in meanwhile.
  select array_agg(a.user_id) into doomed
  from private.unused_accounts a where a.user_id = any (doomed) and a.seen_at <= at - interval '12 months';
  if doomed is null then
    return 0;
  end if;

  insert into private.account_closures as c (user_id, reason, closed_at)
  select d.id, 'inactivity', at from unnest(doomed) as d(id)
  on conflict on constraint account_closures_pkey do update set
    id = excluded.id, reason = excluded.reason, closed_at = excluded.closed_at, purge_after = null,
    reopened_at = null, is_notice_due = false;
  -- One row of an earlier rest would keep all of them from being suspended.
  delete from private.shares_at_rest r where r.user_id = any (doomed);
  insert into private.shares_at_rest (user_id, category_id, email, created_at)
  select c.user_id, c.id, null, c.updated_at from public.categories c where c.user_id = any (doomed) and c.is_public
  union all
  select c.user_id, c.id, s.email, s.created_at
  from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = any (doomed);
  perform private.withdraw_accounts(doomed);
  insert into private.account_events (event, closure_id)
  select 'suspended', c.id from private.account_closures c where c.user_id = any (doomed);
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select d.id, 'suspended', at, at from unnest(doomed) as d(id)
  on conflict do nothing;
  return cardinality(doomed);
end
$function$;
grant execute on function public.suspend_inactive_accounts(integer,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION public.tag_links(link_ids uuid[], added text[] DEFAULT '{}'::text[], removed text[] DEFAULT '{}'::text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.writer_id();
  reached record;
  change bigint;
  given record;
  taken uuid[];
begin
  if coalesce(cardinality(link_ids), 0) = 0 or added is null or removed is null then
    raise exception using errcode = 'PT400', message = 'Nenhum link para receber tags';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  elsif cardinality(added) > private.most_tags('link') or cardinality(removed) > private.most_tags('person') then
    raise exception using
      errcode = 'P0001', message = format('No máximo %s tags por link', private.most_tags('link')),
      detail = json_build_object('max', private.most_tags('link'))::text, hint = 'bound_link_tags';
  end if;
  reached := private.links_to_tag(caller, link_ids);
  if cardinality(reached.ids) = 0 then
    raise exception using errcode = 'PT404', message = 'Este link não existe mais';
  end if;
  change := private.open_tag_change(caller, reached.owner);
  given := private.make_tags(reached.owner, added, false);
  taken := array(
    select t.id from public.tags t
    where t.user_id = reached.owner and t.id <> all (given.ids) and t.folded = any (array(
      select private.normalize_search_text(private.tag_name(r)) from unnest(removed) as r
    ))
  );

  with lost as (
    delete from public.link_tags k where k.tag_id = any (taken) and k.link_id = any (reached.ids) returning k.tag_id, k.link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, false, array_agg(n.link_id)
  from (select l.*, row_number() over (partition by l.tag_id) / 5000 as part from lost l) as n group by n.tag_id, n.part;
  with got as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select l.id, g.id, reached.owner, l.created_at
    from public.links l cross join unnest(given.ids) as g(id)
    where l.id = any (reached.ids)
    on conflict do nothing
    returning tag_id, link_id
  )
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, true, array_agg(n.link_id)
  from (select g.*, row_number() over (partition by g.tag_id) / 5000 as part from got g) as n group by n.tag_id, n.part;

  update private.tag_changes c set made = given.made where c.id = change;
  update public.tags t set tagged_at = clock_timestamp()
  where t.id in (select c.tag_id from private.tag_change_links c where c.change_id = change);
  if found then
    perform private.tell_viewers(private.shared_category_ids(array(
      select distinct l.category_id from public.links l where l.id = any (reached.ids)
    )));
  end if;
  return jsonb_build_object('change', change, 'tags', coalesce((
    select jsonb_agg(case when reached.owner = caller then to_jsonb(t) else jsonb_build_object('name', t.name) end)
    from public.tags t where t.id = any (given.ids || taken)
  ), '[]'));
end
$function$;
grant execute on function public.tag_links(uuid[],text[],text[]) to authenticated;

CREATE OR REPLACE FUNCTION public.take_folder(folder_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  giver uuid;
begin
  -- In the order in which whoever changes a link locks, it before its category and the counts: what is being written is finished first.
  perform from public.folders f where f.id = $1 and exists (
    select from private.available_folders a where a.folder_id = f.id and a.person_id = caller
  ) for update;
  select a.owner_id into giver from private.available_folders a where a.folder_id = $1 and a.person_id = caller;
  if giver is null then
    raise exception using errcode = 'PT404', message = 'Esta pasta não está mais disponível';
  end if;
  perform private.lock_links_of($1);
  perform from public.categories c where c.folder_id = $1 order by c.id for update;
  -- Those that came while this waited. No more can come.
  perform private.lock_links_of($1);
  if (
    select sum(n.link_count) from public.categories c join public.category_counts n on n.category_id = c.id where c.folder_id = $1
  ) > 20000 then
    raise exception using errcode = 'PT409', message = 'No máximo 20.000 links por vez', hint = 'too_many_links';
  end if;
  perform from public.library_counts n where n.user_id in (giver, caller) order by n.user_id for no key update;
  perform private.require_sharing_plan(caller);
  -- In nobody's name: what goes here is not deleted by anybody, and lies in no bin; what comes was added by whoever added it.
  perform set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true);
  perform private.hand_over($1, giver, caller);
  perform set_config('request.jwt.claims', coalesce(claims, ''), true), set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
end
$function$;
grant execute on function public.take_folder(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.take_links_to_check(max_links integer DEFAULT 20)
 RETURNS TABLE(link_id uuid, url text, round_of uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most integer := least(greatest(coalesce(max_links, 20), 1), 100);
  round private.link_check_rounds;
  batch public.links[];
begin
  return query
    with due as (
      select f.link_id from private.failing_links f
      where f.due_at <= now()
        and not exists (select from private.account_closures c where c.user_id = f.user_id and c.reopened_at is null)
      order by f.due_at
      limit most
      for update skip locked
    ), taken as (
      update private.failing_links f set due_at = now() + interval '10 minutes' from due d where f.link_id = d.link_id returning f.link_id
    )
    select l.id, l.url, null::uuid from taken t join public.links l on l.id = t.link_id;
  if found then
    return;
  end if;
  loop
    select r.* into round from private.link_check_rounds r where r.due_at <= now() order by r.due_at limit 1 for update skip locked;
    exit when not found;
    -- Who has closed their account wants nothing opened. It is thought of again tomorrow.
    if exists (select from private.account_closures c where c.user_id = round.user_id and c.reopened_at is null) then
      update private.link_check_rounds r set due_at = now() + interval '1 day' where r.user_id = round.user_id;
      continue;
    end if;
    if round.ended_at >= round.began_at then
      round.began_at := now();
      round.reached_at := '-infinity';
      round.reached_id := '00000000-0000-0000-0000-000000000000';
    end if;
    batch := array(
      select l from public.links l
      where l.user_id = round.user_id and (l.created_at, l.id) > (round.reached_at, round.reached_id)
      order by l.created_at, l.id
      limit most
    );
    update private.link_check_rounds r
    set began_at = round.began_at, reached_at = round.reached_at, reached_id = round.reached_id,
      taken_at = batch[cardinality(batch)].created_at, taken_id = batch[cardinality(batch)].id,
      ended_at = case when batch = '{}' then now() else round.ended_at end,
      due_at = case when batch = '{}' then round.began_at + interval '30 days' else now() + interval '10 minutes' end
    where r.user_id = round.user_id;
    return query select b.id, b.url, round.user_id from unnest(batch) as b;
    exit when found;
  end loop;
end
$function$;
grant execute on function public.take_links_to_check(integer) to service_role;

CREATE OR REPLACE FUNCTION public.take_reopening_notice()
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.account_closures c set is_notice_due = false
  where c.user_id = private.caller_id() and c.is_notice_due
  returning c.reason
$function$;
grant execute on function public.take_reopening_notice() to authenticated;
comment on function public.take_reopening_notice() is 'Why the account was closed until the caller signed in. Nullable.';

CREATE OR REPLACE FUNCTION public.undo_deletion(item_type text, item_ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.writer_id();
  restored jsonb;
  more jsonb;
  others record;
begin
  if item_type is null or item_type not in ('folder', 'category', 'link') then
    raise exception using errcode = 'PT400', message = 'Tipo de item desconhecido';
  elsif cardinality(item_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 itens por vez';
  end if;
  restored := private.give_back(caller, item_type, item_ids, null, null);
  if item_type <> 'link' then
    return restored;
  end if;
  for others in
    select d.user_id, array_agg(distinct r.id) as ids
    from private.deletions d
    join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'link' and r.id = any (item_ids)
    where d.deleted_by = caller and d.purge_after > now() and r.parent_id = any (private.writable_category_ids())
    group by d.user_id order by d.user_id
  loop
    more := private.give_back(others.user_id, item_type, others.ids, null, null);
    restored := restored || jsonb_build_object('links', (restored ->> 'links')::integer + (more ->> 'links')::integer);
  end loop;
  return restored;
end
$function$;
grant execute on function public.undo_deletion(text,uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION public.undo_import(import_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  doomed uuid[];
  begun timestamptz;
  links integer := 0;
  categories integer := 0;
  folders integer := 0;
begin
  -- Somebody else's import answers like one that does not exist. From here on no further part of it is taken.
  update private.imports i set undone_at = coalesce(i.undone_at, now())
  where i.user_id = caller and i.id = $1 and i.started_at > now() - private.import_window()
  returning i.undone_at into begun;
  if not found then
    raise exception using errcode = 'PT404', message = 'Importação não encontrada';
  end if;

  with emptied as (
    update private.import_parts p set link_ids = '{}'
    from (
      select q.part, q.link_ids from private.import_parts q
      where q.user_id = caller and q.import_id = $1 and q.link_ids <> '{}'
      order by q.part limit 10
    ) as full_parts
    where p.user_id = caller and p.import_id = $1 and p.part = full_parts.part
    returning full_parts.link_ids
  )
  select array_agg(gone.id) into doomed from emptied cross join lateral unnest(emptied.link_ids) as gone(id);
  delete from public.links l where l.id = any (doomed) and l.user_id = caller;
  get diagnostics links = row_count;
  if exists (
    select from private.import_parts p where p.user_id = caller and p.import_id = $1 and p.link_ids <> '{}'
  ) then
    return jsonb_build_object('folders', 0, 'categories', 0, 'links', links, 'done', false);
  end if;

  delete from public.categories c
  where c.user_id = caller
    and c.id = any (array(
      select unnest(p.category_ids) from private.import_parts p where p.user_id = caller and p.import_id = $1
    ))
    and not exists (select from public.links l where l.category_id = c.id);
  get diagnostics categories = row_count;
  delete from public.folders f
  where f.user_id = caller
    and f.id = any (array(
      select unnest(p.folder_ids) from private.import_parts p where p.user_id = caller and p.import_id = $1
    ))
    and not exists (select from public.categories c where c.folder_id = f.id);
  get diagnostics folders = row_count;
  delete from public.tags t
  where t.user_id = caller and t.link_count = 0
    -- What the undo itself has put there goes without the tags that were made for it.
    and t.id not in (select private.tags_in_bin(caller, begun))
    and t.id = any (array(
      select unnest(p.tag_ids) from private.import_parts p where p.user_id = caller and p.import_id = $1
    ));
  delete from private.import_parts p where p.user_id = caller and p.import_id = $1;
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links, 'done', true);
end
$function$;
grant execute on function public.undo_import(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.undo_join(joins jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
  restored jsonb;
begin
  if jsonb_typeof(joins) is distinct from 'array' or jsonb_array_length(joins) > 50 then
    raise exception using errcode = 'PT400', message = 'No máximo 50 endereços por vez';
  end if;
  restored := public.undo_deletion('link', array(
    select g.id::uuid from jsonb_array_elements(joins) as j(one), jsonb_array_elements_text(j.one -> 'gone') as g(id)
  ));
  if (restored ->> 'links')::integer = 0 then
    return 0;
  end if;
  delete from public.favorites s using jsonb_array_elements(joins) as j(one)
  where s.user_id = caller and s.link_id = (j.one ->> 'remaining')::uuid and (j.one -> 'was' ->> 'favorite')::boolean is false;
  delete from public.link_tags k using jsonb_array_elements(joins) as j(one)
  where k.user_id = caller and k.link_id = (j.one ->> 'remaining')::uuid
    and k.tag_id::text in (select jsonb_array_elements_text(j.one -> 'was' -> 'more_tags'));
  update public.links l
  set title = j.one -> 'was' ->> 'title', url = j.one -> 'was' ->> 'url', description = j.one -> 'was' ->> 'description',
    category_id = c.id
  from jsonb_array_elements(joins) as j(one)
  join public.categories c on c.id = (j.one -> 'was' ->> 'category_id')::uuid and c.user_id = caller
  where l.id = (j.one ->> 'remaining')::uuid and l.user_id = caller and l.updated_at = (j.one ->> 'version')::timestamptz;
  return (restored ->> 'links')::integer;
end
$function$;
grant execute on function public.undo_join(jsonb) to authenticated;

CREATE OR REPLACE FUNCTION public.undo_program_act(change_id bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  caller constant uuid := private.caller_id();
  act private.program_acts := private.find_program_act($1, caller);
  writable constant uuid[] := case when act.owner_id <> caller then private.writable_category_ids() end;
  ids uuid[];
  fates private.act_fate[];
  answer jsonb;
begin
  if act.id is null then
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  elsif act.undone_at is not null then
    return act.undone;
  elsif act.row_count > private.most('rows_of_act') then
    raise exception using
      errcode = 'PT409', message = 'Foram mudanças demais de uma vez para desfazer', hint = 'act_too_large';
  end if;
  -- Links, place in the bin, counters, act: in the order in which whoever writes and whoever gives back takes them.
  ids := array(select r.row_id from private.program_act_rows r where r.act_id = act.id order by r.row_id);
  perform from public.links l where l.id = any (ids) and l.user_id = act.owner_id order by l.id for update;
  insert into private.restorations (user_id, link_count, category_count)
  select act.owner_id, coalesce(max(d.link_count), 0), coalesce(max(d.category_count), 0)
  from private.deletions d where d.user_id = act.owner_id and d.purge_after > now();
  perform from public.library_counts n where n.user_id = act.owner_id for no key update;
  select a.* into act from private.program_acts a where a.id = act.id for update;
  if act.id is null then
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  elsif act.undone_at is not null then
    delete from private.restorations r where r.user_id = act.owner_id;
    return act.undone;
  elsif ids is distinct from array(select r.row_id from private.program_act_rows r where r.act_id = act.id order by r.row_id) then
    raise exception using
      errcode = 'PT409', message = 'O programa ainda está trabalhando nisto. Tente de novo em instantes.', hint = 'act_goes_on';
  end if;
  fates := array(select f from private.weigh_program_act(act.id, act.owner_id, writable) as f);
  -- What was saved goes in exchange: until then both are there.
  update private.restorations r
  set link_count = greatest(r.link_count, least(l.max_links, private.most('links')))
    + (select count(*) from unnest(fates) as f where f.fate = 'saved')
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where r.user_id = act.owner_id and p.id = act.owner_id;

  -- What comes back, past the limits of a plan that has become smaller.
  insert into public.tags (id, user_id, name, color, created_at)
  select t.id, act.owner_id, t.name, t.color, t.created_at
  from unnest(fates) as f cross join lateral jsonb_populate_record(null::public.tags, f.was) as t
  where f.fate = 'tag'
  on conflict do nothing;
  perform private.restore_links(act.owner_id, g.deletions, g.ids, null, '{}')
  from (
    select array_agg(f.deletion_id) as deletions, array_agg(f.row_id) as ids from unnest(fates) as f where f.fate = 'deleted'
  ) as g
  where g.ids is not null;
  delete from private.restorations r where r.user_id = act.owner_id;

  update public.links l set
    url = coalesce(f.was ->> 'url', l.url), title = coalesce(f.was ->> 'title', l.title),
    description = case when f.was ? 'description' then f.was ->> 'description' else l.description end,
    category_id = coalesce((f.was ->> 'category_id')::uuid, l.category_id)
  from unnest(fates) as f
  where f.fate in ('moved', 'changed') and l.id = f.row_id and l.user_id = act.owner_id;
  update public.categories c set
    name = coalesce(f.was ->> 'name', c.name),
    description = case when f.was ? 'description' then f.was ->> 'description' else c.description end
  from unnest(fates) as f
  where f.fate = 'renamed' and c.id = f.row_id and c.user_id = act.owner_id;
  delete from public.links l where l.user_id = act.owner_id and l.id = any (array(
    select f.row_id from unnest(fates) as f where f.fate = 'saved'
  ));
  perform private.undo_tagging(act, fates);

  answer := private.count_fates(fates);
  -- Where nothing came back it stays as it is: what stands in its way may go.
  if answer ?| '{saved,deleted,moved,changed,tagged,renamed}' then
    update private.program_acts a set undone_at = now(), undone = answer where a.id = act.id;
    delete from private.program_act_rows r where r.act_id = act.id;
  end if;
  perform private.purge_deletions(1000);
  return answer;
exception when foreign_key_violation then
  raise exception using
    errcode = 'PT409', message = 'Uma categoria acabou de ser excluída. Tente de novo.', hint = 'place_gone';
end
$function$;
grant execute on function public.undo_program_act(bigint) to authenticated;

CREATE OR REPLACE FUNCTION public.undo_tag_change(change_id bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  caller uuid := private.writer_id();
  owner uuid := (select c.owner_id from private.tag_changes c where c.id = $1 and c.user_id = caller);
  -- What was given goes first: a link that has twenty has room for what it lost.
  parts bigint[] := array(
    select k.id from private.tag_changes c join private.tag_change_links k on k.change_id = c.id
    where c.id = $1 and c.user_id = caller order by k.got_it desc, k.id limit 4
  );
  touched uuid[] := array(select u.id from private.tag_change_links k cross join lateral unnest(k.link_ids) as u(id) where k.id = any (parts));
  change private.tag_changes;
begin
  if owner <> caller then
    touched := array(
      select l.id from public.links l
      where l.id = any (touched) and l.user_id = owner and l.category_id = any (private.writable_category_ids())
    );
  end if;
  -- The links first, as whoever deletes them does.
  perform from public.links l where l.id = any (touched) and l.user_id = owner order by l.id for key share;
  perform from public.library_counts n where n.user_id = owner for no key update;
  select c.* into change from private.tag_changes c where c.id = $1 and c.user_id = caller;
  if not found or owner <> caller and cardinality(touched) = 0 then
    -- Somebody else's answers like one that does not exist.
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  end if;

  if change.gone <> '[]' then
    insert into private.restorations (user_id, link_count, category_count) values (owner, 0, 0);
    insert into public.tags (id, user_id, name, color, created_at)
    select t.id, owner, t.name, t.color, t.created_at
    from jsonb_populate_recordset(null::public.tags, change.gone) as t
    on conflict do nothing;
    delete from private.restorations r where r.user_id = owner;
  end if;

  delete from public.link_tags k using private.tag_change_links c
  where c.id = any (parts) and c.got_it and k.tag_id = c.tag_id and k.link_id = any (c.link_ids)
    and (owner = caller or k.link_id = any (touched));
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select w.id, w.tag_id, owner, w.created_at
  from (
    select l.id, n.tag_id, l.created_at, row_number() over (partition by l.id order by n.tag_id) as place
    from (
      select distinct t.id as tag_id, u.id
      from private.tag_change_links c
      left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
      join public.tags t on t.user_id = owner and (t.id = c.tag_id or t.folded = g.folded)
      cross join lateral unnest(c.link_ids) as u(id)
      where c.id = any (parts) and not c.got_it
      offset 0
    ) as n
    join public.links l on l.id = n.id and l.user_id = owner
    where (owner = caller or l.id = any (touched))
      and not exists (select from public.link_tags h where h.link_id = l.id and h.tag_id = n.tag_id)
  ) as w
  where w.place + (select count(*) from public.link_tags h where h.link_id = w.id) <= private.most_tags('link')
  on conflict do nothing;
  update public.tags t set tagged_at = clock_timestamp()
  where t.user_id = owner and t.id in (select c.tag_id from private.tag_change_links c where c.id = any (parts));
  perform private.tell_viewers(private.shared_category_ids(array(
    select distinct l.category_id from public.links l where l.id = any (touched) and l.user_id = owner
  )));
  -- A link that went without any tag has no row of them there. At most one a link: the bin is not counted anew.
  insert into private.deleted_rows (deletion_id, kind, id, content)
  select i.deletion_id, 'tags', i.id, '{"tag_ids": []}'
  from private.deletions d join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'link'
  where owner = caller and d.user_id = owner
    and i.id in (
      select u.id from private.tag_change_links c cross join lateral unnest(c.link_ids) as u(id)
      where c.id = any (parts) and not c.got_it
    )
    and not exists (select from private.deleted_rows r where r.deletion_id = d.id and r.kind = 'tags' and r.id = i.id)
  -- Whoever ends a deletion takes its rows with it.
  for key share of d;
  update private.deleted_rows r
  set content = jsonb_build_object('tag_ids', (r.content -> 'tag_ids') - k.got - k.lost || to_jsonb(k.lost))
  from private.deletions d, (
    select u.id,
      coalesce(array_agg(t.id::text) filter (where c.got_it), '{}') as got,
      coalesce(array_agg(distinct t.id::text) filter (where not c.got_it), '{}') as lost
    from private.tag_change_links c
    left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
    join public.tags t on t.user_id = owner and (t.id = c.tag_id or t.folded = g.folded)
    cross join lateral unnest(c.link_ids) as u(id)
    where c.id = any (parts)
    group by u.id
  ) as k
  where owner = caller and d.user_id = owner and r.deletion_id = d.id and r.kind = 'tags' and r.id = k.id;
  delete from private.tag_change_links c where c.id = any (parts);
  if exists (select from private.tag_change_links c where c.change_id = $1) then
    return false;
  end if;
  delete from public.tags t
  where t.id = any (change.made) and t.user_id = owner and t.link_count = 0
    and t.id not in (select private.tags_in_bin(owner, 'infinity'));
  delete from private.tag_changes c where c.id = $1;
  return true;
end
$function$;
grant execute on function public.undo_tag_change(bigint) to authenticated;

CREATE OR REPLACE FUNCTION public.unsubscribe_daily_mail(token uuid, stop boolean DEFAULT true)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  address text := (select a.email from private.share_mail_addresses a where a.token = $1);
  people uuid[] := array(
    select d.user_id from private.daily_mails d join auth.users u on u.id = d.user_id where lower(u.email) = address
  );
begin
  if coalesce($2, true) then
    update private.daily_mails d set unsubscribed_at = coalesce(d.unsubscribed_at, now()) where d.user_id = any (people);
  elsif cardinality(people) = 0 then
    return null;
  else
    perform private.turn_daily_mail_on(p.id) from unnest(people) as p(id);
  end if;
  return address;
end
$function$;
grant execute on function public.unsubscribe_daily_mail(uuid,boolean) to service_role;

CREATE OR REPLACE FUNCTION public.unsubscribe_share_mail(token uuid, stop boolean DEFAULT true)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with meant as (
    select a.email, a.mailbox from private.share_mail_addresses a where a.token = $1
  ), changed as (
    update private.share_mail_addresses a
    set unsubscribed_at = case when coalesce($2, true) then coalesce(a.unsubscribed_at, now()) end
    from meant m
    where a.mailbox = m.mailbox
  )
  select m.email from meant m
$function$;
grant execute on function public.unsubscribe_share_mail(uuid,boolean) to service_role;

CREATE OR REPLACE FUNCTION public.warn_inactive_accounts(max integer DEFAULT 1000, at timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most integer := least(greatest(coalesce(max, 1000), 0), 10000);
  first_count integer;
  second_count integer;
begin
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select a.user_id, 'inactive_first', a.seen_at, greatest(a.seen_at + interval '12 months', at + interval '30 days')
  from private.unused_accounts a
  where a.seen_at <= at - interval '12 months' + interval '30 days' and not exists (
    select from private.account_mails m
    where m.user_id = a.user_id and m.kind = 'inactive_first' and m.occasion = a.seen_at
  )
  limit most
  on conflict do nothing;
  get diagnostics first_count = row_count;

  insert into private.account_mails (user_id, kind, occasion, deadline)
  select w.user_id, 'inactive_second', w.occasion, greatest(w.occasion + interval '12 months', at + interval '7 days')
  from private.told_warnings w
  where w.kind = 'inactive_first' and w.finished_at <= at - interval '23 days'
    and w.occasion <= at - interval '12 months' + interval '7 days'
    and not exists (
      select from private.account_mails m
      where m.user_id = w.user_id and m.kind = 'inactive_second' and m.occasion = w.occasion
    )
  limit most
  on conflict do nothing;
  get diagnostics second_count = row_count;
  return first_count + second_count;
end
$function$;
grant execute on function public.warn_inactive_accounts(integer,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION private.account_of(address text, but_not uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select u.id from auth.users u join public.profiles p on p.id = u.id
  where lower(u.email) = address and u.email_confirmed_at is not null and u.deleted_at is null and u.id <> but_not
  order by u.created_at, u.id limit 1
$function$;

CREATE OR REPLACE FUNCTION private.act_key()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- The time as well: transactions are numbered anew when a dump is restored.
  select coalesce(
    nullif(current_setting('linkoteca.act', true), ''), pg_current_xact_id()::text || ' ' || extract(epoch from now())::text
  )
$function$;

CREATE OR REPLACE FUNCTION private.acting_program()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claims constant jsonb := auth.jwt();
  claimed constant text := coalesce(claims ->> 'session_id', '');
  session record;
begin
  if claims ->> 'role' is distinct from 'authenticated' then
    return '';
  elsif claimed !~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then
    return null;
  end if;
  select s.oauth_client_id, s.scopes into session from auth.sessions s where s.id = claimed::uuid;
  if session.oauth_client_id is not null then
    return coalesce((
      select left(nullif(btrim(c.client_name), ''), 100) from auth.oauth_clients c where c.id = session.oauth_client_id
    ), 'Programa');
  elsif session.scopes is not null then
    return coalesce((select t.name from auth.personal_tokens t where t.session_id = claimed::uuid), 'Programa');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.add_category_as_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
  owner uuid;
begin
  if new.user_id = caller then
    select f.user_id into owner from public.folders f where f.id = new.folder_id;
    if owner = caller or owner is null
      -- The foreign key refuses it: what is given back is its owner's, and so is its place.
      or exists (select from private.restorations r where r.user_id = caller)
      or new.folder_id <> all (private.writable_folder_ids()) then
      return new;
    end if;
    new.user_id := owner;
  end if;
  if caller is not null then
    -- The owner's own name, and not one that somebody else gives them.
    new.name_users := null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.add_link_as_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
  owner uuid;
begin
  if new.user_id = caller then
    select c.user_id into owner from public.categories c where c.id = new.category_id;
    if owner <> caller and not exists (select from private.restorations r where r.user_id = caller)
      and new.category_id = any (private.writable_category_ids()) then
      new.user_id := owner;
    elsif new.added_by is null and new.added_by_name is null then
      return new;
    end if;
  end if;
  if exists (select from private.restorations r where r.user_id = new.user_id) then
    -- What is given back was added by whoever added it, if they are still there.
    new.added_by := (select p.id from public.profiles p where p.id = new.added_by);
  elsif caller is not null then
    new.added_by := nullif(caller, new.user_id);
    new.added_by_name := (select p.name from public.profiles p where p.id = new.added_by);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.address_key(url text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  rest text := btrim(url, E' \t\n\r');
  scheme text := lower(split_part(rest, '://', 1));
  fragment text;
  query text;
  path text := '';
  host text;
  person text := '';
  port text := '';
  at integer;
begin
  if scheme not in ('http', 'https') or strpos(rest, '://') = 0 then
    return url;
  end if;
  rest := substr(rest, char_length(scheme) + 4);
  at := strpos(rest, '#');
  if at > 0 then
    fragment := substr(rest, at + 1);
    rest := left(rest, at - 1);
  end if;
  at := strpos(rest, '?');
  if at > 0 then
    query := substr(rest, at + 1);
    rest := left(rest, at - 1);
  end if;
  if strpos(rest, '\') > 0 then
    rest := replace(rest, '\', '/');
  end if;
  at := strpos(rest, '/');
  if at > 0 then
    path := substr(rest, at);
    rest := left(rest, at - 1);
  end if;

  host := rest;
  if strpos(rest, '@') > 0 then
    host := substring(rest from '[^@]*$');
    person := left(rest, char_length(rest) - char_length(host));
  end if;
  host := lower(host);
  if strpos(host, ':') > 0 then
    port := coalesce(substring(host from ':[0-9]*$'), '');
    host := left(host, char_length(host) - char_length(port));
    if port = ':' or (scheme = 'http' and port = ':80') or (scheme = 'https' and port = ':443') then
      port := '';
    end if;
  end if;
  host := rtrim(host, '.');
  if left(host, 4) = 'www.' and host ~ '^www\.(?!www\.)[^.]+\.[^.].' then
    host := substr(host, 5);
  end if;

  if strpos(path, '%') > 0 then
    path := private.decode_address(path, '3b|2f|3f|3a|40|26|3d|2b|24|2c|23');
  end if;
  if strpos(path, '//') > 0 then
    -- The address of a page within an address, such as archives have it, keeps its two.
    path := replace(regexp_replace(replace(path, '://', E':\x01'), '/{2,}', '/', 'g'), E':\x01', '://');
  end if;
  if right(path, 1) = '/' and right(path, 3) <> '://' then
    path := left(path, -1);
  end if;
  if query <> '' then
    query := private.order_parameters(query, host);
  end if;
  if fragment ~ '^[/!]' then
    fragment := private.decode_address(regexp_replace(fragment, ':~:text=.*$', '', 'i'), '23');
  else
    fragment := null;
  end if;
  return person || host || port || path || coalesce('?' || nullif(query, ''), '') || coalesce('#' || fragment, '');
end
$function$;

CREATE OR REPLACE FUNCTION private.addressee_of_request(category_id uuid, asker uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.user_id from public.categories c
  where c.id = $1 and not c.is_public and c.user_id <> asker and not private.is_account_closed(c.user_id)
    and not exists (
      select from private.access_requests r where r.owner_id = c.user_id and r.asker_id = asker and r.refused_at is not null
    )
    and (select count(*) from private.access_requests r where r.owner_id = c.user_id and r.refused_at is null) < 100
$function$;

CREATE OR REPLACE FUNCTION private.are_share_emails(emails text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(bool_and(
    email is not null and email = lower(email) and char_length(email) <= 254
    and email ~ '^[^[:space:]@,;<>"]+@[^[:space:]@,;<>".]+(\.[^[:space:]@,;<>".]+)+$'
  ), true)
  from unnest(emails) as email
$function$;
grant execute on function private.are_share_emails(text[]) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.are_webhook_events(events text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select events is not null and array_position(events, null) is null and cardinality(events) between 1 and 4
    and events <@ '{link.created,link.updated,link.deleted,category.shared}'
$function$;

CREATE OR REPLACE FUNCTION private.arranged_page(of_category uuid, owner uuid, below text, at_most integer)
 RETURNS TABLE(id uuid, url text, title text, description text, user_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, rank text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.id, p.url, p.title, p.description, p.user_id, p.created_at, p.updated_at, p.rank
  from (
    (
      select l.id, l.url, l.title, l.description, l.user_id, l.created_at, l.updated_at,
        null::text as rank, private.birth_rank(l.created_at, l.id) collate "C" as stands
      from public.links l
      where l.category_id = of_category
        and l.created_at <= coalesce(private.rank_moment(below), 'infinity')
        and (below is null or private.birth_rank(l.created_at, l.id) collate "C" < below)
        and not exists (select from public.manual_order m where m.link_id = l.id)
      order by l.created_at desc, l.id desc
      limit at_most
    )
    union all
    (
      select l.id, l.url, l.title, l.description, l.user_id, l.created_at, l.updated_at, m.rank, m.rank
      from public.manual_order m join public.links l on l.id = m.link_id
      where m.user_id = owner and l.category_id = of_category and (below is null or m.rank < below)
      order by m.rank desc
      limit at_most
    )
  ) as p
  order by p.stands desc
  limit at_most
$function$;

CREATE OR REPLACE FUNCTION private.asked_cover()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  asked text[] := regexp_match(
    current_setting('request.path', true),
    '/object/(?:authenticated/)?arquivos/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/covers/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
  );
  of_category uuid;
begin
  if asked is null then
    return null;
  end if;
  select l.category_id into of_category
  from private.link_covers c join public.links l on l.id = c.link_id and l.user_id = c.user_id
  where c.link_id = asked[2]::uuid and c.user_id = asked[1]::uuid and c.state = 'image' and c.leftover_since is null;
  if private.category_access(of_category) in ('owner', 'invited', 'public') then
    return private.cover_name(asked[1]::uuid, asked[2]::uuid);
  end if;
  return null;
end
$function$;
grant execute on function private.asked_cover() to anon, authenticated;

CREATE OR REPLACE FUNCTION private.begin_public_page()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.public_pages p set ends_at = null
  where p.category_id = new.id and p.ends_at <= now()
    and not exists (select from private.restorations r where r.user_id = new.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.birth_rank(born timestamp with time zone, id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select lpad(to_hex((extract(epoch from born) * 1000000)::bigint), 14, '0') || replace(id::text, '-', '') || '8' $function$;

CREATE OR REPLACE FUNCTION private.bound_dates()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.created_at := greatest(least(new.created_at, now()), '1970-01-01 00:00:00+00');
  new.updated_at := greatest(least(new.updated_at, now()), '1970-01-01 00:00:00+00');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.brasilia_day(moment timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 STABLE
RETURN ((moment AT TIME ZONE 'America/Sao_Paulo'::text))::date;

CREATE OR REPLACE FUNCTION private.caller_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when private.is_account_open() then auth.uid() end;
end
$function$;

CREATE OR REPLACE FUNCTION private.caller_session()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id
  from auth.sessions s
  where (select private.is_account_open())
    and s.user_id = (select auth.uid())
    and s.id::text = (select auth.jwt() ->> 'session_id')
    and (s.not_after is null or s.not_after > clock_timestamp())
$function$;

CREATE OR REPLACE FUNCTION private.calling_program()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select left(coalesce(auth.jwt() ->> 'client_id', auth.jwt() ->> 'session_id', ''), 100) $function$;

CREATE OR REPLACE FUNCTION private.capture_link_of(person uuid, id uuid, url text, title text, description text, category_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  place uuid;
  adder uuid;
begin
  select l.category_id, nullif(l.added_by, l.user_id) into place, adder
  from public.links l where l.id = $2 and (l.user_id = person or l.added_by = person);
  if found then
    -- What the person added to another's folder counts as saved, also where its owner has put it away since: where, is not told then.
    return case when adder is distinct from person or place = any (private.invited_category_ids()) then place end;
  end if;
  if exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.user_id = person and r.kind = 'link' and r.id = $2
  ) or exists (
    select from private.deleted_rows r
    where r.kind = 'link' and r.content ->> 'added_by' is not null and r.content ->> 'added_by' = person::text and r.id = $2
  ) then
    return null;
  end if;
  place := coalesce($6, private.open_inbox_of(person));
  -- A category in which the person may not write answers like one that does not exist.
  if not exists (
    select from public.categories c
    where c.id = place and (c.user_id = person or person = auth.uid() and c.id = any (private.writable_category_ids()))
  ) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.links (id, url, title, description, category_id, user_id) values ($2, $3, $4, $5, place, person);
  return place;
exception when foreign_key_violation then
  -- It went, or was closed to the person, while the link was being saved.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$function$;

CREATE OR REPLACE FUNCTION private.category_access(category_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid;
  published boolean;
begin
  select c.user_id, c.is_public and private.is_page_open(c.id) into owner_id, published
  from public.categories c where c.id = category_access.category_id;
  if not found then
    return null;
  elsif not private.may_read_links() then
    return case
      when published then 'public'
      when exists (select from public.shared_with s where s.category_id = category_access.category_id) then 'denied'
    end;
  elsif owner_id = auth.uid() then
    return 'owner';
  elsif category_access.category_id = any (private.openable_category_ids()) then
    return 'invited';
  elsif published then
    return 'public';
  elsif category_access.category_id = any (private.invited_category_ids()) then
    return 'limited';
  elsif exists (select from public.shared_with s where s.category_id = category_access.category_id) then
    return 'denied';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.category_bytes(c public.categories)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (((65 + octet_length((c).name)) + COALESCE(octet_length((c).description), 0)) + COALESCE(octet_length((c).name_users), 0));

CREATE OR REPLACE FUNCTION private.category_trace(name text, description text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('name', hashtextextended($1, 0), 'description', hashtextextended($2, 0))
$function$;

CREATE OR REPLACE FUNCTION private.check_webhook(url text, events text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if private.is_webhook_url(url) is not true then
    raise exception using errcode = 'PT400', message = 'Use um endereço público que comece com https://';
  elsif not private.are_webhook_events(events) then
    raise exception using errcode = 'PT400', message = 'Marque pelo menos um evento';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_idempotency_key(key text, request text)
 RETURNS TABLE(asked text, answer json)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.writer_id();
  caller_program text := private.calling_program();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.idempotency_keys k where k.user_id = caller and k.created_at < now() - interval '24 hours';
  if (select count(*) from private.idempotency_keys k where k.user_id = caller) >= 20000 then
    raise exception using errcode = 'PT429', message = 'Muitas chaves de idempotência em um dia';
  end if;
  insert into private.idempotency_keys (user_id, program, key, request) values (caller, caller_program, $1, $2)
  on conflict on constraint idempotency_keys_pkey do nothing;
  if not found then
    return query select k.request, k.answer from private.idempotency_keys k
      where k.user_id = caller and k.program = caller_program and k.key = $1;
  end if;
end
$function$;
grant execute on function private.claim_idempotency_key(text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.claim_subscription_reconciliation(is_quiet boolean, may_be_first boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with claimed as (
    update private.subscription_reconciliation r set started_at = now(), finished_at = null
    where (r.started_at is null
      or r.started_at <= now() - interval '1 day'
      or r.started_at <= now() - interval '12 hours' and $1
      or r.started_at <= now() - interval '1 hour' and r.finished_at is null
      or r.started_at > now() + interval '1 hour')
      and ($2 or exists (select from public.subscribers s where s.stripe_customer_id is not null))
    returning true
  )
  select exists (select from claimed)
$function$;
grant execute on function private.claim_subscription_reconciliation(boolean,boolean) to service_role;

CREATE OR REPLACE FUNCTION private.claim_webhook_deliveries(max_deliveries integer DEFAULT 16)
 RETURNS TABLE(delivery_id uuid, message_id text, url text, secrets bytea[], body text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    with due as (
      select w.id from private.webhooks w
      where w.due_at <= now() and w.off_at is null and w.deleted_at is null
        and not exists (select from private.account_closures c where c.user_id = w.user_id and c.reopened_at is null)
        and not exists (select from auth.users u where u.id = w.user_id and (u.deleted_at is not null or u.banned_until > now()))
      order by w.due_at
      limit least(greatest(coalesce(max_deliveries, 16), 1), 100)
      for no key update skip locked
    ), taken as (
      update private.webhooks w set due_at = now() + interval '1 minute', rest_until = now() + interval '1 minute' from due where w.id = due.id
      returning w.id, w.url, array_remove(array[
        w.secret,
        case when w.old_secret_until > now() then w.old_secret end,
        case when w.older_secret_until > now() then w.older_secret end
      ], null) as secrets
    )
    select d.id, d.message_id, t.url, t.secrets, d.body
    from taken t cross join lateral (
      select d.* from private.webhook_deliveries d
      where d.webhook_id = t.id and d.state = 'waiting' and d.due_at <= now()
      order by d.number limit 1
    ) as d;
end
$function$;
grant execute on function private.claim_webhook_deliveries(integer) to service_role;

CREATE OR REPLACE FUNCTION private.column_defaults(of_table regclass)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  expressions text;
  defaults jsonb;
begin
  select string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') into expressions
  from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where d.adrelid = of_table and a.attgenerated = '';
  execute format('select jsonb_build_object(%s)', expressions) into defaults;
  return defaults;
end
$function$;

CREATE OR REPLACE FUNCTION private.comparable_url(url text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  address text := btrim(url, E' \t\n\r');
  place text := coalesce(substring(address from '^[a-zA-Z]+://[^/?#]*'), '');
  path text := substr(address, char_length(place) + 1);
begin
  -- What stands before an at sign may be a password, where case counts.
  if strpos(place, '@') = 0 then
    place := lower(place collate "C");
  end if;
  return case when path = '/' then place else place || path end;
end
$function$;

CREATE OR REPLACE FUNCTION private.contains_patterns(words text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select array(
    select '%' || regexp_replace(left(w.word, 100), '([\\%_])', '\\\1', 'g') || '%'
    from unnest(words) with ordinality as w(word, place) order by w.place
  )
$function$;

CREATE OR REPLACE FUNCTION private.count_categories()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change record;
  total integer;
begin
  if tg_op = 'INSERT' then
    for change in
      select a.user_id, count(*) as n, sum(private.category_bytes(a::public.categories))::bigint as bytes
      from added a group by a.user_id order by a.user_id
    loop
      total := private.take_places(change.user_id, 'categories', change.n, change.bytes);
    end loop;
    insert into public.category_counts (category_id, user_id) select id, user_id from added;
  elsif tg_op = 'DELETE' then
    for change in
      select r.user_id, count(*) as n, sum(private.category_bytes(r::public.categories)) as bytes
      from removed r group by r.user_id order by r.user_id
    loop
      update public.library_counts set category_count = category_count - change.n, row_bytes = row_bytes - change.bytes
      where user_id = change.user_id;
    end loop;
  else
    for change in
      select w.user_id, sum(w.bytes) as bytes
      from (
        select r.user_id, -private.category_bytes(r::public.categories) as bytes from removed r
        union all select a.user_id, private.category_bytes(a::public.categories) from added a
      ) as w
      group by w.user_id having sum(w.bytes) <> 0 order by w.user_id
    loop
      update public.library_counts set row_bytes = row_bytes + change.bytes where user_id = change.user_id;
    end loop;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_fates(fates private.act_fate[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(n.fate, n.total), '{}')
  from (select f.fate, count(*) as total from unnest($1) as f where f.fate not in ('nothing', 'tag') group by f.fate) as n
$function$;

CREATE OR REPLACE FUNCTION private.count_folders()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change record;
  total integer;
begin
  if tg_op = 'INSERT' then
    for change in
      select a.user_id, count(*) as n, sum(private.folder_bytes(a::public.folders)) as bytes
      from added a group by a.user_id order by a.user_id
    loop
      update public.library_counts set folder_count = folder_count + change.n, row_bytes = row_bytes + change.bytes
      where user_id = change.user_id
      returning folder_count into total;
      if total > private.most('folders') then
        perform private.refuse_beyond('folders');
      end if;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select r.user_id, count(*) as n, sum(private.folder_bytes(r::public.folders)) as bytes
      from removed r group by r.user_id order by r.user_id
    loop
      update public.library_counts set folder_count = folder_count - change.n, row_bytes = row_bytes - change.bytes
      where user_id = change.user_id;
    end loop;
  else
    for change in
      select w.user_id, sum(w.bytes) as bytes
      from (
        select r.user_id, -private.folder_bytes(r::public.folders) as bytes from removed r
        union all select a.user_id, private.folder_bytes(a::public.folders) from added a
      ) as w
      group by w.user_id having sum(w.bytes) <> 0 order by w.user_id
    loop
      update public.library_counts set row_bytes = row_bytes + change.bytes where user_id = change.user_id;
    end loop;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change record;
  total integer;
begin
  if tg_op = 'INSERT' then
    for change in
      select a.user_id, a.category_id, count(*) as n, sum(private.link_bytes(a::public.links))::bigint as bytes
      from added a group by a.user_id, a.category_id order by a.user_id, a.category_id
    loop
      total := private.take_places(change.user_id, 'links', change.n, change.bytes);
      update public.category_counts set link_count = link_count + change.n where category_id = change.category_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select r.user_id, count(*) as n, sum(private.link_bytes(r::public.links)) as bytes
      from removed r group by r.user_id order by r.user_id
    loop
      update public.library_counts set link_count = link_count - change.n, row_bytes = row_bytes - change.bytes
      where user_id = change.user_id;
    end loop;
    for change in select category_id, count(*) as n from removed group by category_id order by category_id loop
      update public.category_counts set link_count = link_count - change.n where category_id = change.category_id;
    end loop;
  else
    -- Links whose texts grew or shrank; then those that changed their category.
    for change in
      select w.user_id, sum(w.bytes) as bytes
      from (
        select r.user_id, -private.link_bytes(r::public.links) as bytes from removed r
        union all select a.user_id, private.link_bytes(a::public.links) from added a
      ) as w
      group by w.user_id having sum(w.bytes) <> 0 order by w.user_id
    loop
      update public.library_counts set row_bytes = row_bytes + change.bytes where user_id = change.user_id;
    end loop;
    for change in
      select category_id, sum(step) as n
      from (select category_id, -1 as step from removed union all select category_id, 1 from added) as steps
      group by category_id having sum(step) <> 0 order by category_id
    loop
      update public.category_counts set link_count = link_count + change.n where category_id = change.category_id;
    end loop;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_tagged()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    if exists (
      select from public.link_tags k where k.link_id in (select a.link_id from added a)
      group by k.link_id having count(*) > private.most_tags('link')
    ) then
      raise exception using
        errcode = 'P0001', message = format('No máximo %s tags por link', private.most_tags('link')),
        detail = json_build_object('max', private.most_tags('link'))::text, hint = 'bound_link_tags';
    end if;
    update public.tags t set link_count = t.link_count + n.total
    from (select a.tag_id, count(*) as total from added a group by a.tag_id) as n
    where t.id = n.tag_id;
  elsif exists (select from removed) then
    update public.tags t set link_count = t.link_count - n.total
    from (select r.tag_id, count(*) as total from removed r group by r.tag_id) as n
    where t.id = n.tag_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.cover_name(user_id uuid, link_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select user_id::text || '/covers/' || link_id::text $function$;

CREATE OR REPLACE FUNCTION private.daily_mail_hash(address text, news jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select encode(sha256(convert_to(address || news::text, 'UTF8')), 'hex') $function$;

CREATE OR REPLACE FUNCTION private.decode_address(part text, kept text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  if strpos(part, '%') = 0 then
    return part;
  end if;
  return (
    select string_agg(case
      when piece[1] is not null then convert_from(decode(replace(piece[1], '%', ''), 'hex'), 'UTF8')
      when piece[2] is not null then upper(piece[2])
      else piece[3]
    end, '' order by place)
    from regexp_matches(part, '((?:%(?!' || kept || '|25|0[0-9a-f]|1[0-9a-f]|7f)[0-9a-f]{2})+)|(%[0-9a-f]{2})|(%|[^%]+)', 'gi')
      with ordinality as found(piece, place)
  );
exception when character_not_in_repertoire or untranslatable_character then
  -- Written in another encoding.
  return part;
end
$function$;

CREATE OR REPLACE FUNCTION private.describe_users(ids uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', o.id,
    'email', u.email,
    'name', p.name,
    'created_at', d.created_at,
    'plan', d.plan,
    'link_count', coalesce(n.link_count, 0),
    'folder_count', coalesce(n.folder_count, 0),
    'last_login', u.last_sign_in_at,
    'storage_used', s.bytes,
    'storage_limit', l.storage_megabytes * 1048576::bigint,
    'closed_for', c.reason,
    'restorable_until', c.purge_after
  ) order by o.place), '[]')
  from unnest(ids) with ordinality as o(id, place)
  join private.user_directory d on d.user_id = o.id
  join auth.users u on u.id = o.id
  join public.profiles p on p.id = o.id
  join private.plan_limits l on l.plan = d.plan
  left join public.library_counts n on n.user_id = o.id
  left join private.storage_used(ids) s on s.user_id = o.id
  left join private.account_closures c on c.user_id = o.id and c.reopened_at is null
$function$;

CREATE OR REPLACE FUNCTION private.drop_shares_of_published()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.shared_with where category_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_access_requests()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner uuid;
begin
  for owner in
    with gone as (delete from private.access_requests r where r.asker_id = new.id and r.refused_at is null returning r.owner_id)
    select distinct g.owner_id from gone g where g.owner_id is not null
  loop
    perform private.tell_owner_of_requests(owner);
  end loop;
  -- What was claimed was claimed for the old address.
  update private.access_request_mails m set state = 'waiting', leased_until = null, attempts = m.attempts - 1
  where m.owner_id = new.id and m.state = 'sending' and m.started_at is null;
  if new.email is null then
    delete from private.access_requests r where r.asker_id = new.id;
    update private.access_requests r set owner_id = null, refused_at = null where r.owner_id = new.id;
    delete from private.access_request_mails m where new.id in (m.asker_id, m.owner_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_feeds()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.feeds f where f.user_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_mail_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.mail_addresses a where a.user_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_pending_changes(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- One that is being begun holds the account: it is waited for, and ended as well.
  perform from auth.users u where u.id = $1 for no key update;
  update auth.users u set phone_change = '' where u.id = $1 and coalesce(u.phone_change, '') <> '';
  delete from auth.flow_state f
  where f.linking_target_id = $1 and f.authentication_method = 'oauth' and (f.user_id is null or f.user_id = $1);
end
$function$;
comment on function private.end_pending_changes(uuid) is 'Ends what whoever began it could finish without a session: a change of number, and a link to a provider.';

CREATE OR REPLACE FUNCTION private.end_sharing_of_folders(owner uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.folder_offers o where o.owner_id = $1;
  delete from private.folder_groups g where g.owner_id = $1;
  delete from public.folder_members m where m.owner_id = $1;
  update public.folders f set is_public = false, shared_with = '{}'
  where f.user_id = $1 and (f.is_public or f.shared_with <> '{}');
  delete from private.deleted_rows r using private.deletions d
  where d.user_id = $1 and r.deletion_id = d.id and r.kind in ('share', 'member', 'group');
  update private.deleted_rows r
  set content = r.content || '{"is_public": false}' || case r.kind when 'folder' then '{"shared_with": []}' else '{}' end::jsonb
  from private.deletions d
  where d.user_id = $1 and r.deletion_id = d.id and r.kind in ('folder', 'category')
    and ((r.content ->> 'is_public')::boolean or r.content -> 'shared_with' <> '[]');
end
$function$;
comment on function private.end_sharing_of_folders(uuid) is 'A person''s folders are their own alone, and what they restore from the bin is as well.';

CREATE OR REPLACE FUNCTION private.end_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.webhooks w where w.user_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_folder_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
  room integer;
begin
  if caller is null or exists (select from private.restorations) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications of ' || caller, 0));
  room := 1000 - (
    select count(*) from private.share_notifications n where n.sender_id = caller and n.state = 'waiting'
  );
  insert into private.share_notifications as n (folder_id, sender_id, email)
  select w.folder_id, caller, w.email
  from (
    select distinct on (a.folder_id, private.mailbox_of(a.email)) a.folder_id, a.email, a.created_at
    from added a
    order by a.folder_id, private.mailbox_of(a.email), a.created_at, a.email
  ) as w
  order by w.created_at, w.email
  limit greatest(room, 0)
  on conflict on constraint share_notifications_one_per_folder do update set
    state = 'waiting', email = excluded.email, sender_id = excluded.sender_id, queued_at = now(), next_attempt_at = now(), attempts = 0
  where n.state = 'expired'
    or n.state = 'waiting' and (n.attempts = 0 or not exists (
      select from public.folder_members m where m.folder_id = n.folder_id and m.email = n.email
    ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_share_notifications(category_id uuid, sender_id uuid, emails text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  room integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications of ' || sender_id, 0));
  room := 1000 - (
    select count(*) from private.share_notifications n where n.sender_id = $2 and n.state = 'waiting'
  );
  insert into private.share_notifications as n (category_id, sender_id, email)
  select $1, $2, w.email
  from (
    select distinct on (private.mailbox_of(s.email)) s.email, s.created_at
    from public.shared_with s
    where s.category_id = $1 and s.email = any ($3) and s.created_at > now() - interval '1 day'
    order by private.mailbox_of(s.email), s.created_at, s.email
  ) as w
  order by w.created_at, w.email
  limit greatest(room, 0)
  on conflict on constraint share_notifications_one_per_mailbox do update set
    state = 'waiting', email = excluded.email, sender_id = excluded.sender_id, queued_at = now(), next_attempt_at = now(), attempts = 0
  where n.state = 'expired'
    or n.state = 'waiting' and (n.attempts = 0 or not exists (
      select from public.shared_with s where s.category_id = n.category_id and s.email = n.email
    ));
end
$function$;

CREATE OR REPLACE FUNCTION private.enter_admin_area(action text, about uuid DEFAULT NULL::uuid, details jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.extend_search_zones(owner_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  covered timestamptz := coalesce(
    (select max(newest) from private.link_search_zones where user_id = owner_id), '-infinity');
begin
  insert into private.link_search_zones (user_id, oldest, newest, grams, is_exact)
  select owner_id, min(created_at), max(created_at), private.search_grams(string_agg(piece, E'\n')), true
  from (
    select created_at, piece, (dense_rank() over (order by created_at) - 1) / 16 as zone
    from private.link_search
    where user_id = owner_id and created_at > covered
  ) as uncovered
  group by zone having count(distinct created_at) = 16;
end
$function$;

CREATE OR REPLACE FUNCTION private.fill_owner_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.name_users := (select name from public.profiles where id = new.user_id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_deleted(caller uuid, item_type text, item_ids uuid[], OUT batches bigint[], OUT ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  candidates bigint[] := array(
    select d.id from private.deletions d where d.user_id = caller and d.purge_after > now()
  );
begin
  select array_agg(found.deletion_id), array_agg(found.id) into batches, ids
  from (
    select distinct on (r.id) r.deletion_id, r.id
    from private.deleted_rows r join unnest(item_ids) as wanted(id) on wanted.id = r.id
    where r.deletion_id = any (candidates) and r.kind = item_type
    order by r.id, r.deletion_id desc
  ) as found
  where case item_type
    when 'folder' then (select f.id from public.folders f where f.id = found.id and f.user_id = caller)
    when 'category' then (select c.id from public.categories c where c.id = found.id and c.user_id = caller)
    else (select l.id from public.links l where l.id = found.id and l.user_id = caller)
  end is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_deleted_beneath(parent_batches bigint[], parent_ids uuid[], item_type text, OUT batches bigint[], OUT ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  candidates bigint[] := array(select distinct unnest(parent_batches));
begin
  select array_agg(r.deletion_id), array_agg(r.id) into batches, ids
  from private.deleted_rows r
  join unnest(parent_batches, parent_ids) as parent(batch, id) on parent.batch = r.deletion_id and parent.id = r.parent_id
  where r.deletion_id = any (candidates) and r.kind = item_type;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_feed(feed_key text)
 RETURNS TABLE(user_id uuid, owner_name text, category_id uuid, search_id uuid, name text, description text, question text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.user_id, p.name, f.category_id, f.search_id, coalesce(c.name, s.name), c.description, s.question, f.created_at
  from private.feeds f
  join public.profiles p on p.id = f.user_id
  left join public.categories c on c.id = f.category_id
  left join public.saved_searches s on s.id = f.search_id
  where f.key = feed_key
    and not exists (select from private.account_closures a where a.user_id = f.user_id and a.reopened_at is null)
    and not exists (select from auth.users u where u.id = f.user_id and (u.deleted_at is not null or u.banned_until > now()))
$function$;
grant execute on function private.find_feed(text) to service_role;

CREATE OR REPLACE FUNCTION private.find_import_homes(caller uuid, content jsonb, OUT places integer[], OUT category_ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  select coalesce(array_agg(h.n), '{}'), coalesce(array_agg(h.id), '{}') into places, category_ids
  from (
    select distinct on (p.n) p.n, c.id
    from jsonb_to_recordset(content -> 'places') as p(n integer, folder text, category text)
    join public.folders f on f.user_id = caller and f.name = p.folder
    join public.categories c on c.folder_id = f.id and c.user_id = caller and c.name = p.category
    order by p.n, c.created_at, c.id
  ) as h;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_known_links(caller uuid, content jsonb, places integer[], category_ids uuid[])
 RETURNS integer[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select given.n
    from jsonb_to_recordset(content -> 'links') as given(n integer, place integer, url text)
    join unnest(places, category_ids) as home(place, category_id) on home.place = given.place
    cross join lateral (
      select from public.links k
      where k.user_id = caller
        and hashtextextended(rtrim(lower(k.url collate "C"), '/'), 0)
          = hashtextextended(rtrim(lower(btrim(given.url, E' \t\n\r') collate "C"), '/'), 0)
        and k.category_id is not distinct from home.category_id
        and private.comparable_url(k.url) = private.comparable_url(given.url)
      limit 1
    ) as known
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.find_links(caller uuid, needles text[], unwanted text[], known uuid[], most bigint, skipped bigint, until timestamp with time zone DEFAULT 'infinity'::timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashagg TO 'off'
AS $function$
declare
  -- Pieces share 100 characters: a longer needle is looked for by its beginning and then compared whole.
  heads text[] := array(select left(n.needle, 100) from unnest(needles) with ordinality as n(needle, place) order by n.place);
  head text := heads[1];
  patterns text[] := private.contains_patterns(heads);
  is_many boolean := cardinality(heads) > 1;
  is_compared_whole boolean := cardinality(unwanted) > 0
    or exists (select from unnest(needles) as n where char_length(n) > 100);
  is_any_new boolean := cardinality(known) = 0;
  bits integer[];
  -- Looking at one bit costs a tenth of comparing all: four rare ones dismiss nearly every zone. All null: nothing to look at.
  first_bit integer;
  second_bit integer;
  third_bit integer;
  fourth_bit integer;
  mask bit(8192);
  covered timestamptz := coalesce(
    (select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity');
begin
  if covered > '-infinity' then
    bits := private.order_by_rarity(
      caller, array(select unnest(private.search_gram_bits(h, true)) from unnest(heads) as h));
    first_bit := bits[1];
    second_bit := coalesce(bits[2], first_bit);
    third_bit := coalesce(bits[3], first_bit);
    fourth_bit := coalesce(bits[4], first_bit);
    mask := private.search_mask(bits);
  end if;
  -- Newest first by construction, so that the limit stops the scan: what no zone covers yet, then zone after zone.
  return query
    select hit.id
    from (
      (
        select distinct s.created_at, s.id
        from private.link_search s
        where s.user_id = caller and s.created_at > covered and s.created_at <= until
          and case
            when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns))
            then not is_compared_whole or private.link_holds(s.id, needles, unwanted)
            -- The words of a long text may lie in different pieces of it; one of these is no last piece, and so of full length.
            when is_many and octet_length(s.piece) >= 600
            then s.piece like any (patterns) and char_length(s.piece) = 600 and private.link_holds(s.id, needles, unwanted)
            else false
          end
          and (is_any_new or s.id not in (select unnest(known)))
        order by s.created_at desc, s.id desc
      )
      union all
      (
        select inside.created_at, inside.id
        from (
          select z.oldest, z.newest
          from private.link_search_zones z
          where z.user_id = caller and z.oldest <= until and (
            first_bit is null or (
              get_bit(z.grams, first_bit) = 1 and get_bit(z.grams, second_bit) = 1
              and get_bit(z.grams, third_bit) = 1 and get_bit(z.grams, fourth_bit) = 1
              and z.grams & mask = mask
            )
          )
          order by z.newest desc
        ) as zone
        cross join lateral (
          select distinct s.created_at, s.id
          from private.link_search s
          where s.user_id = caller and s.created_at >= zone.oldest and s.created_at <= least(zone.newest, until)
            and case
              when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns))
              then not is_compared_whole or private.link_holds(s.id, needles, unwanted)
              when is_many and octet_length(s.piece) >= 600
              then s.piece like any (patterns) and char_length(s.piece) = 600 and private.link_holds(s.id, needles, unwanted)
              else false
            end
            and (is_any_new or s.id not in (select unnest(known)))
          order by s.created_at desc, s.id desc
        ) as inside
      )
      limit most offset skipped
    ) as hit;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_links_by_place(caller uuid, wanted text[], unwanted text[], most bigint)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
declare
  -- Pieces share 100 characters: what is as long lies whole in one of them, a longer word is compared with the whole text.
  is_compared_whole boolean := exists (select from unnest(wanted || unwanted) as w where char_length(w) > 100);
  patterns text[] := private.contains_patterns(wanted);
  unwanted_patterns text[] := private.contains_patterns(unwanted);
  place_ids uuid[];
  place_rows integer[];
  -- What a text must hold in addition to the names of its place: one row for each way to name some of the words, in the order of the
  -- words, with '%' for those that are named.
  missing text[];
  -- The longest of each row as it is written, '' where the names hold every word.
  longest text[];
  since timestamptz := '-infinity';
  near_links uuid[];
  near_moments timestamptz[];
  near_rows integer[];
  oldest timestamptz;
  enough bigint;
  is_dense boolean;
begin
  with place as materialized (
    select c.id, array(
      select case when strpos(names.both, w.word) = 0 then w.pattern else '%' end
      from unnest(wanted, patterns) with ordinality as w(word, pattern, place) order by w.place
    ) as parts
    from public.categories c
    join public.folders f on f.id = c.folder_id
    cross join lateral (select private.normalize_search_text(c.name || E'\n' || f.name) as "both") as names
    where c.user_id = caller
  ), ways as materialized (
    select p.parts, row_number() over () as place
    from (select distinct o.parts from place o where '%' = any (o.parts)) as p
  )
  select array_agg(p.id), array_agg(w.place), (select array_agg(o.parts order by o.place) from ways o), (
    select array_agg(coalesce((
      select left(u.word, 100) from unnest(wanted, patterns) with ordinality as u(word, pattern, place)
      where u.pattern = any (o.parts) order by u.place limit 1
    ), '') order by o.place) from ways o
  )
  into place_ids, place_rows, missing, longest
  from place p join ways w on w.parts = p.parts;
  if place_ids is null then
    return;
  end if;

  if (select sum(n.link_count) from public.category_counts n where n.category_id = any (place_ids)) > 3000 then
    -- As many from each as make 3,000 together: none that is older than all of these belongs to the newest 3,000.
    select case when count(*) >= 3000 then min(l.created_at) else since end into since
    from unnest(place_ids) as p(id)
    cross join lateral (
      select o.created_at from public.links o where o.category_id = p.id
      order by o.created_at desc, o.id desc limit 2999 / cardinality(place_ids) + 1
    ) as l;
  end if;
  select array_agg(l.id), array_agg(l.created_at), array_agg(p.place), min(l.created_at)
  into near_links, near_moments, near_rows, oldest
  from unnest(place_ids, place_rows) as p(id, place)
  cross join lateral (
    select o.id, o.created_at from public.links o where o.category_id = p.id and o.created_at >= since
    order by o.created_at desc, o.id desc limit 3000
  ) as l;
  if cardinality(near_links) > 3000 then
    select array_agg(n.id), array_agg(n.moment), array_agg(n.way), min(n.moment)
    into near_links, near_moments, near_rows, oldest
    from (
      select o.id, o.moment, o.way from unnest(near_links, near_moments, near_rows) as o(id, moment, way)
      order by o.moment desc, o.id desc limit 3000
    ) as n;
  end if;
  enough := 3 * cardinality(near_links);
  is_dense := enough >= (select n.link_count from public.library_counts n where n.user_id = caller) or enough >= (
    select count(*) from (
      select from public.links l where l.user_id = caller and l.created_at >= oldest limit enough + 1
    ) as recent
  );

  -- A missing word is looked for in each text, the others only where it is.
  if is_dense then
    return query
      select n.id
      from (
        select distinct s.created_at, s.id, o.way
        from private.link_search s
        join unnest(near_links, near_rows) as o(id, way) on o.id = s.id
        where s.user_id = caller and s.created_at >= oldest
          and case
            when longest[o.way] = '' then s.piece like any (patterns)
            else strpos(s.piece, longest[o.way]) > 0
          end
      ) as n
      cross join lateral (
        select string_agg(s.piece, E'\n') as whole
        from private.link_search s
        where s.user_id = caller and s.created_at = n.created_at and s.id = n.id
      ) as text
      where text.whole like all (missing[n.way:n.way]) and text.whole like any (patterns)
        and case
          when is_compared_whole then
            private.link_holds(n.id, array(
              select w.word from unnest(wanted, patterns) as w(word, pattern) where w.pattern = any (missing[n.way:n.way])
            ), unwanted)
            and not private.link_holds(n.id, wanted, '{}')
            and exists (select from unnest(wanted) as w where private.link_holds(n.id, array[w], '{}'))
          else not text.whole like any (unwanted_patterns) and not text.whole like all (patterns)
        end
      order by n.created_at desc, n.id desc
      limit most;
  else
    return query
      select n.id
      from (
        select * from unnest(near_links, near_moments, near_rows) as o(id, moment, way) order by o.moment desc, o.id desc
      ) as n
      cross join lateral (
        select string_agg(s.piece, E'\n') as whole
        from private.link_search s
        where s.user_id = caller and s.created_at = n.moment and s.id = n.id
      ) as text
      where strpos(text.whole, longest[n.way]) > 0 and text.whole like all (missing[n.way:n.way]) and text.whole like any (patterns)
        and case
          when is_compared_whole then
            private.link_holds(n.id, array(
              select w.word from unnest(wanted, patterns) as w(word, pattern) where w.pattern = any (missing[n.way:n.way])
            ), unwanted)
            and not private.link_holds(n.id, wanted, '{}')
            and exists (select from unnest(wanted) as w where private.link_holds(n.id, array[w], '{}'))
          else not text.whole like any (unwanted_patterns) and not text.whole like all (patterns)
        end
      -- Newest first by construction: a limit that is reached ends the reading.
      limit most;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_links_by_words(caller uuid, whole text, wanted text[], unwanted text[], most bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashagg TO 'off'
AS $function$
declare
  head text := wanted[1];
  patterns text[] := private.contains_patterns(wanted);
  unwanted_patterns text[] := private.contains_patterns(unwanted);
  is_many boolean := cardinality(wanted) > 1;
  takes_all boolean := cardinality(unwanted) = 0;
  bits integer[];
  first_bit integer;
  second_bit integer;
  third_bit integer;
  fourth_bit integer;
  mask bit(8192);
  covered timestamptz := coalesce(
    (select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity');
  hit record;
  whole_ones uuid[] := '{}';
  others uuid[] := '{}';
begin
  if covered > '-infinity' then
    bits := private.order_by_rarity(
      caller, array(select unnest(private.search_gram_bits(w, true)) from unnest(wanted) as w));
    first_bit := bits[1];
    second_bit := coalesce(bits[2], first_bit);
    third_bit := coalesce(bits[3], first_bit);
    fourth_bit := coalesce(bits[4], first_bit);
    mask := private.search_mask(bits);
  end if;
  for hit in
    (
      select s.created_at, s.id, bool_or(strpos(s.piece, whole) > 0) as is_whole
      from private.link_search s
      where s.user_id = caller and s.created_at > covered
        and case
          when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns)) then
            takes_all or strpos(s.piece, whole) > 0 or (
              not s.piece like any (unwanted_patterns)
              and private.pieces_hold(caller, s.created_at, s.id, '{}', unwanted)
            )
          when is_many and octet_length(s.piece) >= 600 then
            s.piece like any (patterns) and char_length(s.piece) = 600
            and private.pieces_hold(caller, s.created_at, s.id, wanted, unwanted)
          else false
        end
      group by s.created_at, s.id
      order by s.created_at desc, s.id desc
    )
    union all
    (
      select inside.created_at, inside.id, inside.is_whole
      from (
        select z.oldest, z.newest
        from private.link_search_zones z
        where z.user_id = caller and (
          first_bit is null or (
            get_bit(z.grams, first_bit) = 1 and get_bit(z.grams, second_bit) = 1
            and get_bit(z.grams, third_bit) = 1 and get_bit(z.grams, fourth_bit) = 1
            and z.grams & mask = mask
          )
        )
        order by z.newest desc
      ) as zone
      cross join lateral (
        select s.created_at, s.id, bool_or(strpos(s.piece, whole) > 0) as is_whole
        from private.link_search s
        where s.user_id = caller and s.created_at >= zone.oldest and s.created_at <= zone.newest
          and case
            when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns)) then
              takes_all or strpos(s.piece, whole) > 0 or (
                not s.piece like any (unwanted_patterns)
                and private.pieces_hold(caller, s.created_at, s.id, '{}', unwanted)
              )
            when is_many and octet_length(s.piece) >= 600 then
              s.piece like any (patterns) and char_length(s.piece) = 600
              and private.pieces_hold(caller, s.created_at, s.id, wanted, unwanted)
            else false
          end
        group by s.created_at, s.id
        order by s.created_at desc, s.id desc
      ) as inside
    )
  loop
    if hit.is_whole then
      whole_ones := whole_ones || hit.id;
    else
      others := others || hit.id;
    end if;
    exit when cardinality(whole_ones) = most;
    -- Enough of these: further back only the whole term counts, which fewer zones and rows come into question for.
    if cardinality(others) = most then
      whole_ones := whole_ones || array(select private.find_links(
        caller, array[whole], '{}', whole_ones, most - cardinality(whole_ones), 0, hit.created_at));
      exit;
    end if;
  end loop;
  return (whole_ones || others)[:most];
end
$function$;

CREATE OR REPLACE FUNCTION private.find_links_left(caller uuid, whole text, site text, folder text, category text, kind text, saved_before timestamp with time zone, saved_since timestamp with time zone, favorite boolean, tags text[], untagged boolean, broken boolean, reach bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  host text := lower(left(site, 500));
  is_long boolean := char_length(whole) > 100;
  words record;
  patterns text[];
  unwanted_patterns text[];
  place_ids uuid[];
  -- The tags that hold one of the words: only their names can change what is found.
  word_tags uuid[];
  -- What the first name asks for, one tag or several, and the others: a link has one of each.
  tag_names text[];
  first_tag uuid;
  first_tags uuid[];
  other_tags uuid[];
  other_names integer[];
begin
  words := private.search_words(whole);
  -- Whole words, not their beginnings: what they are compared with is the whole text.
  patterns := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(words.wanted) as w);
  unwanted_patterns := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(words.unwanted) as w);
  if folder is not null or category is not null then
    with place as materialized (
      select c.id, private.normalize_search_text(c.name) as name, private.normalize_search_text(f.name) as folder_name
      from public.categories c join public.folders f on f.id = c.folder_id
      where c.user_id = caller
    )
    select coalesce(array_agg(p.id), '{}') into place_ids
    from place p
    where (folder is null or p.folder_name = any (private.names_match(
        array(select o.folder_name from place o), btrim(private.normalize_search_text(left(folder, 500))))))
      and (category is null or p.name = any (private.names_match(
        array(select o.name from place o), btrim(private.normalize_search_text(left(category, 500))))));
  end if;

  word_tags := private.tags_holding(caller, words.wanted || words.unwanted || whole);
  if cardinality(tags) > 0 then
    tag_names := array(select t.folded from public.tags t where t.user_id = caller);
    select array_agg(n.id) filter (where n.place = 1), array_agg(n.id) filter (where n.place > 1),
      array_agg(n.place) filter (where n.place > 1)
    into first_tags, other_tags, other_names
    from (
      select t.id, w.place::integer
      from unnest(tags[1:20]) with ordinality as w(name, place)
      cross join lateral (
        select private.names_match(tag_names, btrim(private.normalize_search_text(left(w.name, 500)))) as names offset 0
      ) as m
      join public.tags t on t.user_id = caller and t.folded = any (m.names)
    ) as n;
    if (select count(distinct o) from unnest(other_names) as o) < cardinality(tags[2:20]) or first_tags is null then
      return '{}';
    end if;
    first_tag := case when cardinality(first_tags) = 1 then first_tags[1] end;
  end if;
  -- A tag and nothing else, as a press on it asks: reading ends with the page.
  if first_tag is not null and other_tags is null and whole = '' and place_ids is null and host is null and kind is null
    and saved_before is null and saved_since is null and untagged is not true and favorite is not true and broken is not true then
    return array(
      select k.link_id from public.link_tags k where k.tag_id = first_tag order by k.saved_at desc, k.link_id desc limit reach
    );
  end if;

  return array(
    with candidates as (
      select l.id, l.created_at, l.url, l.category_id from public.links l where first_tags is null and l.user_id = caller
      union all
      -- The newest links of a tag in their order: reading ends where there is enough.
      select l.id, k.saved_at, l.url, l.category_id from public.link_tags k join public.links l on l.id = k.link_id
      where first_tag is not null and k.tag_id = first_tag
      union all
      select l.id, l.created_at, l.url, l.category_id from public.links l
      where first_tags is not null and first_tag is null
        and l.id in (select k.link_id from public.link_tags k where k.tag_id = any (first_tags))
    ), remaining as materialized (
      select l.id, l.created_at
      from candidates l
      -- Once a link, however often it is looked at.
      cross join lateral (select lower(l.url) as address offset 0) as lower
      where (place_ids is null or l.category_id = any (place_ids))
        and (saved_before is null or l.created_at < saved_before)
        and (saved_since is null or l.created_at >= saved_since)
        and (host is null or (strpos(lower.address, host) > 0 and strpos(
          '.' || coalesce(substring(lower.address from '^https?://(?:[^/?#]*@)?([^/?#:]+)'), '') || '.', '.' || host || '.') > 0))
        and (kind is null or private.is_link_kind(lower.address, kind))
        and (other_tags is null or (
          select count(distinct o.name)
          from public.link_tags k join unnest(other_tags, other_names) as o(tag_id, name) on o.tag_id = k.tag_id
          where k.link_id = l.id
        ) = cardinality(tags[2:20]))
        and (untagged is not true or not exists (select from public.link_tags k where k.link_id = l.id))
        and (favorite is not true or l.id in (select f.link_id from public.favorites f where f.user_id = caller))
        and (broken is not true or l.id in (select f.link_id from private.failing_links f where f.user_id = caller and f.broken))
      order by l.created_at desc, l.id desc
      limit case when whole = '' then reach else 20000 end
    ), ranked as (
      select r.id, r.created_at, case
        when whole = '' or strpos(text.body, whole) > 0 then 3
        when cardinality(words.wanted) = 0 or text.body like any (unwanted_patterns) then 0
        when text.body like all (patterns) then 2
        when text.body like any (patterns) and not exists (
          select from unnest(words.wanted) as w
          where strpos(text.body, w) = 0 and strpos((
            select private.normalize_search_text(c.name || E'\n' || f.name)
            from public.links l join public.categories c on c.id = l.category_id join public.folders f on f.id = c.folder_id
            where l.id = r.id
          ), w) = 0
        ) then 1
        else 0
      end as rank
      from remaining r
      cross join lateral (
        select case
          when whole = '' then ''
          -- A longer word may lie in none of the pieces.
          when is_long then (
            select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = r.id
          )
          else (
            select string_agg(s.piece, E'\n') from private.link_search s
            where s.user_id = caller and s.created_at = r.created_at and s.id = r.id
          )
        -- A line for each tag: no term matches across two.
        end || case when cardinality(word_tags) > 0 then coalesce((
          select E'\n' || string_agg(t.folded, E'\n') from public.link_tags k join public.tags t on t.id = k.tag_id
          where k.link_id = r.id and k.tag_id = any (word_tags)
        ), '') else '' end as body
        offset 0
      ) as text
    )
    select r.id from ranked r where r.rank > 0
    order by r.rank desc, r.created_at desc, r.id desc limit reach
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.find_links_of_term(caller uuid, whole text, reach bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  words record;
  found uuid[];
  word_tags uuid[];
begin
  words := private.search_words(whole);
  if cardinality(words.unwanted) > 0 and cardinality(private.tags_holding(caller, words.unwanted)) > 0 then
    return private.find_links_left(caller, whole, null, null, null, null, null, null, false, null, false, false, reach);
  end if;
  word_tags := private.tags_holding(caller, words.wanted || whole);
  if cardinality(words.wanted) = 0 or words.wanted = array[whole] then
    found := array(select private.find_links(caller, array[whole], '{}', '{}', reach, 0));
  else
    if char_length(whole) <= 100 then
      found := private.find_links_by_words(caller, whole, words.wanted, words.unwanted, reach);
    else
      found := array(select private.find_links(caller, array[whole], '{}', '{}', reach, 0));
      if cardinality(found) < reach then
        found := found || array(select private.find_links(
          caller, words.wanted, words.unwanted, found, reach - cardinality(found), 0));
      end if;
    end if;
    if cardinality(found) < reach and cardinality(words.wanted) > 1 then
      found := found || array(select private.find_links_by_place(
        caller, words.wanted, words.unwanted, reach - cardinality(found)));
    end if;
  end if;
  if cardinality(word_tags) > 0 then
    -- What the text alone finds and what tags find are each in order: the first ones of both hold the first ones of all.
    found := private.join_found_by_tag(caller, whole, words.wanted, words.unwanted, word_tags, found, reach);
  end if;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.find_program_act(change_id bigint, caller uuid)
 RETURNS private.program_acts
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a
  from private.category_changes h
  join public.categories c on c.id = h.category_id
  join private.program_acts a on a.id = h.act_id
  where h.id = $1 and h.changed_at > now() - interval '30 days' and private.sees_change(c, h.person_id, h.changed_at, caller)
$function$;

CREATE OR REPLACE FUNCTION private.finish_round(round text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.finished_rounds as r (round, finished_at) values ($1, now())
  on conflict on constraint finished_rounds_pkey do update set finished_at = greatest(r.finished_at, excluded.finished_at)
$function$;
grant execute on function private.finish_round(text) to service_role;

CREATE OR REPLACE FUNCTION private.finish_subscription_reconciliation(checked integer, repaired integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.subscription_reconciliation r set finished_at = now(), checked = $1, repaired = $2 where r.only_row
$function$;
grant execute on function private.finish_subscription_reconciliation(integer,integer) to service_role;

CREATE OR REPLACE FUNCTION private.fold_tag()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.folded := private.normalize_search_text(new.name);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.folder_bytes(f public.folders)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN ((49 + octet_length((f).name)) + COALESCE(octet_length(array_to_string((f).shared_with, ''::text)), 0));

CREATE OR REPLACE FUNCTION private.follow_confirmed_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.folder_members m set member_id = null
  where m.member_id = new.id and (new.email_confirmed_at is null or m.email is distinct from lower(new.email));
  if new.email_confirmed_at is not null then
    update public.folder_members m set member_id = private.account_of(m.email, m.owner_id)
    where m.email = lower(new.email) and m.member_id is null and m.owner_id <> new.id;
    delete from private.left_shares l where l.user_id = new.id and exists (
      select from public.shared_with s where s.category_id = l.category_id and s.email = lower(new.email)
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_listed_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.user_directory set email = coalesce(lower(new.email::text), '') where user_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_listed_plan()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.user_directory set plan = new.plan where user_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_new_ids(batches bigint[], kinds text[], new_ids jsonb, field text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.deleted_rows r
  set id = (new_ids ->> r.id::text)::uuid,
    content = case when r.content ? field then r.content || jsonb_build_object(field, new_ids -> r.id::text) else r.content end
  where new_ids <> '{}' and r.deletion_id = any (array(select distinct unnest(batches))) and r.kind = any (kinds) and new_ids ? r.id::text
$function$;

CREATE OR REPLACE FUNCTION private.follow_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  subscriber uuid := coalesce(new.user_id, old.user_id);
  effective text := 'free';
begin
  if tg_op <> 'DELETE' and new.subscription_status = 'active' then
    effective := new.plan;
  end if;
  update public.profiles set plan = effective where id = subscriber and plan <> effective;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  given_name text := private.name_from_metadata(new.raw_user_meta_data);
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, name) values (new.id, given_name) on conflict (id) do nothing;
  elsif given_name is distinct from private.name_from_metadata(old.raw_user_meta_data) then
    update public.profiles set name = given_name where id = new.id;
  end if;
  return null;
exception when others then
  -- An account must never be lost to its display name: the row is what matters.
  raise warning 'profile of user % took no name: %', new.id, sqlerrm;
  insert into public.profiles (id) values (new.id) on conflict (id) do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_failing_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.failing_links f where f.link_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_failing_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.failing_links f using removed r where f.link_id = r.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_person(user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  address text := (select lower(u.email) from auth.users u where u.id = $1);
begin
  delete from public.shared_with s where s.email = address;
  delete from private.shares_at_rest r where r.email = address;
  update public.folders f set shared_with = array_remove(f.shared_with, address) where address = any (f.shared_with);
  delete from private.group_members m where m.email = address;
  delete from private.folder_offers o where o.email = address;
  delete from public.folder_members m where m.email = address or m.member_id = $1;
  delete from private.deleted_rows r where r.kind in ('share', 'member') and r.content ->> 'email' = address;
  update private.deleted_rows r set content = r.content || jsonb_build_object('shared_with', (r.content -> 'shared_with') - address)
  where r.kind = 'folder' and r.content -> 'shared_with' <> '[]' and r.content -> 'shared_with' ? address;
  update public.links l set added_by = null, added_by_name = null where l.added_by = $1;
  update private.deleted_rows r set content = r.content - 'added_by' - 'added_by_name'
  where r.kind = 'link' and r.content ->> 'added_by' is not null and r.content ->> 'added_by' = $1::text;
  update private.deletions d set deleted_by = null where d.deleted_by = $1;
  delete from private.share_notifications n where n.email = address;
  delete from private.share_mail_addresses a where a.email = address and a.unsubscribed_at is null;
  delete from private.account_mails m where m.user_id = $1;
  delete from private.stripe_events e
  using public.subscribers s where s.user_id = $1 and e.customer = s.stripe_customer_id;
  delete from auth.sessions s where s.user_id = $1;
  delete from auth.identities i where i.user_id = $1;
  delete from auth.one_time_tokens t where t.user_id = $1;
  delete from auth.mfa_factors f where f.user_id = $1;
  delete from auth.flow_state f where f.user_id = $1;
  delete from auth.audit_log_entries a where a.payload ->> 'actor_id' = $1::text;
  update auth.users u
  set email = null, encrypted_password = '', phone = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
    email_change = '', deleted_at = now()
  where u.id = $1;
  update public.profiles p set name = null where p.id = $1;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_public_pages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tidy_public_pages(old.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.deleted_rows r using removed d where r.deletion_id = d.id;
  delete from private.deleted_zones z using removed d where z.deletion_id = d.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.free_folder_name(person uuid, name text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select n.name
  from (
    select 1 as place, $2 as name
    union all select g, rtrim(left($2, 50 - char_length(' (' || g || ')'))) || ' (' || g || ')' from generate_series(2, 10001) as g
  ) as n
  where not exists (select from public.folders f where f.user_id = person and f.name = n.name)
  order by n.place limit 1
$function$;

CREATE OR REPLACE FUNCTION private.gate_folder_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
begin
  if tg_op = 'UPDATE' then
    -- What takes away is allowed on every plan.
    if array_position(array['viewer', 'editor', 'manager'], new.role) > array_position(array['viewer', 'editor', 'manager'], old.role)
      and (caller is null or caller = new.owner_id or new.folder_id = any (private.managed_folder_ids()))
    then
      perform private.require_sharing_plan(new.owner_id);
    end if;
    new.updated_at := clock_timestamp();
    return new;
  end if;
  new.email := lower(btrim(new.email));
  select f.user_id into new.owner_id from public.folders f where f.id = new.folder_id;
  if not found then
    -- No owner: the policy refuses it as it refuses anybody else's.
    new.owner_id := '00000000-0000-0000-0000-000000000000';
    return new;
  end if;
  if caller is not null and caller <> new.owner_id and new.folder_id <> all (private.managed_folder_ids()) then
    return new;
  end if;
  perform private.require_sharing_plan(new.owner_id);
  if caller = new.owner_id and new.email = lower(auth.email())
    -- A folder that is given back has the members that it had.
    and not exists (select from private.restorations r where r.user_id = new.owner_id)
  then
    raise exception using errcode = 'PT400', message = 'A pasta já é sua';
  end if;
  new.member_id := private.account_of(new.email, new.owner_id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.gate_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id uuid;
  published boolean;
begin
  -- A simultaneous publishing waits, so that it sees this address and drops it.
  select user_id, is_public into owner_id, published from public.categories
  where id = new.category_id and (auth.uid() is null or user_id = auth.uid()) for no key update;
  if not found then
    return new; -- the policy or the foreign key refuses
  end if;
  perform private.require_sharing_plan(owner_id);
  if published then
    raise exception using
      errcode = 'check_violation',
      message = 'a public category takes no invitations',
      constraint = 'shared_with_category_not_public',
      table = 'shared_with',
      schema = 'public';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.gate_publishing()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or auth.uid() = new.user_id then
    perform private.require_sharing_plan(new.user_id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.gate_showing()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Without people in the folder nobody is shown anything.
  if exists (select from public.folder_members m where m.folder_id = new.folder_id) then
    perform private.require_sharing_plan(new.user_id);
  end if;
  return new;
end
$function$;
comment on function private.gate_showing() is 'Refuses to show a reserved category where the owner''s plan does not share.';

CREATE OR REPLACE FUNCTION private.give_back(caller uuid, item_type text, item_ids uuid[], deletion bigint, given_place uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  broken text;
  restored jsonb;
begin
  insert into private.restorations (user_id, link_count, category_count)
  select caller, coalesce(max(d.link_count), 0), coalesce(max(d.category_count), 0)
  from private.deletions d
  where d.user_id = caller and d.purge_after > now()
  having caller is not null;
  restored := case
    when deletion is null then private.restore_deleted(caller, item_type, item_ids)
    else private.restore_deletion(caller, deletion, given_place)
  end;
  delete from private.restorations where user_id = caller;
  perform private.purge_deletions(1000);
  return restored;
exception
  when foreign_key_violation then
    raise exception using
      errcode = 'PT409', message = 'A categoria ou pasta de origem não existe mais', hint = 'place_gone';
  when unique_violation then
    get stacked diagnostics broken = constraint_name;
    if broken = 'folders_name_unique_per_user' then
      raise; -- the screens know it: a folder of this name exists
    end if;
    raise exception using errcode = 'PT409', message = 'Este item já existe';
end
$function$;

CREATE OR REPLACE FUNCTION private.hand_over(folder_id uuid, giver uuid, taker uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  given public.folders;
  look public.folder_looks;
  categories public.categories[];
  links public.links[];
  members public.folder_members[];
  shares public.shared_with[];
  orders public.manual_order[];
  stars public.favorites[];
  history private.category_changes[];
  category_ids uuid[];
  link_ids uuid[];
  tagged jsonb;
begin
  select f.* into given from public.folders f where f.id = $1;
  select l.* into look from public.folder_looks l where l.folder_id = $1;
  categories := array(select c from public.categories c where c.folder_id = $1 order by c.created_at, c.id);
  category_ids := array(select c.id from unnest(categories) as c);
  links := array(select l from public.links l where l.category_id = any (category_ids) order by l.created_at, l.id);
  link_ids := array(select l.id from unnest(links) as l);
  members := array(select m from public.folder_members m where m.folder_id = $1 order by m.created_at, m.id);
  shares := array(select s from public.shared_with s where s.category_id = any (category_ids) order by s.created_at, s.id);
  orders := array(select o from public.manual_order o where o.category_id = any (category_ids) or o.link_id = any (link_ids));
  stars := array(select s from public.favorites s where s.category_id = any (category_ids) or s.link_id = any (link_ids));
  history := array(select h from private.category_changes h where h.category_id = any (category_ids) order by h.id);
  select jsonb_agg(jsonb_build_object('link_id', k.link_id, 'name', t.name, 'folded', t.folded, 'color', t.color, 'saved_at', k.saved_at))
  into tagged
  from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = any (link_ids);

  update private.public_pages p set user_id = taker
  where p.category_id = any (category_ids) or p.user_id = giver and p.category_id in (
    select r.id from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
    where d.user_id = giver and r.kind = 'category' and r.parent_id = $1
  );
  insert into public.tags (user_id, name, color)
  select distinct on (t.folded) taker, t.name, t.color
  from jsonb_to_recordset(tagged) as t(name text, folded text, color text)
  where not exists (select from public.tags o where o.user_id = taker and o.folded = t.folded);
  perform private.hand_over_bin($1, category_ids, giver, taker);
  -- What the old owner saves without a choice goes elsewhere from now on.
  delete from public.inboxes i where i.user_id = giver and i.category_id = any (category_ids);
  delete from public.folders f where f.id = $1;

  insert into public.folders (id, name, user_id, is_public, shared_with, created_at)
  values (given.id, private.free_folder_name(taker, given.name), taker, given.is_public, given.shared_with, given.created_at);
  if look.folder_id is not null then
    insert into public.folder_looks (folder_id, user_id, color, emoji) values ($1, taker, look.color, look.emoji);
  end if;
  insert into public.categories (id, name, folder_id, user_id, description, is_public, created_at, updated_at, is_held_back)
  select c.id, c.name, c.folder_id, taker, c.description, c.is_public, c.created_at, c.updated_at, c.is_held_back from unnest(categories) as c;
  -- What the old owner added is said to be theirs, and what the new one did no longer.
  insert into public.links (id, url, title, description, category_id, user_id, created_at, updated_at, added_by, added_by_name)
  select l.id, l.url, l.title, l.description, l.category_id, taker, l.created_at, l.updated_at,
    nullif(coalesce(l.added_by, giver), taker),
    case when l.added_by = taker then null when l.added_by is null and l.added_by_name is null then p.name else l.added_by_name end
  from unnest(links) as l left join public.profiles p on p.id = giver;
  -- Of people who were there by a group of the old owner's, what they could do stays, and the group does not.
  insert into public.folder_members (id, folder_id, email, role, invited_by, created_at)
  select distinct on (m.email) m.id, m.folder_id, m.email,
    case when bool_or(m.role = 'manager') over same then 'manager' when bool_or(m.role = 'editor') over same then 'editor' else 'viewer' end,
    m.invited_by, m.created_at
  from unnest(members) as m where m.member_id is distinct from taker
  window same as (partition by m.email) order by m.email, m.created_at, m.id;
  insert into public.folder_members (folder_id, email, role, invited_by)
  select $1, lower(u.email), 'manager', taker
  from auth.users u where u.id = giver and u.email is not null
  on conflict on constraint folder_members_folder_id_email_key do update set role = excluded.role;
  insert into public.shared_with (category_id, email, created_at, id)
  select s.category_id, s.email, s.created_at, s.id from unnest(shares) as s
  where s.email <> (select coalesce(lower(u.email), '') from auth.users u where u.id = taker);
  insert into public.manual_order (id, user_id, category_id, link_id, rank)
  select o.id, taker, o.category_id, o.link_id, case
    -- Just above the rank that the new owner has given already, where such a one is short enough to be a rank.
    when char_length(o.rank) <= 200 and exists (select from public.manual_order k where k.user_id = taker and k.rank = o.rank)
      then o.rank || repeat('0', 16) || replace(o.link_id::text, '-', '') || '8'
    else o.rank
  end
  from unnest(orders) as o
  on conflict do nothing;
  insert into public.favorites select s.* from unnest(stars) as s;

  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select t.link_id, o.id, taker, t.saved_at
  from jsonb_to_recordset(tagged) as t(link_id uuid, folded text, saved_at timestamptz)
  join public.tags o on o.user_id = taker and o.folded = t.folded;
  update public.tags t set tagged_at = clock_timestamp()
  where t.id in (select k.tag_id from public.link_tags k where k.link_id = any (link_ids));

  -- Who waits for an answer waits for the new owner's, unless that one has refused them already.
  update private.access_requests r set owner_id = case
    when r.asker_id <> taker and not exists (
      select from private.access_requests o where o.owner_id = taker and o.asker_id = r.asker_id and o.refused_at is not null
    ) then taker
  end
  where r.owner_id = giver and r.refused_at is null and r.category_id = any (category_ids);
  if found then
    perform private.tell_owner_of_requests(giver);
    perform private.tell_owner_of_requests(taker);
  end if;

  -- The history goes on: that everything came just now is no news.
  delete from private.category_changes h where h.category_id = any (category_ids);
  insert into private.category_changes (category_id, act, count, subject, program, changed_at, person_id)
  select h.category_id, h.act, h.count, h.subject, h.program, h.changed_at, nullif(coalesce(h.person_id, giver), taker)
  from unnest(history) as h order by h.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.hand_over_bin(folder_id uuid, category_ids uuid[], giver uuid, taker uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  given record;
  opened bigint;
  total bigint;
  made uuid[];
begin
  for given in
    select d.*, i.ids
    from private.deletions d
    cross join lateral (
      select array_agg(l.id) as ids
      from private.deleted_rows l
      where l.deletion_id = d.id and (
        l.kind = 'category' and l.parent_id = $1
        or l.kind = 'link' and (l.parent_id = any ($2) or exists (
          select from private.deleted_rows k join private.deletions o on o.id = k.deletion_id
          where o.user_id = giver and k.kind = 'category' and k.id = l.parent_id and k.parent_id = $1
        ))
      )
    ) as i
    where d.user_id = giver and i.ids is not null
    order by d.id
  loop
    insert into private.deletions (
      user_id, transaction_id, deleted_at, link_count, category_count, zones_until, purge_after, folder_name, category_name, deleted_by,
      rows_until
    )
    select taker, given.transaction_id, given.deleted_at, 0, 0, '-infinity', given.purge_after, given.folder_name,
      given.category_name, nullif(coalesce(given.deleted_by, giver), taker),
      coalesce((select max(o.rows_until) from private.deletions o where o.user_id = taker), 0)
    on conflict on constraint deletions_one_per_transaction do update set purge_after = excluded.purge_after, zones_until = excluded.zones_until
    returning id into opened;
    delete from private.deleted_rows r using auth.users u
    where u.id = taker and r.deletion_id = given.id and r.kind = 'share' and r.id = any (given.ids) and r.content ->> 'email' = lower(u.email);
    -- As far as there is room: nothing in the bin keeps anybody from taking a folder.
    made := (private.make_tags(taker, array(
      select distinct t.name
      from private.deleted_rows r
      cross join lateral jsonb_array_elements_text(r.content -> 'tag_ids') as k(id)
      join public.tags t on t.id = k.id::uuid and t.user_id = giver
      where r.deletion_id = given.id and r.kind = 'tags' and r.id = any (given.ids)
      order by t.name
    ), true)).made;
    update public.tags o set color = t.color from public.tags t
    where o.id = any (made) and t.user_id = giver and t.folded = o.folded and t.color is not null;
    update private.deleted_rows r
    set deletion_id = opened,
      content = case
        -- As private.hand_over does it.
        when r.kind = 'link' then r.content || jsonb_build_object(
          'user_id', taker,
          'added_by', nullif(coalesce((r.content ->> 'added_by')::uuid, giver), taker),
          'added_by_name', case
            when r.content ->> 'added_by' = taker::text then null
            when r.content ->> 'added_by' is null and r.content ->> 'added_by_name' is null
              then (select p.name from public.profiles p where p.id = giver)
            else r.content ->> 'added_by_name'
          end
        )
        when r.kind in ('category', 'order') then r.content || jsonb_build_object('user_id', taker)
        when r.kind = 'tags' then jsonb_build_object('tag_ids', (
          select coalesce(jsonb_agg(o.id), '[]')
          from jsonb_array_elements_text(r.content -> 'tag_ids') as k(id)
          join public.tags t on t.id = k.id::uuid and t.user_id = giver
          join public.tags o on o.user_id = taker and o.folded = t.folded
        ))
        else r.content end
    where r.deletion_id = given.id and r.id = any (given.ids);
    get diagnostics total = row_count;
    perform private.keep_newest_deletions(opened, total);
    delete from private.deletions d
    where d.id = given.id and not exists (select from private.deleted_rows r where r.deletion_id = given.id);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_page_ended(category_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from private.public_pages p where p.category_id = $1 and p.ends_at <= now())
$function$;

CREATE OR REPLACE FUNCTION private.has_room_for(object_id uuid, bucket text, object_name text, object_metadata jsonb, notes jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
grant execute on function private.has_room_for(uuid,text,text,jsonb,jsonb) to authenticated;

CREATE OR REPLACE FUNCTION private.import_links(caller uuid, moment timestamp with time zone, content jsonb)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  homes record := private.find_import_homes(caller, content);
  known integer[];
  ids uuid[];
  moments timestamptz[];
begin
  if exists (
    select from jsonb_to_recordset(content -> 'links') as g(place integer)
    where g.place is null or g.place <> all (homes.places)
  ) then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  end if;
  known := private.find_known_links(caller, content, homes.places, homes.category_ids);
  with added as (
    insert into public.links (id, url, title, description, category_id, user_id, created_at)
    select coalesce(w.id, gen_random_uuid()), btrim(w.url, E' \t\n\r'), w.title, w.description, w.category_id, caller, least(
      date_trunc('second', case when w.created_at >= '1970-01-01 00:00:00+00' then w.created_at end) + (999999 - w.n % 1000000) * interval '1 microsecond',
      moment - w.n * interval '1 microsecond'
    )
    from (
      select distinct on (h.category_id, private.comparable_url(g.url)) g.*, h.category_id
      from jsonb_to_recordset(content -> 'links')
        as g(n integer, place integer, id uuid, url text, title text, description text, created_at timestamptz)
      join unnest(homes.places, homes.category_ids) as h(place, category_id) on h.place = g.place
      where g.n <> all (known)
      order by h.category_id, private.comparable_url(g.url), g.n
    ) as w
    order by w.created_at, w.n desc
    returning id, created_at
  )
  select coalesce(array_agg(id), '{}'), coalesce(array_agg(created_at), '{}') into ids, moments from added;

  perform private.widen_search_zones(caller, moments);
  return ids;
end
$function$;

CREATE OR REPLACE FUNCTION private.import_places(caller uuid, moment timestamp with time zone, content jsonb, OUT folder_ids uuid[], OUT category_ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- Ids that a place has by now, also one in the bin: what is made again is another.
  taken uuid[] := array(
    select g.id
    from jsonb_to_recordset(content -> 'places') as p(folder_id uuid, category_id uuid)
    cross join lateral (values (p.folder_id), (p.category_id)) as g(id)
    where exists (select from public.folders f where f.id = g.id)
      or exists (select from public.categories c where c.id = g.id)
      or g.id in (
        select r.id from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
        where d.user_id = caller and r.kind in ('folder', 'category')
      )
  );
begin
  with made as (
    insert into public.folders (id, name, user_id, created_at)
    select coalesce(case when w.folder_id <> all (taken) then w.folder_id end, gen_random_uuid()), w.folder, caller,
      moment - w.n * interval '1 microsecond'
    from (
      select distinct on (p.folder) p.n, p.folder, p.folder_id
      from jsonb_to_recordset(content -> 'places') as p(n integer, folder text, folder_id uuid)
      order by p.folder, p.n
    ) as w
    on conflict (user_id, name) do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into folder_ids from made;

  with made as (
    insert into public.categories (id, name, folder_id, user_id, description, created_at)
    select coalesce(case when w.category_id <> all (taken) then w.category_id end, gen_random_uuid()), w.category, f.id, caller,
      w.description, moment - w.n * interval '1 microsecond'
    from (
      select distinct on (p.folder, p.category) p.*
      from jsonb_to_recordset(content -> 'places')
        as p(n integer, folder text, category text, category_id uuid, description text)
      where p.category is not null
      order by p.folder, p.category, p.n
    ) as w
    join public.folders f on f.user_id = caller and f.name = w.folder
    where not exists (
      select from public.categories c where c.folder_id = f.id and c.user_id = caller and c.name = w.category
    )
    returning id
  )
  select coalesce(array_agg(id), '{}') into category_ids from made;
end
$function$;

CREATE OR REPLACE FUNCTION private.import_tags(caller uuid, content jsonb, link_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  given record;
begin
  if not exists (select from jsonb_array_elements(content -> 'links') as g where jsonb_typeof(g -> 'tags') = 'array') then
    return '{}';
  end if;
  given := private.make_tags(caller, array(
    select n.name
    from jsonb_to_recordset(content -> 'links') as g(n integer, id uuid, tags jsonb)
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(g.tags) when 'array' then g.tags else '[]' end)
      with ordinality as n(name, place)
    where g.id = any (link_ids)
    order by g.n, n.place
  ), true);
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select k.link_id, k.tag_id, caller, k.saved_at
  from (
    select l.id as link_id, t.id as tag_id, l.created_at as saved_at,
      row_number() over (partition by l.id order by min(n.place)) as place
    from jsonb_to_recordset(content -> 'links') as g(id uuid, tags jsonb)
    join public.links l on l.id = g.id
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(g.tags) when 'array' then g.tags else '[]' end)
      with ordinality as n(name, place)
    join public.tags t on t.user_id = caller and t.folded = private.normalize_search_text(private.tag_name(n.name))
    where g.id = any (link_ids)
    group by l.id, t.id
  ) as k
  where k.place <= private.most_tags('link');
  update public.tags t set tagged_at = clock_timestamp()
  where t.id in (select k.tag_id from public.link_tags k where k.link_id = any (link_ids));
  return given.made;
end
$function$;

CREATE OR REPLACE FUNCTION private.import_window()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select interval '24 hours' $function$;

CREATE OR REPLACE FUNCTION private.index_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into private.link_addresses (user_id, hash, created_at, id)
    select a.user_id, hashtextextended(private.address_key(a.url), 0), a.created_at, a.id from added a;
  elsif tg_op = 'DELETE' then
    delete from private.link_addresses k using removed r
    where k.user_id = r.user_id and k.hash = hashtextextended(private.address_key(r.url), 0)
      and k.created_at = r.created_at and k.id = r.id;
  else
    with changed as materialized (
      select r.user_id, r.created_at, r.id, r.url as old_url, a.url as new_url
      from added a full join removed r on r.id = a.id
      where a.url is distinct from r.url
    )
    update private.link_addresses k set hash = hashtextextended(private.address_key(c.new_url), 0)
    from changed c
    where k.user_id = c.user_id and k.hash = hashtextextended(private.address_key(c.old_url), 0)
      and k.created_at = c.created_at and k.id = c.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.index_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into private.link_search (user_id, created_at, id, piece)
    select t.user_id, t.created_at, t.id, substr(t.whole, 1 + 500 * n, 600)
    from (
      select a.user_id, a.created_at, a.id, private.link_search_text(a.title, a.url, a.description) as whole
      from added a offset 0
    ) as t
    cross join lateral generate_series(0, (greatest(char_length(t.whole), 600) - 101) / 500) as n;
  elsif tg_op = 'DELETE' then
    delete from private.link_search s using removed r
    where s.user_id = r.user_id and s.created_at = r.created_at and s.id = r.id;
  else
    with changed as materialized (
      select a.* from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    ), forgotten as (
      delete from private.link_search s using changed c
      where s.user_id = c.user_id and s.created_at = c.created_at and s.id = c.id
    )
    insert into private.link_search (user_id, created_at, id, piece)
    select t.user_id, t.created_at, t.id, substr(t.whole, 1 + 500 * n, 600)
    from (
      select c.user_id, c.created_at, c.id, private.link_search_text(c.title, c.url, c.description) as whole
      from changed c offset 0
    ) as t
    cross join lateral generate_series(0, (greatest(char_length(t.whole), 600) - 101) / 500) as n;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.invitation_count(person uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (select count(*) from public.folder_members m where m.owner_id = person)
    + (select count(*) from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = person)
$function$;

CREATE OR REPLACE FUNCTION private.invited_category_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(category_id), '{}')
  from (
    select s.category_id from public.shared_with s where s.email = lower(auth.email())
    union
    select c.id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where r.person_id = auth.uid() and not c.is_held_back
  ) as invited
$function$;
grant execute on function private.invited_category_ids() to authenticated;
comment on function private.invited_category_ids() is 'realtime: reads public.shared_with, public.folder_members, public.profiles, private.plan_limits, private.account_closures';

CREATE OR REPLACE FUNCTION private.is_account_closed(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from private.account_closures c where c.user_id = person and c.reopened_at is null)
$function$;

CREATE OR REPLACE FUNCTION private.is_account_mail_wanted(mail private.account_mails)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when mail.kind in ('deleted', 'suspended') then exists (
      select from private.account_closures c
      where c.user_id = mail.user_id and c.reopened_at is null and c.closed_at = mail.occasion
    )
    when mail.kind = 'webhook_off' then exists (
      select from private.webhooks w where w.user_id = mail.user_id and w.off_at = mail.occasion and w.deleted_at is null
    )
    else exists (
      select from private.account_activity a where a.user_id = mail.user_id and a.seen_at = mail.occasion
    )
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_account_open()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_token_good('{}');
end
$function$;
grant execute on function private.is_account_open() to authenticated;
comment on function private.is_account_open() is 'realtime: reads private.account_closures';

CREATE OR REPLACE FUNCTION private.is_admin()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.installation where admin_user_id = private.caller_id())
$function$;

CREATE OR REPLACE FUNCTION private.is_bin_at_rest(deletion private.deletions)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from private.account_closures c
    where c.user_id = deletion.user_id and c.reopened_at is null and c.closed_at < deletion.purge_after
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_cover_file(metadata jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select coalesce(metadata ->> 'size', metadata ->> 'contentLength', '0')::bigint <= 131072
    and coalesce(metadata ->> 'mimetype', 'image/webp') in ('image/webp', 'image/jpeg')
$function$;
grant execute on function private.is_cover_file(jsonb) to authenticated;

CREATE OR REPLACE FUNCTION private.is_link_kind(url text, kind text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case kind
    when 'pdf' then strpos(url, '.pdf') > 0 and url ~ '^https?://[^/?#]+/[^?#]*\.pdf/?([?#]|$)'
    when 'image' then (
        strpos(url, '.jp') > 0 or strpos(url, '.png') > 0 or strpos(url, '.gif') > 0 or strpos(url, '.webp') > 0
        or strpos(url, '.avif') > 0 or strpos(url, '.svg') > 0 or strpos(url, '.bmp') > 0
      ) and url ~ '^https?://[^/?#]+/[^?#]*\.(jpg|jpeg|png|gif|webp|avif|svg|bmp)/?([?#]|$)'
    when 'video' then (
        strpos(url, '.mp4') > 0 or strpos(url, '.m4v') > 0 or strpos(url, '.webm') > 0 or strpos(url, '.mov') > 0
        or strpos(url, '.mkv') > 0 or strpos(url, '.avi') > 0
      ) and url ~ '^https?://[^/?#]+/[^?#]*\.(mp4|m4v|webm|mov|mkv|avi)/?([?#]|$)'
      -- The host, without a name before it and a port behind it.
      or (
        strpos(url, 'youtu') > 0 or strpos(url, 'vimeo.') > 0 or strpos(url, 'dailymotion.') > 0 or strpos(url, 'twitch.') > 0
        or strpos(url, 'tiktok.') > 0
      ) and url ~ ('^https?://([^/?#]*@)?([^/?#:@]*\.)?'
        || '(youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|tiktok\.com)'
        || '(:[^/?#@]*)?([/?#]|$)')
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_page_locked(category_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.public_pages p
    where p.category_id = $1 and p.password_hash is not null and not exists (
      select from private.page_proofs r
      where r.digest = sha256(convert_to(private.request_header('x-page-proof'), 'UTF8'))
        and r.category_id = $1 and r.expires_at > now()
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_page_open(category_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select not private.has_page_ended($1) and not private.is_page_locked($1)
$function$;

CREATE OR REPLACE FUNCTION private.is_promising_piece(piece text, needed text[], patterns text[], alternatives text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when cardinality(needed) = 1 then strpos(piece, needed[1]) > 0
    when cardinality(needed) = 0 then piece like any (alternatives)
    when strpos(piece, needed[1]) > 0 and piece like all (patterns) then true
    else octet_length(piece) >= 600 and char_length(piece) = 600 and piece like any (alternatives)
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_session_open()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_token_good(null);
end
$function$;
grant execute on function private.is_session_open() to authenticated;

CREATE OR REPLACE FUNCTION private.is_share_standing(notification private.share_notifications)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when notification.folder_id is null then exists (
      select from public.shared_with s where s.category_id = notification.category_id and s.email = notification.email
    )
    else exists (
      select from private.folder_invitations i where i.folder_id = notification.folder_id and i.email = notification.email
    ) and not exists (
      select from private.account_closures c where c.user_id = notification.sender_id and c.reopened_at is null
    )
  end and not exists (
    select from auth.users u
    where u.id in (notification.sender_id, (select f.user_id from public.folders f where f.id = notification.folder_id))
      and (u.deleted_at is not null or u.banned_until > now())
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_token_good(scopes text[])
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), auth.jwt() ->> 'sub');
  session uuid := nullif(current_setting('request.jwt.claim.session_id', true), '');
  claims jsonb;
  claimed text;
  is_in_scope boolean;
begin
  if caller is null then
    return true;
  end if;
  if session is null then
    claims := auth.jwt();
    claimed := nullif(claims ->> 'session_id', '');
    session := case
      when claimed ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then claimed
      -- No session has an id like this, or that one.
      when claimed is not null then '00000000-0000-0000-0000-000000000000'
    end;
  end if;
  if session is null then
    -- Signed by an operator: what it says is all there is.
    is_in_scope := not coalesce(claims ? 'client_id', false) or scopes is null or string_to_array(claims ->> 'scope', ' ') && scopes;
    if is_in_scope is not true then
      return false;
    end if;
  end if;
  return (session is null or exists (
    select from auth.sessions s
    where s.id = session and s.user_id = caller and (s.not_after is null or s.not_after > now())
      and (
        s.oauth_client_id is null and s.scopes is null
        or is_token_good.scopes is null
        or string_to_array(s.scopes, ' ') && is_token_good.scopes
      )
      -- Of programs the person was asked who had proven the second factor. In this order: almost nobody's claims have to be read for it.
      and (
        s.oauth_client_id is not null or s.scopes is not null
        or not exists (select from auth.mfa_factors f where f.user_id = caller and f.status = 'verified')
        or coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal1'
      )
  )) and not exists (
    select from auth.users u where u.id = caller and (u.deleted_at is not null or u.banned_until > now())
  ) and not exists (
    select from private.account_closures c
    where c.user_id = caller and (
      c.reopened_at is null or coalesce((auth.jwt() ->> 'iat')::numeric, 0) < floor(extract(epoch from c.reopened_at))
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_tracking_parameter(name text, host text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select split_part(lower(name), '_', 1) in ('utm', 'itm', 'mtm', 'pk', 'piwik', 'hsa', 'ga') and strpos(name, '_') > 0
    or lower(name) in (
      'fbclid', 'fb_action_ids', 'fb_action_types', 'fb_source', 'fb_ref', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid',
      'srsltid', '_ga', '_gl', 'msclkid', 'yclid', 'ymclid', '_openstat', 'twclid', 'ttclid', 'rdt_cid', 'li_fat_id', 'igshid',
      'igsh', 'mc_cid', 'mc_eid', 'mkt_tok', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking', 'oly_anon_id',
      'oly_enc_id', 'vero_id', 'vero_conv', 'elq', 'elqtrackid', 'elqaid', 'elqat', 'elqcampaignid', 'elqtrack', 'wickedid',
      's_cid', 'ml_subscriber', 'ml_subscriber_hash', 'ref_src', 'ref_url', 'ncid', 'cmpid', 'mbid', '__s'
    )
    or (name = 'si' and host ~ '(^|\.)(youtu\.be|youtube\.com|spotify\.com)$')
$function$;

CREATE OR REPLACE FUNCTION private.is_webhook_url(url text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select char_length(url) <= 500
    and url ~ '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?(:443)?(/[!-"$-~]*)?$'
    and url !~ '^https://[^/:]*\.(alt|corp|home|home\.arpa|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)(:443)?(/|$)'
$function$;

CREATE OR REPLACE FUNCTION private.join_descriptions(descriptions text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  joined text := '';
  description text;
begin
  foreach description in array descriptions loop
    if btrim(coalesce(description, '')) <> '' and strpos(joined, btrim(description)) = 0 then
      joined := joined || case joined when '' then '' else E'\n\n' end || btrim(description);
    end if;
  end loop;
  return nullif(case when char_length(joined) > 1200 then left(joined, 1199) || '…' else joined end, '');
end
$function$;

CREATE OR REPLACE FUNCTION private.join_found_by_tag(caller uuid, whole text, wanted text[], unwanted text[], word_tags uuid[], known uuid[], most bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  is_one_word boolean := cardinality(wanted) <= 1 and cardinality(unwanted) = 0;
  is_long boolean := char_length(whole) > 100;
  patterns text[] := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(wanted) as w);
  unwanted_patterns text[] := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(unwanted) as w);
  -- A word alone is in each of their tags: the newest are enough.
  deep bigint := case when is_one_word then most else greatest(100, 30000 / cardinality(word_tags)) end;
begin
  return array(
    with near as materialized (
      select distinct k.link_id, k.saved_at
      from unnest(word_tags) as t(id)
      cross join lateral (
        select k.link_id, k.saved_at from public.link_tags k
        where k.tag_id = t.id order by k.saved_at desc, k.link_id desc limit least(deep, 3000)
      ) as k
      order by k.saved_at desc, k.link_id desc
      limit case when is_one_word then most else 3000 end
    ), hits as (
      select n.link_id as id, n.saved_at as created_at from near n
      union
      select l.id, l.created_at from public.links l where l.id = any (known)
    ), ranked as (
      select h.id, h.created_at, case
        when strpos(text.body, whole) > 0 then 3
        when cardinality(wanted) = 0 or text.body like any (unwanted_patterns) then 0
        when text.body like all (patterns) then 2
        when text.body like any (patterns) and not exists (
          select from unnest(wanted) as w
          where strpos(text.body, w) = 0 and strpos((
            select private.normalize_search_text(c.name || E'\n' || f.name)
            from public.links l join public.categories c on c.id = l.category_id join public.folders f on f.id = c.folder_id
            where l.id = h.id
          ), w) = 0
        ) then 1
        else 0
      end as rank
      from hits h
      cross join lateral (
        select case
          -- A longer word may lie in none of the pieces.
          when is_long then (
            select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = h.id
          )
          else (
            select string_agg(s.piece, E'\n') from private.link_search s
            where s.user_id = caller and s.created_at = h.created_at and s.id = h.id
          )
        end || coalesce((
          select E'\n' || string_agg(t.folded, E'\n') from public.link_tags k join public.tags t on t.id = k.tag_id
          where k.link_id = h.id and k.tag_id = any (word_tags)
        ), '') as body
        -- Once a link, however often it is looked at.
        offset 0
      ) as text
    )
    select r.id from ranked r where r.rank > 0 order by r.rank desc, r.created_at desc, r.id desc limit most
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_adder()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then
    new.added_by := old.added_by;
    new.added_by_name := old.added_by_name;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
  owner uuid;
  kept bigint;
  total bigint;
  weight bigint;
  place uuid;
begin
  if caller is null then
    return null;
  end if;
  for owner in select distinct r.user_id from removed r order by r.user_id loop
    select count(*) into total from removed where user_id = owner;
    if tg_table_name = 'links' then
      select sum(1 + private.link_bytes(r::public.links) / 1000) into weight from removed r where r.user_id = owner;
      select r.category_id into place from removed r where r.user_id = owner limit 1;
      kept := private.open_deletion(owner, total, 0, null, place);
      insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
      select kept, 'link', r.id, r.category_id, to_jsonb(r) from removed r where r.user_id = owner and kept is not null;
    elsif tg_table_name = 'categories' then
      select sum(1 + private.category_bytes(r::public.categories) / 1000) into weight from removed r where r.user_id = owner;
      select r.folder_id into place from removed r where r.user_id = owner limit 1;
      kept := private.open_deletion(owner, 0, total, place, null);
      insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
      select kept, 'category', r.id, r.folder_id, to_jsonb(r) from removed r where r.user_id = owner and kept is not null;
    else
      select sum(1 + private.folder_bytes(r::public.folders) / 1000) into weight from removed r where r.user_id = owner;
      kept := private.open_deletion(owner, 0, 0, null, null);
      insert into private.deleted_rows (deletion_id, kind, id, content)
      select kept, 'folder', r.id, to_jsonb(r) from removed r where r.user_id = owner and kept is not null;
    end if;
    continue when kept is null;
    if owner <> caller then
      update private.deletions d set deleted_by = caller where d.id = kept;
    end if;
    perform private.keep_newest_deletions(kept, weight);
    -- Twice as many as came in: what has expired becomes less with every deletion.
    perform private.purge_deletions(least(2 * total, 100000)::integer + 100);
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_favorites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'favorite', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.user_id
    join private.deleted_rows i on i.deletion_id = d.id
      and i.kind = case when r.link_id is null then 'category' else 'link' end and i.id = coalesce(r.link_id, r.category_id)
    where d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_folder_groups()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'group', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.owner_id
    join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'folder' and i.id = r.folder_id
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_looks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'look', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.user_id
    join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'folder' and i.id = r.folder_id
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'member', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.owner_id
    join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'folder' and i.id = r.folder_id
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'order', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.user_id
    join private.deleted_rows i on i.deletion_id = d.id
      and i.kind = case when r.link_id is null then 'category' else 'link' end and i.id = coalesce(r.link_id, r.category_id)
    where d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_shares()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select c.deletion_id, 'share', r.category_id, to_jsonb(r)
    from private.deletions d
    join private.deleted_rows c on c.deletion_id = d.id and c.kind = 'category'
    join removed r on r.category_id = c.id
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
declare
  kept bigint;
  total bigint;
begin
  for kept in
    select d.id from private.deletions d
    where d.user_id = any (array(select distinct r.user_id from removed r))
      and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    order by d.id
  loop
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select kept, 'tags', i.id, jsonb_build_object('tag_ids', jsonb_agg(r.tag_id))
    from removed r join private.deleted_rows i on i.deletion_id = kept and i.kind = 'link' and i.id = r.link_id
    group by i.id;
    get diagnostics total = row_count;
    if total > 0 then
      perform private.keep_newest_deletions(kept, total);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_newest_deletions(kept bigint, added bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  person uuid;
  newest bigint;
begin
  update private.deletions d set rows_until = d.rows_until + added where d.id = kept
  returning d.user_id, d.rows_until into person, newest;
  delete from private.deletions d
  where d.user_id = person and d.rows_until <= newest - private.most('bin_rows') and d.id <> kept;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_owners_choices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or auth.uid() = old.user_id then
    return new;
  end if;
  raise exception using
    errcode = 'insufficient_privilege',
    message = 'Só o dono da pasta move, publica ou reserva uma categoria.';
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_search_zones()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change record;
  total bigint;
begin
  if tg_op = 'DELETE' then
    with left_behind as materialized (
      select distinct r.user_id, (
        select min(l.newest) from private.link_search_zones l
        where l.user_id = r.user_id and l.newest >= r.created_at
      ) as newest
      from removed r
    ), emptied as (
      delete from private.link_search_zones z
      using left_behind b
      where z.user_id = b.user_id and z.newest = b.newest
        and not exists (
          select from private.link_search s
          where s.user_id = z.user_id and s.created_at between z.oldest and z.newest
        )
      returning z.*
    ), outdated as (
      update private.link_search_zones z
      set is_exact = false
      from left_behind b
      where z.user_id = b.user_id and z.newest = b.newest and z.is_exact
        and exists (
          select from private.link_search s
          where s.user_id = z.user_id and s.created_at between z.oldest and z.newest
        )
    )
    insert into private.deleted_zones (deletion_id, oldest, newest, grams)
    select d.id, e.oldest, e.newest, e.grams
    from emptied e
    join private.deletions d
      on d.user_id = e.user_id and d.transaction_id = pg_current_xact_id() and d.deleted_at = now();
    return null;
  end if;

  if tg_op = 'UPDATE' then
    with changed as materialized (
      select a.user_id from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    select count(*) into total from (
      select from public.library_counts where user_id in (select c.user_id from changed c) order by user_id for no key update
    ) as held;
    if total = 0 then
      return null;
    end if;
    with changed as materialized (
      select a.user_id, a.created_at, a.title, a.url, a.description
      from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    select count(private.widen_search_zone(c.user_id, c.created_at, private.link_search_text(c.title, c.url, c.description)))
    into total from changed c
    where exists (select from private.link_search_zones z where z.user_id = c.user_id and z.newest >= c.created_at);
    with changed as materialized (
      select a.user_id, a.created_at
      from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    update private.link_search_zones z
    set is_exact = false
    from (
      select distinct c.user_id, (
        select min(l.newest) from private.link_search_zones l
        where l.user_id = c.user_id and l.newest >= c.created_at
      ) as newest
      from changed c
    ) as edited
    where z.user_id = edited.user_id and z.newest = edited.newest and z.is_exact;
    return null;
  end if;

  for change in
    select a.user_id, n.link_count, a.n,
      a.earliest <= (select max(z.newest) from private.link_search_zones z where z.user_id = a.user_id) as is_covered
    from (select user_id, count(*) as n, min(created_at) as earliest from added group by user_id) as a
    join public.library_counts n on n.user_id = a.user_id
    where not exists (select from private.restorations r where r.user_id = a.user_id)
  loop
    if change.is_covered then
      perform private.widen_search_zone(a.user_id, a.created_at, private.link_search_text(a.title, a.url, a.description))
      from added a
      where a.user_id = change.user_id;
    end if;
    -- Small libraries are read whole in no time; in large ones every sixty-fourth link sums up.
    if change.link_count >= 2000 and change.link_count / 64 <> (change.link_count - change.n) / 64 then
      perform private.extend_search_zones(change.user_id);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_tags(change bigint, tag_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.tag_changes c
  set gone = (select jsonb_agg(to_jsonb(t)) from public.tags t where t.id = any (tag_ids))
  where c.id = change;
  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, false, array_agg(n.link_id)
  from (
    select k.tag_id, k.link_id, row_number() over (partition by k.tag_id) / 5000 as part
    from public.link_tags k where k.tag_id = any (tag_ids)
  ) as n
  group by n.tag_id, n.part;
end
$function$;

CREATE OR REPLACE FUNCTION private.lease_share_notifications(max integer, for_category uuid, of_folders boolean)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  candidate uuid;
  leased uuid[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended('private.share_notifications', 0));
  perform private.tidy_share_notifications();
  for candidate in select private.list_due_share_notifications(for_category, of_folders) loop
    exit when cardinality(leased) >= least(greatest(coalesce(max, 10), 0), 100);
    update private.share_notifications n
    set state = 'sending', claimed_at = now(), leased_until = now() + interval '5 minutes', started_at = null,
      attempts = n.attempts + 1
    where n.id = candidate and n.state = 'waiting'
      and private.may_send_share_mail(n.id, n.sender_id, n.email);
    if found then
      leased := leased || candidate;
    end if;
  end loop;

  insert into private.share_mail_addresses (email)
  select distinct n.email from private.share_notifications n where n.id = any (leased)
  on conflict do nothing;
  return leased;
end
$function$;

CREATE OR REPLACE FUNCTION private.leave_covers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.link_covers c using removed r
  where c.link_id = r.id and c.state = 'none' and c.leftover_since is null;
  update private.link_covers c set leftover_since = now() from removed r
  where c.link_id = r.id and c.leftover_since is null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_favorites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person uuid;
  total bigint;
begin
  for person in select distinct a.user_id from added a order by a.user_id loop
    -- Of two statements racing for the last place the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    select count(*) into total from public.favorites f where f.user_id = person;
    if total > private.most('favorites') and not exists (select from private.restorations r where r.user_id = person) then
      perform private.refuse_beyond('favorites');
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_folder_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person uuid;
  allowed integer;
  owner_plan text;
begin
  for person in select distinct a.owner_id from added a order by a.owner_id loop
    -- Of two statements racing for the last place the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    continue when exists (select from private.restorations r where r.user_id = person);
    select l.max_folder_members, l.plan into allowed, owner_plan
    from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = person;
    if exists (
      select from public.folder_members m
      where m.folder_id = any (array(select distinct a.folder_id from added a where a.owner_id = person))
      group by m.folder_id having count(distinct m.email) > allowed
    ) then
      raise exception using
        errcode = 'P0001',
        message = format('Limite de %s pessoas por pasta atingido', allowed),
        -- Which plan the owner has is not for managers to know.
        detail = json_build_object('max', allowed, 'plan', case when auth.uid() = person then owner_plan end)::text,
        hint = 'plan_limit_folder_members';
    end if;
    if private.invitation_count(person) > private.most('invitations') then
      perform private.refuse_beyond('invitations');
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_import_parts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.limit_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.categories c
    where c.id = any (array(select distinct a.category_id from added a))
      and (select count(*) from public.shared_with s where s.category_id = c.id) > 100
      and not exists (select from private.restorations r where r.user_id = c.user_id)
  ) then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por categoria';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_invitations_of_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person uuid;
begin
  for person in
    select distinct c.user_id from public.categories c
    where c.id = any (array(select distinct a.category_id from added a)) order by c.user_id
  loop
    -- Of two statements racing for the last place, in whichever categories, the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    if private.invitation_count(person) > private.most('invitations')
      and not exists (select from private.restorations r where r.user_id = person)
    then
      perform private.refuse_beyond('invitations');
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_saved_searches()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person uuid;
begin
  for person in select distinct a.user_id from added a order by a.user_id loop
    -- Of two statements racing for the last place the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    if (select count(*) from public.saved_searches s where s.user_id = person) > private.most('saved_searches') then
      perform private.refuse_beyond('saved_searches');
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person record;
  total bigint;
begin
  for person in
    select p.id, p.plan, l.max_links as allowed
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where p.id in (select a.user_id from added a)
    order by p.id
  loop
    perform from public.library_counts n where n.user_id = person.id for no key update;
    select count(*) into total from public.tags t where t.user_id = person.id;
    continue when total <= least(person.allowed, private.most_tags('person'))
      or exists (select from private.restorations r where r.user_id = person.id);
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s tags atingido',
        replace(to_char(least(person.allowed, private.most_tags('person')), 'FM9,999,999'), ',', '.')),
      detail = json_build_object('max', least(person.allowed, private.most_tags('person')), 'plan', person.plan)::text,
      hint = case when person.allowed < private.most_tags('person') then 'plan_limit_tags' else 'bound_tags' end;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.link_bytes(l public.links)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (((((64 + octet_length((l).url)) + octet_length((l).title)) + COALESCE(octet_length((l).description), 0)) + CASE WHEN ((l).added_by IS NULL) THEN 0 ELSE 16 END) + COALESCE(octet_length((l).added_by_name), 0));

CREATE OR REPLACE FUNCTION private.link_holds(link_id uuid, needles text[], unwanted text[])
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  whole text := (select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = link_id);
begin
  return not exists (select from unnest(needles) as n where strpos(whole, n) = 0)
    and not exists (select from unnest(unwanted) as u where strpos(whole, u) > 0);
end
$function$;

CREATE OR REPLACE FUNCTION private.link_search_text(title text, url text, description text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return replace(
    private.normalize_search_text(title || E'\x01' || url || E'\x01' || coalesce(description, '')), E'\x01', E'\n');
end
$function$;

CREATE OR REPLACE FUNCTION private.link_trace(url text, title text, description text, category_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('url', hashtextextended($1, 0), 'title', hashtextextended($2, 0),
    'description', hashtextextended($3, 0), 'category_id', $4)
$function$;

CREATE OR REPLACE FUNCTION private.links_of_address(address text, category uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.id
  from private.link_addresses a
  join public.links l on l.id = a.id
  where a.user_id = (select private.reader_id())
    and a.hash = hashtextextended(private.address_key(links_of_address.address), 0)
    and private.address_key(l.url) = private.address_key(links_of_address.address)
    and (links_of_address.category is null or l.category_id = links_of_address.category)
  order by a.created_at desc, a.id desc
  limit 5
$function$;
grant execute on function private.links_of_address(text,uuid) to authenticated;
comment on function private.links_of_address(text,uuid) is 'The newest of the caller''s own links that have an address, in a category or, where it is null, in any.';

CREATE OR REPLACE FUNCTION private.links_to_tag(caller uuid, link_ids uuid[], OUT owner uuid, OUT ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  writable uuid[];
begin
  owner := caller;
  ids := array(
    select l.id from public.links l where l.id = any (link_ids) and l.user_id = caller order by l.id for key share
  );
  if cardinality(ids) > 0 then
    return;
  end if;
  writable := private.writable_category_ids();
  select l.user_id into owner
  from public.links l where l.id = any (link_ids) and l.category_id = any (writable) and caller is not null
  order by l.user_id limit 1;
  ids := array(
    select l.id from public.links l
    where l.id = any (link_ids) and l.user_id = owner and l.category_id = any (writable) order by l.id for key share
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.list_due_share_notifications(for_category uuid, of_folders boolean)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recent as materialized (
    select o.sender_id, o.mailbox, o.claimed_at from private.share_notifications o where o.claimed_at > now() - interval '1 day'
  ), full_senders as materialized (
    select r.sender_id from recent r group by r.sender_id
    having count(*) >= 200 or count(*) filter (where r.claimed_at > now() - interval '1 hour') >= 50
      or count(*) filter (where r.claimed_at > now() - interval '1 minute') >= 25
  ), full_mailboxes as materialized (
    select r.mailbox from recent r group by r.mailbox
    having count(*) >= 10 or count(*) filter (where r.claimed_at > now() - interval '1 minute') >= 3
  )
  select due.id
  from (
    select n.id, n.next_attempt_at, n.queued_at,
      row_number() over (partition by n.sender_id order by n.next_attempt_at, n.queued_at, n.id) as turn
    from private.share_notifications n
    where n.state = 'waiting' and n.next_attempt_at <= now()
      and (n.folder_id is not null) = of_folders
      and (for_category is null or n.category_id = for_category)
      and n.sender_id not in (select f.sender_id from full_senders f)
      and n.mailbox not in (select f.mailbox from full_mailboxes f)
      and private.is_share_standing(n)
      and not private.wants_no_share_mail(n.mailbox)
      and private.may_send_share_mail(n.id, n.sender_id, n.email)
  ) as due
  order by due.turn, due.next_attempt_at, due.queued_at, due.id
  limit 1000
$function$;

CREATE OR REPLACE FUNCTION private.list_spans_to_read(owner uuid, others uuid[], needed text[], OUT beginnings timestamp with time zone[], OUT ends timestamp with time zone[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  zone_beginnings timestamptz[];
  mixed timestamptz[] := '{}';
  covered timestamptz;
  bits integer[];
  mask bit(8192);
begin
  select array_agg(z.oldest order by z.oldest), max(z.newest) into zone_beginnings, covered
  from private.link_search_zones z where z.user_id = owner;
  if covered is null or cardinality(needed) = 0 then
    beginnings := array['-infinity'];
    ends := array['infinity'];
    return;
  end if;
  -- Zones do not overlap: the last one that begins before a link is its own, if any is.
  if cardinality(others) > 0 then
    mixed := array(
      select distinct zone_beginnings[width_bucket(k.created_at, zone_beginnings)]
      from public.links k
      where k.category_id = any (others) and k.created_at >= zone_beginnings[1] and k.created_at <= covered
    );
  end if;
  bits := array(select unnest(private.search_gram_bits(n.word, true)) from unnest(needed) as n(word));
  if cardinality(bits) = 0 then
    beginnings := array['-infinity'];
    ends := array['infinity'];
    return;
  end if;
  mask := private.search_mask(bits);
  select array_agg(span.beginning), array_agg(span.ending) into beginnings, ends
  from (
    select min(z.oldest) as beginning, max(z.newest) as ending
    from (
      select marked.oldest, marked.newest, marked.is_read,
        count(*) filter (where not marked.is_read) over (order by marked.newest) as skipped_before
      from (
        select l.oldest, l.newest, case
          when not l.is_exact or l.oldest in (select unnest(mixed)) then true
          -- Looking at one bit costs a tenth of comparing all.
          when get_bit(l.grams, bits[1]) = 0 or get_bit(l.grams, bits[cardinality(bits)]) = 0 then false
          else l.grams & mask = mask
        end as is_read
        from private.link_search_zones l
        where l.user_id = owner
      ) as marked
    ) as z
    where z.is_read
    group by z.skipped_before
    union all
    -- What no zone covers yet.
    select covered + interval '1 microsecond', 'infinity'
  ) as span;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.user_directory (user_id, email, plan, created_at)
  select new.id, coalesce(lower(u.email::text), ''), new.plan, coalesce(u.created_at, new.created_at)
  from auth.users u where u.id = new.id
  on conflict (user_id) do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_group(person uuid, group_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.lock_groups_of(person, $2);
  if not exists (select from private.groups g where g.id = $2 and g.user_id = person) then
    raise exception using errcode = 'PT404', message = 'Grupo não encontrado';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_groups_of(person uuid, group_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform from public.folders f
  where f.user_id = person and f.id in (select s.folder_id from private.folder_groups s where s.group_id = $2)
  order by f.id for key share;
  perform from public.library_counts n where n.user_id = person for no key update;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_links_of(folder_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select from public.links l join public.categories c on c.id = l.category_id where c.folder_id = $1 order by l.id for update of l
$function$;

CREATE OR REPLACE FUNCTION private.lower_folder_emails()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.shared_with := array(
    select lower(btrim(given.email)) from unnest(new.shared_with) with ordinality as given(email, place) order by given.place
  );
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.lower_invited_email()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.email := lower(btrim(new.email));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_morning(day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select (day + time '08:00') at time zone 'America/Sao_Paulo' $function$;

CREATE OR REPLACE FUNCTION private.mailbox_of(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when a.name = '' then lower(email)
    when a.domain in ('gmail.com', 'googlemail.com') then replace(a.name, '.', '') || '@gmail.com'
    else a.name || '@' || a.domain
  end
  from (
    select
      case
        when t.domain in (
          'gmail.com', 'googlemail.com', 'outlook.com', 'outlook.com.br', 'hotmail.com', 'live.com', 'icloud.com', 'me.com',
          'mac.com', 'proton.me', 'protonmail.com', 'pm.me', 'fastmail.com'
        ) then split_part(t.name, '+', 1)
        else t.name
      end as name,
      t.domain
    from (
      select regexp_replace(lower(email), '@[^@]*$', '') as name, regexp_replace(lower(email), '^.*@', '') as domain
    ) as t
  ) as a
$function$;

CREATE OR REPLACE FUNCTION private.make_tags(caller uuid, names text[], fits_only boolean, OUT ids uuid[], OUT made uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  room bigint;
begin
  if fits_only then
    select greatest(least(l.max_links, private.most_tags('person')) - (
      select count(*) from public.tags t where t.user_id = caller
    ), 0) into room
    from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = caller;
  end if;
  with wanted as materialized (
    select distinct on (f.folded) n.name, f.folded, t.place
    from unnest(names) with ordinality as t(typed, place)
    cross join lateral (select private.tag_name(t.typed) as name) as n
    cross join lateral (select private.normalize_search_text(n.name) as folded) as f
    where n.name is not null
    order by f.folded, t.place
  ), known as materialized (
    select t.id, t.folded from public.tags t
    where t.user_id = caller and t.folded in (select w.folded from wanted w)
  ), added as (
    insert into public.tags (user_id, name)
    select caller, w.name from wanted w
    where not exists (select from known k where k.folded = w.folded)
    order by w.place
    limit room
    returning id, folded
  )
  select array_agg(u.id order by w.place), array_agg(u.id) filter (where u.is_new) into ids, made
  from (select k.id, k.folded, false as is_new from known k union all select a.id, a.folded, true from added a) as u
  join wanted w on w.folded = u.folded;
  ids := coalesce(ids, '{}');
  made := coalesce(made, '{}');
end
$function$;

CREATE OR REPLACE FUNCTION private.managed_folder_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(r.folder_id), '{}') from private.folder_places r
  where r.person_id = auth.uid() and r.may_manage
$function$;
grant execute on function private.managed_folder_ids() to authenticated;
comment on function private.managed_folder_ids() is 'realtime: reads public.folder_members, public.profiles, private.plan_limits, private.account_closures';

CREATE OR REPLACE FUNCTION private.may_meet(topic text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select auth.uid() is not null and exists (
    select
    from (
      select case
        when $1 ~ '^category:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr($1, 10)::uuid
      end as category_id
    ) as named
    where exists (
      select from public.categories o
      where o.id = named.category_id and o.user_id = auth.uid() and not o.is_held_back
    ) or exists (
      select from private.folder_places r join public.categories c on c.folder_id = r.folder_id
      where c.id = named.category_id and r.person_id = auth.uid() and r.may_write and not c.is_held_back
    )
  )
$function$;
grant execute on function private.may_meet(text) to authenticated;
comment on function private.may_meet(text) is 'realtime: reads public.categories, public.folder_members, public.profiles, private.plan_limits, private.account_closures';

CREATE OR REPLACE FUNCTION private.may_read_links()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_token_good('{links:read,links:write}');
end
$function$;
grant execute on function private.may_read_links() to authenticated;
comment on function private.may_read_links() is 'realtime: reads private.account_closures';

CREATE OR REPLACE FUNCTION private.may_send_share_mail(notification_id uuid, sender_id uuid, email text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    (select count(*) filter (where o.claimed_at > now() - interval '1 minute') < 25
       and count(*) filter (where o.claimed_at > now() - interval '1 hour') < 50
       and count(*) < 200
     from private.share_notifications o
     where o.sender_id = $2 and o.claimed_at > now() - interval '1 day' and o.id <> $1)
    and (select count(*) filter (where o.claimed_at > now() - interval '1 minute') < 3
       and count(*) filter (where o.sender_id = $2) < 5
       and count(*) < 10
     from private.share_notifications o
     where o.mailbox = private.mailbox_of($3) and o.claimed_at > now() - interval '1 day' and o.id <> $1)
$function$;

CREATE OR REPLACE FUNCTION private.may_share()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_token_good('{share}');
end
$function$;
grant execute on function private.may_share() to authenticated;
comment on function private.may_share() is 'realtime: reads private.account_closures';

CREATE OR REPLACE FUNCTION private.may_write_links()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_token_good('{links:write}');
end
$function$;
grant execute on function private.may_write_links() to authenticated;
comment on function private.may_write_links() is 'realtime: reads private.account_closures';

CREATE OR REPLACE FUNCTION private.measure_installation()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'database_bytes', pg_database_size(current_database()),
    'mails', (
      select jsonb_agg(jsonb_build_object(
        'queue', q.queue, 'waiting', q.waiting, 'oldest_seconds', coalesce(extract(epoch from now() - q.oldest), 0)
      ) order by q.queue)
      from (
        select 'account' as queue, count(*) as waiting, min(m.queued_at) as oldest
        from private.account_mails m where m.state in ('waiting', 'sending')
        union all
        select 'invitation', count(*), min(n.queued_at)
        from (
          select w.queued_at, w.id, w.sender_id, w.email from private.share_notifications w
          where w.state in ('waiting', 'sending') order by w.queued_at limit 1000
        ) n
        where private.may_send_share_mail(n.id, n.sender_id, n.email)
        union all
        select 'access_request', count(*), min(m.queued_at)
        from private.access_request_mails m
        join private.open_access_requests r on r.id = m.request_id
        join auth.users u on u.id = m.owner_id
        where m.state in ('waiting', 'sending') and not private.wants_no_share_mail(private.mailbox_of(u.email))
        union all
        select 'daily', count(*), min(d.due_at)
        from private.daily_mails d where d.unsubscribed_at is null and d.due_at <= now()
      ) q
    ),
    'rounds', coalesce((
      select jsonb_agg(jsonb_build_object('round', r.round, 'finished_at', extract(epoch from r.finished_at)) order by r.round)
      from private.finished_rounds r
    ), '[]')
  )
$function$;
grant execute on function private.measure_installation() to service_role;

CREATE OR REPLACE FUNCTION private.measure_payments()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'events', coalesce((
      select jsonb_agg(to_jsonb(e)) from (
        select type, coalesce(outcome, 'waiting') as outcome, count(*) as count from private.stripe_events group by 1, 2
      ) e
    ), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(to_jsonb(s)) from (
        select plan, subscription_status as state, count(*) as count from public.subscribers
        where subscription_status is not null group by 1, 2
      ) s
    ), '[]'),
    'reconciliation', (
      select jsonb_build_object(
        'finished_at', extract(epoch from r.finished_at), 'checked', r.checked, 'repaired', r.repaired
      ) from private.subscription_reconciliation r
    )
  )
$function$;
grant execute on function private.measure_payments() to service_role;

CREATE OR REPLACE FUNCTION private.monthly_cents(s public.subscribers)
 RETURNS numeric
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (((s).subscription_status = 'active'::text) AND (NOT COALESCE(((s).trial_end > now()), false))) THEN ((COALESCE((s).amount_cents, 0))::numeric / (CASE (s).billing_interval WHEN 'year'::text THEN 12 ELSE 1 END)::numeric) ELSE (0)::numeric END;

CREATE OR REPLACE FUNCTION private.most(what text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'favorites' then 1000
    when 'saved_searches' then 100
    when 'invitations' then 10000
    when 'groups' then 100
    when 'group_emails' then 500
    when 'bin_rows' then 100000
    when 'act_rows' then 100000
    when 'rows_of_act' then 20000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$function$;

CREATE OR REPLACE FUNCTION private.most_tags(whose text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select case whose when 'person' then 10000 when 'link' then 20 when 'undo' then 30 end $function$;

CREATE OR REPLACE FUNCTION private.name_from_metadata(metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select nullif(btrim(left(btrim(coalesce(
    nullif(btrim(metadata ->> 'name'), ''),
    nullif(btrim(concat_ws(' ', nullif(btrim(metadata ->> 'firstName'), ''), nullif(btrim(metadata ->> 'lastName'), ''))), ''),
    metadata ->> 'full_name'
  )), 100)), '')
$function$;

CREATE OR REPLACE FUNCTION private.names_match(names text[], wanted text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select case
    when wanted = any (names) then array[wanted]
    else array(select distinct n from unnest(names) as n where strpos(n, wanted) > 0)
  end
$function$;

CREATE OR REPLACE FUNCTION private.needed_words(whole text, wanted text[], places text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select case
    when cardinality(wanted) = 0 then array[left(whole, 100)]
    else array(
      select left(w.word, 100) from unnest(wanted) with ordinality as w(word, nth)
      where not exists (select from unnest(places) as p where strpos(p, w.word) > 0)
      order by w.nth
    )
  end
$function$;

CREATE OR REPLACE FUNCTION private.new_mail_local_part()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select string_agg(substr('abcdefghijklmnopqrstuvwxyz234567', 1 + (get_byte(r.bytes, n) & 31), 1), '' order by n)
  from (select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) as bytes) as r, generate_series(0, 23) as n
$function$;

CREATE OR REPLACE FUNCTION private.new_webhook_secret()
 RETURNS bytea
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) $function$;

CREATE OR REPLACE FUNCTION private.normalize_search_text(source text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  source := replace(replace(replace(source, E'\n', ' '), E'\r', ' '), E'\t', ' ');
  if strpos(source, '  ') > 0 then
    source := regexp_replace(source, ' {2,}', ' ', 'g');
  end if;
  if octet_length(source) <> char_length(source) then
    source := extensions.unaccent('extensions.unaccent', source);
  end if;
  return lower(source);
end
$function$;

CREATE OR REPLACE FUNCTION private.note_activity()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.user_activity (day, user_id) values (private.brasilia_day(now()), new.user_id) on conflict do nothing;
  return null;
exception when others then
  -- Nobody is kept from signing in for the sake of a figure.
  raise warning 'activity of user % was not noted: %', new.user_id, sqlerrm;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_category_changes(act text, category_ids uuid[], counts bigint[], subjects text[], doer text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'on'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  caller constant uuid := auth.uid();
  -- Whom something is shared with is not undone with an act.
  call_key constant text := case when $5 <> '' and $1 not in ('published', 'unpublished', 'shared', 'unshared') then private.act_key() end;
begin
  with happened as (
    select h.category_id, h.count::integer as count, h.subject, nullif(caller, c.user_id) as person_id, a.id as act_id
    from unnest($2, $3, $4) as h(category_id, count, subject)
    join public.categories c on c.id = h.category_id
    left join private.program_acts a on a.owner_id = c.user_id and a.person_id = caller and a.key = call_key and a.undone_at is null
  ), latest as (
    select l.id from happened h cross join lateral (
      select x.id, x.act, x.program, x.person_id, x.act_id, x.changed_at from private.category_changes x
      where x.category_id = h.category_id order by x.id desc limit 1
    ) as l
    where l.act = $1 and l.program is not distinct from $5 and l.person_id is not distinct from h.person_id
      and l.act_id is not distinct from h.act_id and l.changed_at > now() - interval '5 minutes'
  ), own as (
    -- Whoever else adds to one of them right now gets a row of their own: nobody waits for a history.
    select c.id from private.category_changes c where c.id in (select l.id from latest l) for update skip locked
  ), added as (
    update private.category_changes c set count = c.count + h.count, changed_at = now()
    from own o, happened h where c.id = o.id and h.category_id = c.category_id
    returning c.category_id
  )
  insert into private.category_changes (category_id, act, count, subject, program, person_id, act_id)
  select h.category_id, $1, h.count, left(h.subject, 100), $5, h.person_id, h.act_id from happened h
  where h.category_id not in (select a.category_id from added a);
end
$function$;

CREATE OR REPLACE FUNCTION private.note_category_updates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  doer constant text := private.acting_program();
  change record;
begin
  if doer <> '' then
    with changed as materialized (
      select a.id, a.user_id, private.category_trace(a.name, a.description) as became,
        case when a.name <> r.name then jsonb_build_object('name', r.name) else '{}' end
        || case when a.description is distinct from r.description then jsonb_build_object('description', r.description) else '{}' end as was
      from added a join removed r on r.id = a.id
      where a.name <> r.name or a.description is distinct from r.description
    ), opened as materialized (
      select o.user_id, p.act_id, p.is_kept
      from (select c.user_id, count(*) as n from changed c group by c.user_id order by c.user_id) as o
      cross join lateral private.open_program_act(o.user_id, o.n) as p
    )
    insert into private.program_act_rows as r (act_id, kind, row_id, was, became)
    select p.act_id, 'category', c.id, c.was, private.same_fields(c.became, c.was)
    from opened p join changed c on c.user_id = p.user_id
    where p.is_kept
    on conflict (act_id, kind, row_id) do update set was = excluded.was || r.was, became = r.became || excluded.became;
  end if;
  for change in
    select g.act, array_agg(g.id) as ids, array_agg(1::bigint) as counts, array_agg(g.name) as subjects
    from (
      select 'renamed' as act, c.id, c.name
      from (select id, name, description from added except select id, name, description from removed) as c
      union all
      select case when c.is_public then 'published' else 'unpublished' end, c.id, null
      from (select id, is_public from added except select id, is_public from removed) as c
    ) as g
    group by g.act
  loop
    perform private.note_category_changes(change.act, change.ids, change.counts, change.subjects, doer);
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_idempotent_answer(key text, answer json)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.writer_id();
  caller_program text := private.calling_program();
begin
  update private.idempotency_keys k set answer = $2
  where k.user_id = caller and k.program = caller_program and k.key = $1 and k.answer is null;
end
$function$;
grant execute on function private.note_idempotent_answer(text,json) to authenticated;

CREATE OR REPLACE FUNCTION private.note_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  doer constant text := private.acting_program();
  change record;
begin
  if tg_op = 'INSERT' then
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts into change
    from (select category_id, count(*) as n from added group by category_id) as g;
    perform private.note_category_changes('shared', change.ids, change.counts, '{}', doer);
  else
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts into change
    from (select category_id, count(*) as n from removed group by category_id) as g;
    perform private.note_category_changes('unshared', change.ids, change.counts, '{}', doer);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_link_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  doer constant text := private.acting_program();
  change record;
begin
  if tg_op = 'INSERT' then
    if doer <> '' then
      with opened as materialized (
        select o.user_id, p.act_id, p.is_kept
        from (select user_id, count(*) as n from added group by user_id order by user_id) as o
        cross join lateral private.open_program_act(o.user_id, o.n) as p
      )
      insert into private.program_act_rows as r (act_id, kind, row_id, became)
      select p.act_id, 'link', a.id, private.link_trace(a.url, a.title, a.description, a.category_id)
      from opened p join added a on a.user_id = p.user_id
      where p.is_kept
      on conflict (act_id, kind, row_id) do update set became = excluded.became, happened_at = excluded.happened_at;
    end if;
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into change
    from (select category_id, count(*) as n, min(title) as title from added group by category_id) as g;
    perform private.note_category_changes('saved', change.ids, change.counts, change.subjects, doer);
  elsif tg_op = 'DELETE' then
    if doer <> '' then
      -- What went with its category has no history, and lies in the bin with it.
      with gone as materialized (
        select r.id, r.user_id from removed r join public.categories c on c.id = r.category_id
      ), opened as materialized (
        select o.user_id, p.act_id, p.is_kept
        from (select g.user_id, count(*) as n from gone g group by g.user_id order by g.user_id) as o
        cross join lateral private.open_program_act(o.user_id, o.n) as p
      )
      insert into private.program_act_rows as r (act_id, kind, row_id, was)
      select p.act_id, 'link', g.id, '{}'
      from opened p join gone g on g.user_id = p.user_id
      where p.is_kept
      on conflict (act_id, kind, row_id) do update set became = null, happened_at = excluded.happened_at;
    end if;
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into change
    from (select category_id, count(*) as n, min(title) as title from removed group by category_id) as g;
    perform private.note_category_changes('deleted', change.ids, change.counts, change.subjects, doer);
  else
    if doer <> '' then
      -- A full join: each row is met once, whatever the number.
      with changed as materialized (
        select a.id, a.user_id, private.link_trace(a.url, a.title, a.description, a.category_id) as became,
          case when a.url <> r.url then jsonb_build_object('url', r.url) else '{}' end
          || case when a.title <> r.title then jsonb_build_object('title', r.title) else '{}' end
          || case when a.description is distinct from r.description then jsonb_build_object('description', r.description) else '{}' end
          || case when a.category_id <> r.category_id then jsonb_build_object('category_id', r.category_id) else '{}' end as was
        from added a full join removed r on r.id = a.id
        where (a.url, a.title, a.category_id) <> (r.url, r.title, r.category_id) or a.description is distinct from r.description
      ), opened as materialized (
        select o.user_id, p.act_id, p.is_kept
        from (
          select c.user_id, sum(1 + octet_length(c.was::text) / 1000) as weight from changed c group by c.user_id order by c.user_id
        ) as o
        cross join lateral private.open_program_act(o.user_id, o.weight) as p
      )
      insert into private.program_act_rows as r (act_id, kind, row_id, was, became)
      select p.act_id, 'link', c.id, c.was, private.same_fields(c.became, c.was)
      from opened p join changed c on c.user_id = p.user_id
      where p.is_kept
      on conflict (act_id, kind, row_id) do update set
        -- Of what the act itself had made there is nothing that it was before.
        was = case when r.was is not null then excluded.was || r.was end, became = r.became || excluded.became;
    end if;
    for change in
      select g.act, array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects
      from (
        select m.act, m.category_id, count(*) as n, min(m.title) as title
        from added a join removed r on r.id = a.id
        cross join lateral (
          select 'changed' as act, a.category_id, a.title
          where (a.url, a.title) <> (r.url, r.title) or a.description is distinct from r.description
          union all select 'moved_in', a.category_id, a.title where a.category_id <> r.category_id
          union all select 'moved_out', r.category_id, r.title where a.category_id <> r.category_id
        ) as m
        group by m.act, m.category_id
      ) as g
      group by g.act
    loop
      perform private.note_category_changes(change.act, change.ids, change.counts, change.subjects, doer);
    end loop;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_link_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  doer constant text := private.acting_program();
  changed_links uuid[];
  changed_tags uuid[];
  tagged record;
  opened record;
  -- Links that the act has not tagged before, nor made.
  fresh uuid[];
  places record;
begin
  if doer is null or doer = '' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    select array_agg(a.link_id), array_agg(a.tag_id) into changed_links, changed_tags from added a;
  else
    select array_agg(r.link_id), array_agg(r.tag_id) into changed_links, changed_tags from removed r;
  end if;
  -- The tags of a link that is gone lie in the bin with it.
  for tagged in
    select l.user_id, array_agg(k.link_id) as link_ids, array_agg(k.tag_id) as tag_ids, count(distinct k.link_id) as n
    from unnest(changed_links, changed_tags) as k(link_id, tag_id) join public.links l on l.id = k.link_id
    group by l.user_id order by l.user_id
  loop
    opened := private.open_program_act(tagged.user_id, tagged.n);
    continue when opened.act_id is null;
    fresh := array(
      select distinct u.id from unnest(tagged.link_ids) as u(id)
      except
      select r.row_id from private.program_act_rows r
      where r.act_id = opened.act_id and r.kind = 'link' and (r.was is null or r.tags_given <> '{}' or r.tags_taken <> '{}')
    );
    if opened.is_kept then
      insert into private.program_act_rows as r (act_id, kind, row_id, was, became, tags_given, tags_taken)
      select opened.act_id, 'link', k.link_id, '{}', '{}', case when tg_op = 'INSERT' then array_agg(k.tag_id) else '{}' end,
        case when tg_op = 'DELETE' then array_agg(k.tag_id) else '{}' end
      from unnest(tagged.link_ids, tagged.tag_ids) as k(link_id, tag_id)
      group by k.link_id
      on conflict (act_id, kind, row_id) do update set
        tags_given = private.without(r.tags_given || private.without(excluded.tags_given, r.tags_taken), excluded.tags_taken),
        tags_taken = private.without(r.tags_taken || private.without(excluded.tags_taken, r.tags_given), excluded.tags_given);
    end if;
    select array_agg(g.category_id) as ids, array_agg(g.n) as counts, array_agg(g.title) as subjects into places
    from (
      select l.category_id, count(*) as n, min(l.title) as title from public.links l where l.id = any (fresh) group by l.category_id
    ) as g;
    perform private.note_category_changes('tagged', places.ids, places.counts, places.subjects, doer);
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_refused_mail(person uuid, message_key text, sender text, subject text, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.refused_mails as r (user_id, message_key, sender, subject, reason)
  values (person, $2, left(coalesce($3, ''), 254), left(coalesce($4, ''), 100), $5)
  on conflict on constraint refused_mails_once do update set
    sender = excluded.sender, subject = excluded.subject, reason = excluded.reason, refused_at = excluded.refused_at;
  delete from private.refused_mails r
  where r.user_id = person and r.id in (
    select o.id from private.refused_mails o where o.user_id = person order by o.refused_at desc, o.id offset 20
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.note_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  doer constant text := private.acting_program();
  made record;
  opened record;
begin
  if doer is null or doer = '' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    for made in select user_id, count(*) as n, array_agg(id) as ids from added group by user_id order by user_id loop
      opened := private.open_program_act(made.user_id, made.n);
      update private.program_acts a set made_tags = a.made_tags || made.ids where a.id = opened.act_id and opened.is_kept;
    end loop;
  else
    with opened as materialized (
      select o.user_id, p.act_id, p.is_kept
      from (select user_id, count(*) as n from removed group by user_id order by user_id) as o
      cross join lateral private.open_program_act(o.user_id, o.n) as p
    )
    insert into private.program_act_rows (act_id, kind, row_id, was)
    select p.act_id, 'tag', r.id, to_jsonb(r) from opened p join removed r on r.user_id = p.user_id
    where p.is_kept
    on conflict do nothing;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_webhook_delivery(delivery_id uuid, outcome text, status integer DEFAULT NULL::integer, milliseconds integer DEFAULT NULL::integer, retry_after_seconds integer DEFAULT NULL::integer, sent_to text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  moment constant timestamptz := clock_timestamp();
  wished constant interval := make_interval(secs => least(greatest(coalesce(retry_after_seconds, 0), 0), 3600));
  hook private.webhooks;
  sent private.webhook_deliveries;
  gate timestamptz;
  is_left boolean;
begin
  select w.* into hook from private.webhooks w
  where w.id = (select d.webhook_id from private.webhook_deliveries d where d.id = delivery_id) for no key update;
  if not found then
    return true;
  end if;
  is_left := coalesce(sent_to <> hook.url, false);
  if outcome = 'delivered' then
    -- A fifth of a second between two: what a person does must not become a flood at somebody's door.
    gate := moment + interval '200 ms';
    update private.webhooks w set failures = 0, failing_since = null where w.id = hook.id;
    if hook.failures > 4 then
      update private.webhook_deliveries d set due_at = moment where d.webhook_id = hook.id and d.state = 'waiting';
    end if;
  else
    gate := moment + case
      when is_left then interval '200 ms' else greatest(private.webhook_pause(hook.failures + 1), wished)
    end;
    update private.webhooks w set failures = w.failures + 1, failing_since = coalesce(w.failing_since, moment)
    where w.id = hook.id and not is_left;
  end if;
  update private.webhook_deliveries d set
    state = case when outcome = 'delivered' then 'delivered' when d.give_up_at <= moment then 'failed' else 'waiting' end,
    attempts = d.attempts + 1,
    due_at = case when is_left or d.attempts + 1 < 4 then gate else gate + private.webhook_pause(d.attempts + 1) end,
    attempted_at = moment, outcome = note_webhook_delivery.outcome, status = note_webhook_delivery.status,
    milliseconds = note_webhook_delivery.milliseconds
  where d.id = delivery_id and d.state = 'waiting'
  returning d.* into sent;
  update private.webhooks w set rest_until = gate, due_at = coalesce(
    (select greatest(gate, d.due_at) from private.webhook_deliveries d
     where d.webhook_id = hook.id and d.state = 'waiting' order by d.due_at limit 1),
    'infinity'
  ) where w.id = hook.id;
  if hook.off_at is not null or hook.deleted_at is not null then
    return true;
  elsif outcome <> 'delivered' and status = 410 and not is_left then
    -- The receiver says that it is no more (Standard Webhooks).
    perform private.turn_webhook_off(hook.id, 'gone');
    return true;
  elsif outcome <> 'delivered' and hook.failing_since <= moment - interval '3 days' then
    perform private.turn_webhook_off(hook.id, 'failing');
    return true;
  end if;
  return false;
end
$function$;
grant execute on function private.note_webhook_delivery(uuid,text,integer,integer,integer,text) to service_role;

CREATE OR REPLACE FUNCTION private.notify_mail_queued()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_notify('linkoteca_mails', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.number_rows(ids uuid[])
 RETURNS TABLE(id uuid, number bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  caller uuid := private.reader_id();
begin
  if cardinality(ids) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 por vez';
  end if;
  -- In one order for everybody, so that no two wait for each other.
  insert into private.short_ids (user_id, id)
  select caller, own.id from (
    select l.id from public.links l where l.id = any (ids) and l.user_id = caller
    union all
    select t.id from public.tags t where t.id = any (ids) and t.user_id = caller
  ) as own
  where not exists (select from private.short_ids s where s.user_id = caller and s.id = own.id)
  order by own.id
  on conflict on constraint short_ids_one_each do nothing;
  return query select s.id, s.number from private.short_ids s where s.user_id = caller and s.id = any (ids);
end
$function$;
grant execute on function private.number_rows(uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION private.numbered_row(number bigint)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select s.id from private.short_ids s where s.number = $1 and s.user_id = (select private.reader_id()) $function$;
grant execute on function private.numbered_row(bigint) to authenticated;

CREATE OR REPLACE FUNCTION private.object_bytes(owners uuid[])
 RETURNS TABLE(user_id uuid, bytes bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  return query execute
    'select o.owner_id::uuid, sum(coalesce((o.metadata ->> ''size'')::bigint, 0))::bigint
     from storage.objects o where o.owner_id = any ($1::text[]) group by o.owner_id'
    using owners;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_deletion(caller uuid, links_gone bigint, categories_gone bigint, from_folder uuid, from_category uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  opened bigint;
begin
  insert into private.deletions as d (
    user_id, transaction_id, deleted_at, link_count, category_count, zones_until, rows_until, folder_name, category_name
  )
  select n.user_id, pg_current_xact_id(), now(), n.link_count + links_gone, n.category_count + categories_gone,
    coalesce((select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity'),
    coalesce((select max(o.rows_until) from private.deletions o where o.user_id = caller), 0), f.name, c.name
  from public.library_counts n
  left join public.categories c on c.id = from_category
  left join public.folders f on f.id = coalesce(from_folder, c.folder_id)
  where n.user_id = caller
  on conflict (user_id, transaction_id, deleted_at) do update set
    link_count = greatest(d.link_count, excluded.link_count),
    category_count = greatest(d.category_count, excluded.category_count),
    zones_until = greatest(d.zones_until, excluded.zones_until)
  returning d.id into opened;
  return opened;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_inbox_of(person uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  inbox uuid;
  folder uuid;
begin
  -- A lock of its own: whoever held the counters here and waited for a folder of the same name could be waited for in a circle.
  perform pg_advisory_xact_lock(hashtextextended('inbox of ' || person::text, 0));
  select c.id into inbox
  from public.inboxes i join public.categories c on c.id = i.category_id and c.user_id = person
  where i.user_id = person;
  if found then
    return inbox;
  end if;
  insert into public.folders (name, user_id) values ('Minha biblioteca', person)
  on conflict on constraint folders_name_unique_per_user do nothing;
  select f.id into folder
  from public.folders f
  where f.user_id = person and f.name ~ '^Minha biblioteca( \([0-9]+\))?$'
    and not exists (select from public.folder_members m where m.folder_id = f.id)
    and not exists (select from private.folder_groups s where s.folder_id = f.id)
  order by f.name = 'Minha biblioteca' desc, f.created_at, f.id limit 1;
  if not found then
    insert into public.folders (name, user_id) values (private.free_folder_name(person, 'Minha biblioteca'), person) returning id into folder;
  end if;
  insert into public.categories (name, folder_id, user_id) values ('Entrada', folder, person) returning id into inbox;
  insert into public.inboxes (user_id, category_id) values (person, inbox)
  on conflict on constraint inboxes_pkey do update set category_id = excluded.category_id;
  return inbox;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_program_act(owner uuid, weight bigint, OUT act_id bigint, OUT is_kept boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  act private.program_acts;
begin
  insert into private.program_acts as a (owner_id, person_id, key, row_count, rows_until)
  select owner, auth.uid(), private.act_key(), weight, weight + coalesce((
    select max(o.rows_until) from private.program_acts o where o.owner_id = owner
  ), 0)
  from public.library_counts n where n.user_id = owner
  on conflict (owner_id, person_id, key) where undone_at is null
  do update set row_count = a.row_count + excluded.row_count, rows_until = a.rows_until + excluded.row_count
  returning * into act;
  act_id := act.id;
  is_kept := act.row_count <= private.most('rows_of_act');
  if is_kept is false then
    delete from private.program_act_rows r where r.act_id = act.id;
  end if;
  -- The oldest go. One that is just being undone is left for the next time: nobody waits for it.
  delete from private.program_acts a where a.id = any (array(
    select o.id from private.program_acts o
    where o.owner_id = owner and o.rows_until <= act.rows_until - private.most('act_rows') and o.id <> act.id
    order by o.rows_until limit 1000 for update skip locked
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.open_tag_change(caller uuid, owner uuid DEFAULT NULL::uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  opened bigint;
begin
  perform from public.library_counts n where n.user_id = coalesce(owner, caller) for no key update;
  if not found then
    raise exception using
      errcode = '42501', message = 'Você precisa estar autenticado para realizar esta operação';
  end if;
  delete from private.tag_changes where id = any (array(
    select c.id from private.tag_changes c where c.user_id = caller order by c.id desc offset private.most_tags('undo') - 1
  ));
  insert into private.tag_changes (user_id, owner_id) values (caller, coalesce(owner, caller)) returning id into opened;
  return opened;
end
$function$;

CREATE OR REPLACE FUNCTION private.openable_category_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with by_folder as materialized (
    select c.id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where r.person_id = auth.uid() and not c.is_held_back
  )
  select coalesce(array_agg(openable.id), '{}')
  from (
    (
      select s.category_id as id
      from public.shared_with s
      where s.email = lower(auth.email()) and s.category_id not in (select f.id from by_folder f)
      order by s.category_id = (select c.category_id from private.chosen_shares c where c.user_id = auth.uid()) desc nulls last,
        s.created_at, s.category_id
      limit coalesce(
        (select coalesce(l.max_received_shares, 2147483647)
         from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = auth.uid()),
        (select max_received_shares from private.plan_limits where plan = 'free')
      )
    )
    union all
    select f.id from by_folder f
  ) as openable
$function$;
grant execute on function private.openable_category_ids() to authenticated;
comment on function private.openable_category_ids() is 'realtime: reads public.shared_with, public.folder_members, private.chosen_shares, public.profiles, private.plan_limits, private.account_closures';

CREATE OR REPLACE FUNCTION private.order_by_meaning(caller uuid, hits uuid[], whole text, wanted text[], word_tags uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  patterns text[] := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(wanted) as w);
  -- A word begins at the start, after a blank, or after a sign that separates.
  spread_whole text := ' ' || translate(whole, '([{"''/-.,:;#@|_', '               ');
  spread_wanted text[] := array(
    select ' ' || translate(w.word, '([{"''/-.,:;#@|_', '               ')
    from unnest(wanted) with ordinality as w(word, place) order by w.place
  );
begin
  return array(
    select k.id
    from (
      select h.id, l.created_at, f.link_id is not null as is_favorite, named.title, named.host,
        ' ' || translate(named.title, '([{"''/-.,:;#@|_', '               ') as spread_title,
        case
          when strpos(text.body || tags.lines, whole) > 0 then 3
          when text.body || tags.lines like all (patterns) then 2
          else 1
        end as rank
      from unnest(hits[1:100]) as h(id)
      join public.links l on l.id = h.id
      left join public.favorites f on f.link_id = h.id and f.user_id = caller
      cross join lateral (
        -- A text in one piece is as it was written down; of several the first one is not known.
        select case
          when count(*) = 1 then min(s.piece)
          else private.link_search_text(l.title, l.url, l.description)
        end as body
        from private.link_search s
        where s.user_id = caller and s.created_at = l.created_at and s.id = l.id
      ) as text
      cross join lateral (
        -- A line for each tag: no term matches across two.
        select case when cardinality(word_tags) > 0 then coalesce((
          select E'\n' || string_agg(t.folded, E'\n') from public.link_tags k join public.tags t on t.id = k.tag_id
          where k.link_id = l.id and k.tag_id = any (word_tags)
        ), '') else '' end as lines
        offset 0
      ) as tags
      cross join lateral (
        select split_part(text.body, E'\n', 1) as title,
          coalesce(substring(split_part(text.body, E'\n', 2) from '^https?://(?:[^/?#]*@)?([^/?#:]+)'), '') as host
        offset 0
      ) as named
      offset 0
    ) as k
    order by k.rank desc, case
      when k.rank = 3 then
        case
          when left(k.title, length(whole)) = whole then 3
          when strpos(k.spread_title, spread_whole) > 0 then 2
          when strpos(k.host, whole) > 0 then 1
          else 0
        end
      -- Of several words the one that says least.
      else coalesce((
        select min(case
          when left(k.title, length(u.word)) = u.word or strpos(k.spread_title, u.spread) > 0 then 2
          when strpos(k.host, u.word) > 0 then 1
          else 0
        end)
        from unnest(wanted, spread_wanted) as u(word, spread)
      ), 0)
    end desc, k.is_favorite desc, k.created_at desc, k.id desc
  ) || hits[101:];
end
$function$;

CREATE OR REPLACE FUNCTION private.order_by_rarity(caller uuid, bits integer[])
 RETURNS integer[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select b.place
    from (select distinct place from unnest(bits) as u(place)) as b
    cross join (
      select z.grams from private.link_search_zones z where z.user_id = caller order by z.newest desc limit 16
    ) as recent
    group by b.place
    order by sum(get_bit(recent.grams, b.place)), b.place
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.order_parameters(query text, host text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  kept constant text := '3a|2f|3f|23|5b|5d|40|21|24|26|28|29|2a|2b|2c|3b|3d';
  is_plain boolean := strpos(query, '%') = 0 and strpos(query, '+') = 0;
  parameters text[] := '{}';
  names text[] := '{}';
  is_in_order boolean := true;
  parameter text;
  name text;
begin
  foreach parameter in array string_to_array(query, '&') loop
    continue when parameter = '';
    name := split_part(parameter, '=', 1);
    if not is_plain then
      parameter := private.decode_address(replace(parameter, '+', '%20'), kept);
      name := private.decode_address(replace(name, '+', '%20'), kept);
    end if;
    continue when private.is_tracking_parameter(name, host);
    is_in_order := is_in_order and (names = '{}' or names[cardinality(names)] <= name collate "C");
    parameters := parameters || parameter;
    names := names || name;
  end loop;
  if is_in_order then
    return nullif(array_to_string(parameters, '&'), '');
  end if;
  return (
    select string_agg(u.parameter, '&' order by u.name collate "C", u.place)
    from unnest(parameters, names) with ordinality as u(parameter, name, place)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.outdate_cover()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.link_covers c set state = 'old', leftover_since = coalesce(c.leftover_since, now()) where c.link_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.own_category_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(id), '{}') from public.categories where user_id = auth.uid()
$function$;
grant execute on function private.own_category_ids() to authenticated;
comment on function private.own_category_ids() is 'realtime: reads public.categories';

CREATE OR REPLACE FUNCTION private.own_webhook(caller uuid, webhook_id uuid)
 RETURNS private.webhooks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  found_hook private.webhooks;
begin
  select w.* into found_hook from private.webhooks w
  where w.id = webhook_id and w.user_id = caller and w.deleted_at is null
  for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Webhook não encontrado';
  end if;
  return found_hook;
end
$function$;

CREATE OR REPLACE FUNCTION private.page_of_links(caller uuid, whole text, hits uuid[], most bigint, page integer)
 RETURNS TABLE(id uuid, title text, description text, url text, category_id uuid, category_name text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  words record := private.search_words(whole);
  skipped integer := least(most * (greatest(coalesce(page, 1), 1)::bigint - 1), 1000000);
begin
  if whole <> '' then
    hits := private.order_by_meaning(caller, hits, whole, words.wanted, private.tags_holding(caller, words.wanted || words.unwanted || whole));
  end if;
  return query
    select l.id, l.title, l.description, l.url, l.category_id, c.name
    from unnest(hits[skipped + 1:skipped + most::integer]) with ordinality as hit(id, place)
    join public.links l on l.id = hit.id
    join public.categories c on c.id = l.category_id
    order by hit.place;
end
$function$;

CREATE OR REPLACE FUNCTION private.pieces_hold(caller uuid, moment timestamp with time zone, link_id uuid, needles text[], unwanted text[])
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  whole text := (
    select string_agg(s.piece, E'\n') from private.link_search s
    where s.user_id = caller and s.created_at = moment and s.id = link_id
  );
begin
  return not exists (select from unnest(needles) as n where strpos(whole, n) = 0)
    and not exists (select from unnest(unwanted) as u where strpos(whole, u) > 0);
end
$function$;

CREATE OR REPLACE FUNCTION private.place_group_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A folder that is given back has the members that it had (private.restore_members).
  if exists (select from private.restorations) then
    return null;
  end if;
  if tg_table_name = 'folder_groups' then
    insert into public.folder_members (folder_id, email, role, group_id)
    select s.folder_id, m.email, s.role, s.group_id
    from added a
    join private.folder_groups s on s.folder_id = a.folder_id and s.group_id = a.group_id
    join private.group_members m on m.group_id = s.group_id and m.email is distinct from lower(auth.email())
    order by s.folder_id, m.email
    for key share of s, m;
  else
    insert into public.folder_members (folder_id, email, role, group_id)
    select s.folder_id, a.email, s.role, s.group_id
    from added a join private.folder_groups s on s.group_id = a.group_id
    order by s.folder_id, a.email
    for key share of s;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_category_changes(at_most integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  purged integer;
begin
  delete from private.category_changes where id = any (array(
    select h.id from private.category_changes h
    where h.changed_at < now() - interval '30 days' order by h.changed_at limit at_most for update skip locked
  ));
  get diagnostics purged = row_count;
  delete from private.program_acts where id = any (array(
    select w.id from (
      select o.id, sum(o.row_count) over (order by o.started_at, o.id) - o.row_count as before
      from (
        select a.id, a.started_at, a.row_count from private.program_acts a
        where a.started_at < now() - interval '30 days' order by a.started_at limit at_most
      ) as o
    ) as w
    where w.before < at_most
  ));
  -- Whoever purges in parts goes on while there is more of either.
  return case
    when exists (select from private.program_acts a where a.started_at < now() - interval '30 days') then at_most else purged
  end;
end
$function$;
grant execute on function private.purge_category_changes(integer) to service_role;

CREATE OR REPLACE FUNCTION private.purge_deletions(at_most integer DEFAULT 100000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  purged integer;
begin
  if not exists (select from private.deletions where purge_after <= now()) then
    return 0;
  end if;
  delete from private.deleted_rows where ctid = any (array(
    select r.ctid
    from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.purge_after <= now() and not private.is_bin_at_rest(d)
    limit at_most for update of r skip locked
  ));
  get diagnostics purged = row_count;
  if purged < at_most then
    delete from private.deletions where ctid = any (array(
      select d.ctid from private.deletions d
      where d.purge_after <= now() and not private.is_bin_at_rest(d)
        and not exists (select from private.deleted_rows r where r.deletion_id = d.id)
      for update skip locked
    ));
  end if;
  return purged;
end
$function$;
grant execute on function private.purge_deletions(integer) to service_role;

CREATE OR REPLACE FUNCTION private.purge_idempotency_keys(at_most integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  purged integer;
begin
  delete from private.idempotency_keys where ctid = any (array(
    select k.ctid from private.idempotency_keys k
    where k.created_at < now() - interval '24 hours' order by k.created_at limit at_most for update skip locked
  ));
  get diagnostics purged = row_count;
  return purged;
end
$function$;
grant execute on function private.purge_idempotency_keys(integer) to service_role;

CREATE OR REPLACE FUNCTION private.purge_imports()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.imports where ctid = any (array(
    select i.ctid from private.imports i
    where i.started_at < now() - private.import_window()
    order by i.started_at
    limit 100 for update skip locked
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_short_ids(at_most integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  purged integer;
begin
  delete from private.short_ids where number = any (array(
    select s.number from private.short_ids s
    where not exists (select from public.links l where l.id = s.id)
      and not exists (select from public.tags t where t.id = s.id)
      and not exists (select from private.deleted_rows r where r.id = s.id)
    limit at_most
  ));
  get diagnostics purged = row_count;
  return purged;
end
$function$;
grant execute on function private.purge_short_ids(integer) to service_role;

CREATE OR REPLACE FUNCTION private.purge_webhooks(at_most integer DEFAULT 10000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  old constant timestamptz := now() - interval '30 days';
  purged integer;
begin
  delete from private.webhooks w where w.deleted_at < now() - interval '1 hour';
  delete from private.webhook_deliveries d where d.id = any (array(
    select o.id from private.webhook_deliveries o where o.created_at < old
    union all
    select o.id
    from private.webhooks w
    cross join lateral (
      select x.number from private.webhook_deliveries x
      where x.webhook_id = w.id order by x.number desc offset 1000 limit 1
    ) as surplus
    cross join lateral (
      select s.id from private.webhook_deliveries s
      where s.webhook_id = w.id and s.number <= surplus.number and s.state <> 'waiting' and s.created_at >= old
      limit at_most
    ) as o
    limit at_most
  ));
  get diagnostics purged = row_count;
  return purged;
end
$function$;
grant execute on function private.purge_webhooks(integer) to service_role;

CREATE OR REPLACE FUNCTION private.queue_access_request_mail(request private.access_requests)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.access_request_mails (request_id, owner_id, asker_id)
  select request.id, request.owner_id, request.asker_id
  where (
    select count(*) < 3 and count(*) filter (where m.asker_id = request.asker_id) = 0
    from private.access_request_mails m where m.owner_id = request.owner_id and m.queued_at > now() - interval '1 day'
  )
$function$;

CREATE OR REPLACE FUNCTION private.queue_webhook_event(person uuid, event text, subject text, data jsonb, only_webhook uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  message_id constant text := 'msg_' || gen_random_uuid();
  moment constant text := to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  body constant text := jsonb_build_object('type', event, 'timestamp', moment, 'data', data)::text;
  hook record;
begin
  for hook in
    -- Locked, so that whoever notes that nothing waits any more sees what is queued here.
    select w.id from private.webhooks w
    where w.user_id = person and w.off_at is null and w.deleted_at is null
      and case when only_webhook is null then event = any (w.events) else w.id = only_webhook end
    order by w.id
    for no key update
  loop
    if exists (
      select from private.webhook_deliveries d where d.webhook_id = hook.id and d.state = 'waiting'
      order by d.number offset 9999 limit 1
    ) then
      perform private.turn_webhook_off(hook.id, 'full');
      continue;
    end if;
    insert into private.webhook_deliveries (webhook_id, message_id, type, subject, body)
    values (hook.id, message_id, event, left(subject, 100), body);
    update private.webhooks w set due_at = greatest(w.rest_until, now())
    where w.id = hook.id and w.due_at > greatest(w.rest_until, now());
  end loop;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$function$;

CREATE OR REPLACE FUNCTION private.rank_moment(rank text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select timestamptz 'epoch' + ('x' || rpad(left(rank, 14), 14, 'f'))::bit(56)::bigint * interval '1 microsecond' $function$;

CREATE OR REPLACE FUNCTION private.rank_text(body text, whole text, wanted text[], unwanted text[], place text)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  word text;
  is_any_missing boolean := false;
  is_any_there boolean := false;
begin
  if strpos(body, whole) > 0 then
    return 3;
  end if;
  foreach word in array unwanted loop
    if strpos(body, word) > 0 then
      return 0;
    end if;
  end loop;
  foreach word in array wanted loop
    if strpos(body, word) > 0 then
      is_any_there := true;
    elsif strpos(place, word) > 0 then
      is_any_missing := true;
    else
      return 0;
    end if;
  end loop;
  return case when not is_any_there then 0 when is_any_missing then 1 else 2 end;
end
$function$;

CREATE OR REPLACE FUNCTION private.reach_of_page(most bigint, page integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select greatest(most * greatest(coalesce(page, 1), 1)::bigint, 100) $function$;

CREATE OR REPLACE FUNCTION private.read_group_emails(emails text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select lower(btrim(e.email)) from unnest(emails) with ordinality as e(email, place)
  where lower(btrim(e.email)) is distinct from lower(auth.email())
  group by 1 order by min(e.place)
$function$;

CREATE OR REPLACE FUNCTION private.read_share_emails(emails text[])
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  given text[];
begin
  select coalesce(array_agg(typed.email order by typed.place), '{}') into given
  from (
    select lower(btrim(t.email, E' \t\r\n')) as email, min(t.place) as place
    from unnest(emails) with ordinality as t(email, place)
    group by 1
  ) as typed;
  if not private.are_share_emails(given) then
    raise exception using errcode = 'PT400', message = 'Email inválido';
  end if;
  return array_remove(given, lower(auth.email()));
end
$function$;

CREATE OR REPLACE FUNCTION private.reader_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when private.may_read_links() then auth.uid() end;
end
$function$;

CREATE OR REPLACE FUNCTION private.received_categories()
 RETURNS SETOF public.categories
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.*
  from unnest(private.openable_category_ids()) as o(id)
  join public.categories c on c.id = o.id
  where c.user_id <> private.reader_id() and exists (
    select from auth.users u
    where u.id = private.reader_id() and u.email_confirmed_at is not null and lower(u.email) = lower(auth.email())
  )
$function$;

CREATE OR REPLACE FUNCTION private.received_folder_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(r.folder_id), '{}') from private.folder_places r where r.person_id = auth.uid()
$function$;
grant execute on function private.received_folder_ids() to authenticated;
comment on function private.received_folder_ids() is 'realtime: reads public.folder_members, public.profiles, private.plan_limits, private.account_closures';

CREATE OR REPLACE FUNCTION private.record_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from private.webhooks) then
    perform private.record_sharing_events(array(select distinct category_id from added));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_link_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  event constant text := case tg_op when 'INSERT' then 'link.created' when 'UPDATE' then 'link.updated' else 'link.deleted' end;
  people uuid[];
  person uuid;
  total bigint;
  changed uuid[];
  named public.links[];
begin
  -- Where nobody has a webhook, this is all.
  if not exists (select from private.webhooks) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    people := array(select distinct user_id from removed);
  else
    people := array(select distinct user_id from added);
  end if;
  foreach person in array private.webhook_listeners(people, event) loop
    if tg_op = 'INSERT' then
      select count(*) into total from added where user_id = person;
      named := array(select a::public.links from added a where a.user_id = person order by a.created_at, a.id limit 50);
    elsif tg_op = 'DELETE' then
      select count(*) into total from removed where user_id = person;
      named := array(select r::public.links from removed r where r.user_id = person order by r.created_at, r.id limit 50);
    else
      -- A set operation and no join: a plan that was made for one link must bear twenty thousand.
      changed := array(
        select e.id from (
          select id, url, title, description, category_id, created_at from added where user_id = person
          except
          select id, url, title, description, category_id, created_at from removed where user_id = person
        ) as e
        order by e.created_at, e.id
      );
      total := cardinality(changed);
      named := array(select l from public.links l where l.id = any (changed[1:50]) order by l.created_at, l.id);
    end if;
    if total > 0 then
      perform private.queue_webhook_event(person, event, named[1].title,
        jsonb_build_object('count', total, 'links', private.webhook_links(named)));
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_publications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from private.webhooks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform private.record_sharing_events(array(select id from added where is_public));
  else
    perform private.record_sharing_events(array(
      select id from added where is_public except select id from removed where is_public
    ));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_sharing_events(category_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  person uuid;
  happened record;
begin
  foreach person in array private.webhook_listeners(
    array(select distinct c.user_id from public.categories c where c.id = any (category_ids)), 'category.shared'
  ) loop
    select count(*) as total, min(s.name) filter (where s.place = 1) as subject,
      jsonb_agg(s.category order by s.place) filter (where s.place <= 50) as categories
    into happened
    from (
      select c.name, row_number() over (order by c.name, c.id) as place, jsonb_build_object(
        'id', c.id, 'name', c.name, 'is_public', c.is_public,
        'people', (select count(*) from public.shared_with x where x.category_id = c.id)
      ) as category
      from public.categories c where c.id = any (category_ids) and c.user_id = person
    ) as s;
    perform private.queue_webhook_event(person, 'category.shared', happened.subject,
      jsonb_build_object('count', happened.total, 'categories', happened.categories));
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_search_zones(at_most integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person uuid;
  refreshed integer := 0;
  part integer;
begin
  for person in
    select inexact.user_id
    from (
      select z.user_id from private.link_search_zones z where not z.is_exact order by z.user_id limit at_most
    ) as inexact
    group by inexact.user_id
    order by inexact.user_id
  loop
    perform from public.library_counts n where n.user_id = person for no key update skip locked;
    continue when not found;
    update private.link_search_zones z
    set grams = fresh.grams, summed_at = clock_timestamp(), is_exact = true
    from (
      select inexact.newest, private.search_grams(coalesce(string_agg(s.piece, E'\n'), '')) as grams
      from (
        select i.oldest, i.newest from private.link_search_zones i
        where i.user_id = person and not i.is_exact
        order by i.newest desc limit at_most - refreshed
      ) as inexact
      left join private.link_search s
        on s.user_id = person and s.created_at >= inexact.oldest and s.created_at <= inexact.newest
      group by inexact.newest
    ) as fresh
    where z.user_id = person and z.newest = fresh.newest;
    get diagnostics part = row_count;
    refreshed := refreshed + part;
    exit when refreshed >= at_most;
  end loop;
  return refreshed;
end
$function$;
grant execute on function private.refresh_search_zones(integer) to service_role;

CREATE OR REPLACE FUNCTION private.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using errcode = 'insufficient_privilege', message = 'the audit log only grows';
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_beyond(what text, code text DEFAULT 'P0001'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = code,
    message = format(
      case what
        when 'folders' then 'Limite de %s pastas atingido'
        when 'categories' then 'Limite de %s categorias atingido'
        when 'links' then 'Limite de %s links atingido'
        when 'favorites' then 'Limite de %s favoritos atingido'
        when 'saved_searches' then 'Limite de %s buscas salvas atingido'
        when 'invitations' then 'Limite de %s endereços convidados atingido'
        when 'groups' then 'Limite de %s grupos atingido'
        when 'group_emails' then 'Limite de %s endereços por grupo atingido'
        when 'import_parts' then 'Limite de %s partes importadas em um dia atingido'
        when 'files' then 'Limite de %s arquivos atingido'
        when 'file_name_bytes' then 'O nome de um arquivo tem no máximo %s bytes'
        when 'file_note_bytes' then 'As anotações de um arquivo têm no máximo %s bytes'
      end,
      replace(to_char(private.most(what), 'FM9,999,999'), ',', '.')
    ),
    detail = json_build_object('max', private.most(what))::text,
    hint = 'bound_' || what;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_identity_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = 'insufficient_privilege',
    message = format('id, user_id and created_at of table "%s" cannot change', tg_table_name);
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_page_attempt()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = 'PT429', message = 'Muitas tentativas. Espere alguns minutos e tente de novo.', hint = 'too_many_attempts';
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_sharing_out_of_scope()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_account_open() or private.may_share() then
    return new;
  end if;
  raise exception using errcode = '42501', message = 'Este programa não pode mudar com quem algo é compartilhado.';
end
$function$;

CREATE OR REPLACE FUNCTION private.release_customer(customer_id text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.subscribers s
  set stripe_customer_id = null,
    cancel_at_period_end = false,
    subscription_status = case
      when s.stripe_subscription_id is not null and s.subscription_status in ('active', 'payment_failed')
      then 'canceled' else s.subscription_status
    end
  where s.stripe_customer_id = $1
  returning true
$function$;

CREATE OR REPLACE FUNCTION private.reopen_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  closure private.account_closures;
begin
  -- A manager who is taking a folder over locks it first, too: it is theirs, or it is not.
  perform from public.folders f
  where f.user_id = new.id and exists (
    select from private.account_closures c where c.user_id = new.id and c.reopened_at is null and c.reason = 'deletion'
  )
  order by f.id for no key update;
  update private.account_closures c
  set reopened_at = new.last_sign_in_at, is_notice_due = true
  where c.user_id = new.id and c.reopened_at is null and c.purge_started_at is null
  returning * into closure;
  if not found then
    return null;
  end if;
  insert into private.account_events (event, closure_id) values ('reopened', closure.id);
  if closure.reason = 'deletion' then
    perform private.end_sharing_of_folders(new.id);
  end if;
  if closure.reason = 'inactivity' then
    begin
      perform private.share_again(new.id);
    exception when others then
      -- Nobody is locked out for what could not be shared again.
      raise warning 'shares of user % stay at rest: %', new.id, sqlerrm;
    end;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_header(name text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select nullif(current_setting('request.headers', true), '')::json ->> name
$function$;

CREATE OR REPLACE FUNCTION private.request_network()
 RETURNS inet
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  address inet := coalesce(
    private.request_header('cf-connecting-ip'),
    btrim(split_part(private.request_header('x-forwarded-for'), ',', 1)),
    '0.0.0.0'
  )::inet;
begin
  return case when family(address) = 6 then network(set_masklen(address, 64)) else host(address)::inet end;
exception when invalid_text_representation then
  return '0.0.0.0';
end
$function$;

CREATE OR REPLACE FUNCTION private.require_import_content(content jsonb)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if content is null
    or jsonb_typeof(content -> 'places') is distinct from 'array'
    or jsonb_typeof(content -> 'links') is distinct from 'array'
  then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para a importação';
  elsif jsonb_array_length(content -> 'places') > 1000 or jsonb_array_length(content -> 'links') > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 links por vez';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_import_room(caller uuid, total jsonb)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  kind text;
  allowed integer;
  owner_plan text;
begin
  select f.what, f.allowed, f.plan into kind, allowed, owner_plan
  from public.profiles p
  join private.plan_limits l on l.plan = p.plan
  join public.library_counts n on n.user_id = p.id
  cross join lateral (values
    ('categories', n.category_count, (total ->> 'categories')::bigint, l.max_categories, private.most('categories'), p.plan),
    ('links', n.link_count, (total ->> 'links')::bigint, l.max_links, private.most('links'), p.plan)
  ) as f(what, present, added, allowed, bound, plan)
  where p.id = caller and f.added > 0 and f.present + f.added > least(f.allowed, f.bound)
  limit 1;
  if found and allowed is null then
    perform private.refuse_beyond(kind);
  elsif found then
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case kind when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', kind);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_importer()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  caller uuid := private.caller_id();
begin
  if caller is null then
    raise exception using
      errcode = '42501', message = 'Você precisa estar autenticado para realizar esta operação';
  end if;
  perform private.require_sharing_plan(caller);
  return caller;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_sharing_plan(owner_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_plan text;
begin
  select p.plan into owner_plan
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where p.id = owner_id and not l.can_share;
  if found and not exists (select from private.restorations r where r.user_id = owner_id) then
    raise exception using
      errcode = 'P0001',
      message = 'Recurso indisponível',
      detail = json_build_object('plan', owner_plan)::text,
      hint = 'plan_sharing';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.respect_leaving()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from private.left_shares l join auth.users u on u.id = l.user_id
    where l.category_id = new.category_id and lower(u.email) = new.email
  ) and exists (
    select from public.categories c
    where c.id = new.category_id and (auth.uid() is null or c.user_id = auth.uid())
  ) then
    -- What is given back comes without them.
    if exists (
      select from private.restorations r join public.categories c on c.user_id = r.user_id where c.id = new.category_id
    ) then
      return null;
    end if;
    raise exception using
      errcode = 'PT409',
      message = format('%s saiu deste compartilhamento. Para um novo convite, essa pessoa precisa aceitar na página da categoria.', new.email),
      hint = 'share_left';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.respect_public_page()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- What its owner can no longer have back holds no id.
  delete from private.public_pages p using added a
  where p.category_id = a.id and p.user_id <> a.user_id and not exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'category' and r.id = p.category_id
    where d.user_id = p.user_id
  );
  if exists (select from added a join private.public_pages p on p.category_id = a.id where p.user_id <> a.user_id) then
    raise exception using
      errcode = 'unique_violation',
      message = 'duplicate key value violates unique constraint "categories_pkey"',
      constraint = 'categories_pkey',
      table = 'categories',
      schema = 'public';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_categories(caller uuid, batches bigint[], ids uuid[], given_folder uuid, OUT restored integer, OUT new_ids jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  defaults jsonb := private.column_defaults('public.categories');
begin
  select coalesce(jsonb_object_agg(k.id, gen_random_uuid()), '{}') into new_ids
  from (
    select c.id from public.categories c where c.id = any (ids) and c.user_id <> caller
    union
    select p.category_id from private.public_pages p where p.category_id = any (ids) and p.user_id <> caller
  ) as k;
  perform private.follow_new_ids(batches, array['favorite', 'order'], new_ids, 'category_id');
  -- Whoever left after it was deleted left what stands under its id now.
  update private.left_shares l set category_id = (new_ids ->> l.category_id::text)::uuid
  from unnest(batches, ids) as wanted(batch, id) join private.deletions d on d.id = wanted.batch
  where new_ids ? wanted.id::text and l.category_id = wanted.id and l.left_at <= d.deleted_at;

  insert into public.categories
  select c.*
  from private.take_deleted('category', batches, ids) as taken
  cross join lateral jsonb_populate_record(
    null::public.categories,
    defaults || taken.content || jsonb_build_object('id', coalesce(new_ids ->> taken.id::text, taken.id::text)) || case
      when given_folder is null or exists (
        select from public.folders f where f.id = (taken.content ->> 'folder_id')::uuid and f.user_id = caller
      ) then '{}'
      else jsonb_build_object('folder_id', given_folder)
    end
  ) as c;
  get diagnostics restored = row_count;

  insert into public.shared_with (id, category_id, email, created_at)
  select coalesce(s.id, gen_random_uuid()), coalesce((new_ids ->> s.category_id::text)::uuid, s.category_id), s.email, s.created_at
  from private.take_deleted('share', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.shared_with, taken.content) as s;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_covers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from private.restorations r) then
    update private.link_covers c set leftover_since = null from added a
    where c.link_id = a.id and c.user_id = a.user_id and c.state = 'image';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_deleted(caller uuid, item_type text, item_ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  batches bigint[];
  ids uuid[];
  new_ids jsonb := '{}';
  folders integer := 0;
  categories integer := 0;
  links integer := 0;
begin
  select * into batches, ids from private.find_deleted(caller, item_type, item_ids);
  if item_type = 'folder' then
    folders := private.restore_folders(batches, ids);
    select * into batches, ids from private.find_deleted_beneath(batches, ids, 'category');
  end if;
  if item_type in ('folder', 'category') then
    select r.restored, r.new_ids into categories, new_ids from private.restore_categories(caller, batches, ids, null) as r;
    select * into batches, ids from private.find_deleted_beneath(batches, ids, 'link');
  end if;
  links := private.restore_links(caller, batches, ids, null, new_ids);
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links);
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_deletion(caller uuid, deletion bigint, given_place uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  ids uuid[];
  new_ids jsonb;
  folders integer;
  categories integer;
  links integer;
  opened uuid;
begin
  ids := array(select r.id from private.deleted_rows r where r.deletion_id = deletion and r.kind = 'folder');
  folders := private.restore_folders(array_fill(deletion, array[cardinality(ids)]), ids);
  ids := array(select r.id from private.deleted_rows r where r.deletion_id = deletion and r.kind = 'category');
  select r.restored, r.new_ids into categories, new_ids
  from private.restore_categories(caller, array_fill(deletion, array[cardinality(ids)]), ids, given_place) as r;
  opened := coalesce((new_ids ->> ids[1]::text)::uuid, ids[1]);
  ids := array(select r.id from private.deleted_rows r where r.deletion_id = deletion and r.kind = 'link');
  if opened is null then
    select coalesce(c.id, given_place) into opened
    from private.deleted_rows r left join public.categories c on c.id = r.parent_id and c.user_id = caller
    where r.deletion_id = deletion and r.kind = 'link' limit 1;
  end if;
  links := private.restore_links(caller, array_fill(deletion, array[cardinality(ids)]), ids, given_place, new_ids);
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links, 'category_id', opened);
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_favorites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'favorite' and r.id = any (array(select a.id from added a))
    returning r.content
  )
  insert into public.favorites
  select f.* from taken t cross join lateral jsonb_populate_record(null::public.favorites, t.content) as f
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_folders(batches bigint[], ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
  defaults jsonb := private.column_defaults('public.folders');
  new_ids jsonb;
  restored integer;
begin
  select coalesce(jsonb_object_agg(f.id, gen_random_uuid()), '{}') into new_ids
  from public.folders f where f.id = any (ids) and f.user_id <> caller;
  perform private.follow_new_ids(batches, array['look', 'member', 'group'], new_ids, 'folder_id');
  -- Its categories are found by the id that it had.
  update private.deleted_rows r set content = r.content || jsonb_build_object('folder_id', new_ids -> r.parent_id::text)
  where new_ids <> '{}' and r.deletion_id = any (batches) and r.kind = 'category' and new_ids ? r.parent_id::text;

  insert into public.folders
  select f.*
  from private.take_deleted('folder', batches, ids) as taken
  cross join lateral jsonb_populate_record(
    null::public.folders,
    defaults || taken.content || jsonb_build_object('id', coalesce(new_ids ->> taken.id::text, taken.id::text))
  ) as f;
  get diagnostics restored = row_count;
  return restored;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_links(caller uuid, batches bigint[], ids uuid[], given_category uuid, new_ids jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  defaults jsonb := private.column_defaults('public.links');
  moments timestamptz[];
  reaches timestamptz[];
  gone_at timestamptz[];
  restored_ids uuid[];
  link_ids jsonb;
begin
  select coalesce(jsonb_object_agg(l.id, gen_random_uuid()), '{}') into link_ids from public.links l where l.id = any (ids);
  perform private.follow_new_ids(batches, array['tags', 'favorite', 'order'], link_ids, 'link_id');
  insert into private.link_covers (link_id, user_id, state, tried_at)
  select n.value::uuid, c.user_id, c.state, c.tried_at
  from jsonb_each_text(link_ids) as n join private.link_covers c on c.link_id = n.key::uuid
  where c.user_id = caller and c.state = 'removed';
  with taken as materialized (
    select t.*, coalesce(new_ids ->> (t.content ->> 'category_id'), t.content ->> 'category_id')::uuid as place
    from private.take_deleted('link', batches, ids) as t
  ), restored as (
    insert into public.links
    select l.*
    from taken
    cross join lateral jsonb_populate_record(
      null::public.links,
      defaults || taken.content || jsonb_build_object(
        'id', coalesce(link_ids ->> taken.id::text, taken.id::text),
        'category_id', case
          when given_category is null or exists (
            select from public.categories c where c.id = taken.place and c.user_id = caller
          ) then taken.place
          else given_category
        end
      )
    ) as l
    order by l.created_at, l.id
    returning id
  )
  select array_agg((t.content ->> 'created_at')::timestamptz), array_agg(d.zones_until), array_agg(d.deleted_at),
    (select array_agg(r.id) from restored r)
  into moments, reaches, gone_at, restored_ids
  from taken t join private.deletions d on d.id = t.deletion_id;

  perform private.restore_search_zones(caller, restored_ids, moments, reaches, gone_at);
  return coalesce(cardinality(moments), 0);
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_looks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'look' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.folder_looks
  select l.* from taken t cross join lateral jsonb_populate_record(null::public.folder_looks, t.content) as l
  -- Of a folder that was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
  gone jsonb;
begin
  if caller is null then
    return null;
  end if;
  select jsonb_object_agg(k.id, k.deleted_at) into gone
  from (
    select r.id, max(d.deleted_at) as deleted_at
    from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
    where d.user_id = caller and r.kind = 'group' and r.id = any (array(select a.id from added a))
    group by r.id
  ) as k;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'group' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into private.folder_groups (folder_id, group_id, owner_id, role, created_at)
  select s.folder_id, s.group_id, s.owner_id, s.role, s.created_at
  from taken t
  cross join lateral jsonb_populate_record(null::private.folder_groups, t.content) as s
  join private.groups g on g.id = s.group_id and g.user_id = caller
  order by t.deletion_id desc
  on conflict do nothing;

  insert into public.folder_members (folder_id, email, role, group_id)
  select s.folder_id, m.email, s.role, s.group_id
  from added a
  join private.folder_groups s on s.folder_id = a.id
  join private.group_members m on m.group_id = s.group_id
  where m.created_at > (gone ->> a.id::text)::timestamptz;

  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'member' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.folder_members (id, folder_id, owner_id, email, role, invited_by, created_at, group_id)
  select m.id, m.folder_id, m.owner_id, m.email, m.role, p.id, m.created_at, m.group_id
  from taken t
  cross join lateral jsonb_populate_record(null::public.folder_members, t.content) as m
  left join public.profiles p on p.id = m.invited_by
  where m.group_id is null or (
    exists (select from private.folder_groups s where s.folder_id = m.folder_id and s.group_id = m.group_id and s.role = m.role)
    and exists (select from private.group_members e where e.group_id = m.group_id and e.email = m.email)
  )
  -- Of a folder that was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'order' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.manual_order
  select o.* from taken t cross join lateral jsonb_populate_record(null::public.manual_order, t.content) as o
  -- Of what was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_search_zones(caller uuid, restored_ids uuid[], moments timestamp with time zone[], reaches timestamp with time zone[], gone_at timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  kept record;
  put_back timestamptz[] := '{}';
begin
  -- One by one, as no two may overlap: a link in two zones would be found twice. What such a zone knows for sure are the texts that went
  -- in the deletion that left it empty: until the end of this call it bears that moment.
  for kept in
    select z.ctid as place, z.oldest, z.newest, z.grams, d.deleted_at
    from private.deletions d join private.deleted_zones z on z.deletion_id = d.id
    where d.user_id = caller and exists (
      select from private.link_search s where s.user_id = caller and s.created_at between z.oldest and z.newest
    )
  loop
    if not exists (
      select from private.link_search_zones z
      where z.user_id = caller and z.newest >= kept.oldest and z.oldest <= kept.newest
    ) then
      insert into private.link_search_zones (user_id, oldest, newest, grams, summed_at)
      values (caller, kept.oldest, kept.newest, kept.grams, kept.deleted_at);
      put_back := put_back || kept.newest;
      delete from private.deleted_zones where ctid = kept.place;
    end if;
  end loop;

  -- A text that lies in no zone, or in one that was summed up without it, widens the zone where search looks for it: the first that
  -- ends at its moment or later. (One walk back in time over moments and zones together; as zones do not overlap, the smallest
  -- end seen so far is that zone's.)
  update private.link_search_zones z
  set grams = z.grams | missing.grams, oldest = least(z.oldest, missing.earliest)
  from (
    select placed.newest, min(placed.moment) as earliest, private.search_grams(string_agg(s.piece, E'\n')) as grams
    from (
      select w.moment, w.reach, w.gone, min(w.newest) over (order by w.moment desc) as newest
      from (
        select m.moment, m.reach, m.gone, null::timestamptz as newest
        from unnest(moments, reaches, gone_at) as m(moment, reach, gone)
        union all
        select l.newest, null, null, l.newest from private.link_search_zones l where l.user_id = caller
      ) as w
    ) as placed
    join private.link_search_zones l on l.user_id = caller and l.newest = placed.newest
    join private.link_search s on s.user_id = caller and s.created_at = placed.moment
    where placed.reach is not null
      and (
        placed.moment > placed.reach or placed.moment < l.oldest or l.summed_at > placed.gone
        or (l.summed_at < placed.gone and placed.newest = any (put_back))
      )
    group by placed.newest
  ) as missing
  where z.user_id = caller and z.newest = missing.newest;

  -- A text that came while its zone was away (an imported link has an old date) is not in what the zone knows; search looks for it there
  -- from now on, also where it stands before it.
  update private.link_search_zones z
  set grams = z.grams | late.grams, oldest = least(z.oldest, late.earliest), summed_at = clock_timestamp()
  from (
    select k.newest, min(s.created_at) as earliest, private.search_grams(coalesce(string_agg(s.piece, E'\n'), '')) as grams
    from unnest(put_back) as k(newest)
    left join private.link_search s on s.user_id = caller and s.created_at <= k.newest
      and s.created_at > coalesce(
        (select max(b.newest) from private.link_search_zones b where b.user_id = caller and b.newest < k.newest), '-infinity'
      )
      and not exists (select from unnest(restored_ids) as r(id) where r.id = s.id)
    group by k.newest
  ) as late
  where z.user_id = caller and z.newest = late.newest;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'tags' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.id, r.content
  ), newest as (
    -- Of what was deleted more than once.
    select distinct on (t.id) t.id, t.content from taken t order by t.id, t.deletion_id desc
  ), given as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select a.id, g.id, caller, a.created_at
    from newest n
    join added a on a.id = n.id
    cross join lateral jsonb_array_elements_text(n.content -> 'tag_ids') as kept(id)
    join public.tags g on g.id = kept.id::uuid and g.user_id = caller
    on conflict do nothing
    returning tag_id
  )
  update public.tags t set tagged_at = clock_timestamp() where t.id in (select g.tag_id from given g);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_window()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select interval '30 days' $function$;

CREATE OR REPLACE FUNCTION private.revenue_of(state text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('currency', r.currency, 'cents', r.cents) order by r.cents desc, r.currency), '[]')
  from (
    select lower(coalesce(s.currency, 'usd')) as currency, round(sum(private.monthly_cents(s))) as cents
    from public.subscribers s
    where s.subscription_status = 'active' and (state is null or private.subscription_state(s) = state)
    group by 1
  ) as r
  where r.cents > 0
$function$;

CREATE OR REPLACE FUNCTION private.same_fields(fields jsonb, named jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each($1) as f where $2 ? f.key
$function$;

CREATE OR REPLACE FUNCTION private.scan_categories(categories uuid[], owner uuid, needed text[], wanted text[], saved_before timestamp with time zone, saved_since timestamp with time zone, most bigint)
 RETURNS TABLE(id uuid, created_at timestamp with time zone, category_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET work_mem TO '32MB'
AS $function$
declare
  longest_first text[] := array(select n.word from unnest(needed) as n(word) order by char_length(n.word) desc);
  patterns text[] := private.contains_patterns(longest_first);
  alternatives text[] := private.contains_patterns(needed || wanted);
  others uuid[] := array(select c.id from public.categories c where c.user_id = owner and c.id <> all (categories));
  is_mostly_shared boolean := cardinality(others) <= 100 and (
    select coalesce(sum(n.link_count), 0) from public.category_counts n where n.category_id = any (others)
  ) * 2 < (select n.link_count from public.library_counts n where n.user_id = owner);
  ids uuid[];
  moments timestamptz[];
  places uuid[];
  spans record;
begin
  if most is not null then
    select array_agg(f.id), array_agg(f.created_at), array_agg(f.category_id) into ids, moments, places
    from (
      select distinct r.id, r.created_at, r.category_id
      from (
        select s.id, s.created_at, s.piece, l.category_id
        from (
          select n.id, n.created_at, n.piece from private.link_search n
          where n.user_id = owner and n.created_at < saved_before and n.created_at >= saved_since
          order by n.created_at desc, n.id desc limit 500
        ) as s
        cross join lateral (
          select k.category_id from public.links k where k.id = s.id and k.category_id = any (categories) offset 0
        ) as l
        offset 0
      ) as r
      where private.is_promising_piece(r.piece, longest_first, patterns, alternatives)
      order by r.created_at desc, r.id desc
      limit most
    ) as f;
    if cardinality(ids) >= most then
      return query select * from unnest(ids, moments, places);
      return;
    end if;
  end if;
  if is_mostly_shared then
    spans := private.list_spans_to_read(owner, others, needed);
    return query
      select distinct r.id, r.created_at, l.category_id
      from (
        select s.id, s.created_at, s.piece
        from unnest(spans.beginnings, spans.ends) as span(beginning, ending)
        cross join lateral (
          select n.id, n.created_at, n.piece
          from private.link_search n
          where n.user_id = owner and n.created_at >= greatest(span.beginning, saved_since) and n.created_at <= span.ending
            and n.created_at < saved_before
            -- (No join: a plan for any numbers would hash the texts and not these.)
            and n.id not in (select k.id from public.links k where k.category_id = any (others))
          offset 0
        ) as s
      ) as r
      cross join lateral (
        select k.category_id from public.links k where k.id = r.id and k.category_id = any (categories) offset 0
      ) as l
      where private.is_promising_piece(r.piece, longest_first, patterns, alternatives)
      order by r.created_at desc, r.id desc
      limit most;
    return;
  end if;
  return query
    select distinct r.id, r.created_at, r.category_id
    from (
      select s.id, s.created_at, s.piece, l.category_id
      from private.link_search s
      join (
        select k.id, k.category_id from public.links k
        where k.category_id = any (categories) and k.created_at < saved_before and k.created_at >= saved_since
      ) as l on l.id = s.id
      where s.user_id = owner and s.created_at < saved_before and s.created_at >= saved_since
      offset 0
    ) as r
    where private.is_promising_piece(r.piece, longest_first, patterns, alternatives)
    order by r.created_at desc, r.id desc
    limit most;
end
$function$;

CREATE OR REPLACE FUNCTION private.search_gram_bits(source text, is_part boolean)
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  runs text := regexp_replace(source, '[^a-z0-9]+', ' ', 'g');
begin
  return array(
    select unnest(array[hash & 8191, (hash >> 13) & 8191])
    from (
      select distinct hashtext(gram) as hash
      from (
        select t as gram from unnest(extensions.show_trgm(runs)) as t where not is_part
        union all
        select t
        from regexp_split_to_table(runs, ' ') with ordinality as run(letters, place)
        cross join lateral unnest(extensions.show_trgm(run.letters)) as t
        where is_part
          and (left(t, 1) <> ' ' or place > 1)
          and (right(t, 1) <> ' ' or place <= length(runs) - length(replace(runs, ' ', '')))
        union all
        select left(t, 2) from unnest(extensions.show_trgm(runs)) as t where strpos(left(t, 2), ' ') = 0
        union all
        select unnest(string_to_array(regexp_replace(source, '[a-z0-9 \n]+', '', 'g'), null))
      ) as grams
    ) as hashes
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.search_grams(source text)
 RETURNS bit
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  bits bit(8192) := 0::bit(8192);
  place integer;
begin
  foreach place in array private.search_gram_bits(source, false) loop
    bits := set_bit(bits, place, 1);
  end loop;
  return bits;
end
$function$;

CREATE OR REPLACE FUNCTION private.search_mask(bits integer[])
 RETURNS bit
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  mask bit(8192) := 0::bit(8192);
  place integer;
begin
  foreach place in array bits loop
    mask := set_bit(mask, place, 1);
  end loop;
  return mask;
end
$function$;

CREATE OR REPLACE FUNCTION private.search_words(term text, OUT wanted text[], OUT unwanted text[])
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  together text[];
begin
  select array_agg(w.word) filter (where not w.is_unwanted), array_agg(w.word) filter (where w.is_unwanted)
  into together, unwanted
  from (
    select distinct btrim(coalesce(m.parts[2], m.parts[4]), ' ') as word, coalesce(m.parts[1], m.parts[3]) <> '' as is_unwanted
    from regexp_matches(left(term, 4000), '(-?)"([^"]*)"?|(-*)([^ "-][^ ]*)', 'g') with ordinality as m(parts, place)
    where m.place <= 32
  ) as w
  where w.word <> '';
  wanted := array(
    select t.word from unnest(together) as t(word)
    where not exists (select from unnest(together) as o(word) where o.word <> t.word and strpos(o.word, t.word) > 0)
    order by char_length(t.word) desc, t.word collate "C"
  );
  unwanted := coalesce(unwanted, '{}');
end
$function$;

CREATE OR REPLACE FUNCTION private.sees_change(category public.categories, person uuid, changed_at timestamp with time zone, caller uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return category.user_id = caller or (
    caller is not null and person is not null and category.id = any (private.writable_category_ids())
    and changed_at >= (
      select min(m.created_at) from public.folder_members m where m.folder_id = category.folder_id and m.member_id = caller
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.share_again(user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.restorations (user_id, link_count, category_count) values ($1, 0, 0);
  update public.categories c set is_public = true
  where c.user_id = $1 and c.id in (select r.category_id from private.shares_at_rest r where r.user_id = $1 and r.email is null);
  insert into public.shared_with (category_id, email, created_at)
  select r.category_id, r.email, r.created_at from private.shares_at_rest r where r.user_id = $1 and r.email is not null
  on conflict do nothing;
  delete from private.shares_at_rest r where r.user_id = $1;
  delete from private.restorations r where r.user_id = $1;
end
$function$;

CREATE OR REPLACE FUNCTION private.share_notification_retry(attempts integer)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select least(interval '1 minute' * power(2, least(attempts, 10)), interval '6 hours') $function$;

CREATE OR REPLACE FUNCTION private.shared_categories_with_tags(caller uuid, tag_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select s.id
    from unnest(private.shared_category_ids(array(select c.id from public.categories c where c.user_id = caller))) as s(id)
    where exists (
      select from public.links l join public.link_tags k on k.link_id = l.id
      where l.category_id = s.id and k.tag_id = any (tag_ids)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.shared_category_ids(candidates uuid[])
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array(
    select c.id from public.categories c
    where c.id = any (candidates)
      and (
        c.is_public
        or exists (select from public.shared_with s where s.category_id = c.id)
        or exists (select from public.folder_members m where m.folder_id = c.folder_id)
      )
  )
$function$;

CREATE OR REPLACE FUNCTION private.shared_news(person uuid, since timestamp with time zone, until timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  names constant text[] := '{request.jwt.claims,request.jwt.claim,request.jwt.claim.sub,request.jwt.claim.email,request.jwt.claim.session_id}';
  settings constant text[] := array(select coalesce(current_setting(n.name, true), '') from unnest(names) with ordinality as n(name, place) order by n.place);
  address constant text := (select lower(u.email) from auth.users u where u.id = person and u.email_confirmed_at is not null);
  news jsonb;
begin
  perform set_config(n.name, case n.name
    when 'request.jwt.claims' then
      jsonb_build_object('sub', person, 'role', 'authenticated', 'email', address, 'iat', extract(epoch from now()))::text
    else ''
  end, true)
  from unnest(names) as n(name);

  -- Nobody's are nobody's news: an account that is closed or banned reads nothing, and none is written to before its address is confirmed.
  with reader as materialized (
    select private.reader_id() as id where address is not null
  ), received as materialized (
    select o.id from reader, unnest(private.openable_category_ids()) as o(id) where reader.id = person limit 2000
  ), places as (
    select c.id, c.name, c.folder_id, r.since is not null as names_folder, least(r.since, s.created_at) as joined_at
    from received o
    join public.categories c on c.id = o.id and c.user_id <> person
    left join private.folder_places r on r.folder_id = c.folder_id and r.person_id = person
    left join public.shared_with s on s.category_id = c.id and s.email = address
    union all
    (
      select c.id, c.name, c.folder_id, true, '-infinity'
      from reader join public.categories c on c.user_id = reader.id
      where c.folder_id in (select m.folder_id from public.folder_members m where m.owner_id = person)
      limit 2000
    )
  ), fresh as materialized (
    select p.id, p.name, p.folder_id, p.names_folder, n.added, n.newest, n.links
    from places p
    cross join lateral (
      select count(*) as added, max(l.created_at) as newest,
        jsonb_agg(jsonb_build_object('title', l.title, 'url', l.url) order by l.turn) filter (where l.turn <= 5) as links
      from (
        select o.title, o.url, o.created_at, row_number() over (order by o.created_at desc, o.id desc) as turn
        from public.links o
        where o.category_id = p.id and o.created_at > greatest(since, p.joined_at) and o.created_at <= until
          and coalesce(o.added_by, o.user_id) <> person
        order by o.created_at desc, o.id desc
        limit 100
      ) as l
    ) as n
    where n.added > 0
  )
  select jsonb_build_object('places', count(*), 'added', sum(f.added), 'shown', jsonb_agg(f.place order by f.turn) filter (where f.turn <= 10))
  into news
  from (
    select k.added, row_number() over (order by k.newest desc, k.id) as turn, jsonb_build_object(
      'category_id', k.id, 'category', k.name, 'folder', case when k.names_folder then o.name end, 'added', k.added, 'links', k.links
    ) as place
    from fresh k join public.folders o on o.id = k.folder_id
  ) as f
  having count(*) > 0;

  perform set_config(n.name, n.setting, true) from unnest(names, settings) as n(name, setting);
  return news;
end
$function$;

CREATE OR REPLACE FUNCTION private.sharer_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when private.may_share() then auth.uid() end;
end
$function$;

CREATE OR REPLACE FUNCTION private.shorten_address(address inet)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when address is null then null
    -- An IPv4 address as a dual-stack socket names it.
    when address << inet '::ffff:0:0/96'
      then network(set_masklen(replace(host(address), '::ffff:', '')::inet, 24))::text
    when family(address) = 4 then network(set_masklen(address, 24))::text
    else network(set_masklen(address, 48))::text
  end
$function$;

CREATE OR REPLACE FUNCTION private.sift_tokens(user_ids uuid[], session_ids uuid[])
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.place
  from unnest(user_ids, session_ids) with ordinality as t(user_id, session_id, place)
  left join auth.sessions s on s.id = t.session_id and s.user_id = t.user_id
  left join auth.users u on u.id = t.user_id
  left join private.account_closures c on c.user_id = t.user_id
  where t.session_id is not null and (s.id is null or s.not_after <= now())
    or u.deleted_at is not null or u.banned_until > now() or c.user_id is not null
    or exists (select from auth.mfa_factors f where f.user_id = t.user_id and f.status = 'verified')
$function$;
grant execute on function private.sift_tokens(uuid[],uuid[]) to authenticated;

CREATE OR REPLACE FUNCTION private.spread_owner_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.categories set name_users = new.name
  where user_id = new.id and name_users is not distinct from old.name;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.start_counting()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.library_counts (user_id) values (new.id) on conflict (user_id) do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.storage_used(owners uuid[])
 RETURNS TABLE(user_id uuid, bytes bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select o.id, (coalesce(n.row_bytes, 0) + coalesce(invited.bytes, 0) + coalesce(objects.bytes, 0))::bigint
    from unnest(owners) as o(id)
    left join public.library_counts n on n.user_id = o.id
    left join lateral (
      select (select coalesce(sum(24 + octet_length(s.email)), 0)
        from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = o.id) + (select coalesce(sum(64 + octet_length(r.email) + octet_length(r.note)), 0) from private.access_requests r where r.asker_id = o.id)
        + (select coalesce(sum(56 + octet_length(m.email)), 0) from public.folder_members m where m.owner_id = o.id)
        + (select coalesce(sum(24 + octet_length(m.email)), 0)
          from private.groups g join private.group_members m on m.group_id = g.id where g.user_id = o.id) as bytes
    ) as invited on true
    left join private.object_bytes(owners) as objects on objects.user_id = o.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.stored_files(person uuid, except_id uuid, except_bucket text, except_name text, OUT files bigint, OUT bytes bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.subscription_state(s public.subscribers)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (((s).subscription_status = 'active'::text) AND ((s).trial_end > now())) THEN 'trialing'::text WHEN (((s).subscription_status = 'active'::text) AND (s).cancel_at_period_end) THEN 'canceling'::text ELSE (s).subscription_status END;

CREATE OR REPLACE FUNCTION private.tag_name(typed text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  plain text := regexp_replace(left(typed, 1000), '[\s",;|\u201c\u201d\u00a0\x01-\x1f\x7f-\u009f]+', ' ', 'g');
begin
  plain := rtrim(left(ltrim(plain, ' #'), 50), ' ');
  return case when private.normalize_search_text(plain) ~ '\S' then plain end;
end
$function$;

CREATE OR REPLACE FUNCTION private.tag_names(link_id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select t.name from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = $1 order by t.folded
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.tags_holding(caller uuid, needles text[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select t.id from public.tags t
    where t.user_id = caller and exists (select from unnest(needles) as n where n <> '' and strpos(t.folded, n) > 0)
    -- The single letters of a person with thousands of tags.
    order by t.link_count desc, t.id limit 300
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.tags_in_bin(owner uuid, before timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select k.id::uuid
  from private.deletions d
  join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'tags'
  cross join lateral jsonb_array_elements_text(r.content -> 'tag_ids') as k(id)
  where d.user_id = owner and d.purge_after > now() and d.deleted_at < before
$function$;
comment on function private.tags_in_bin(uuid,timestamp with time zone) is 'The tags of a person''s links that went to the bin before a moment and may come back.';

CREATE OR REPLACE FUNCTION private.take_deleted(item_type text, batches bigint[], ids uuid[])
 RETURNS TABLE(deletion_id bigint, id uuid, content jsonb)
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  candidates bigint[] := array(select distinct unnest(batches));
begin
  return query
    delete from private.deleted_rows r using unnest(batches, ids) as wanted(batch, id)
    where r.deletion_id = any (candidates) and r.kind = item_type
      and wanted.batch = r.deletion_id and wanted.id = r.id
    returning r.deletion_id, r.id, r.content;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_places(owner_id uuid, what text, added bigint, bytes bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  total integer;
  allowed integer;
  bound integer;
  owner_plan text;
begin
  if what = 'links' then
    update public.library_counts n set link_count = n.link_count + added, row_bytes = n.row_bytes + bytes
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.link_count, l.max_links, p.plan into total, allowed, owner_plan;
  else
    update public.library_counts n set category_count = n.category_count + added, row_bytes = n.row_bytes + bytes
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.category_count, l.max_categories, p.plan into total, allowed, owner_plan;
  end if;
  if not found then
    raise exception 'user % has no counters', owner_id;
  end if;

  bound := case what when 'links' then private.most('links') else private.most('categories') end;
  if total > least(allowed, bound) and not exists (
    select from private.restorations r
    where r.user_id = owner_id and total <= case what when 'links' then r.link_count else r.category_count end
  ) then
    if allowed is null then
      perform private.refuse_beyond(what);
    end if;
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case what when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', what);
  end if;
  return total;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_webhook_place(caller uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  allowed integer;
begin
  perform from public.library_counts n where n.user_id = caller for no key update;
  select l.max_webhooks into allowed
  from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = caller;
  if (select count(*) from private.webhooks w where w.user_id = caller and w.deleted_at is null) >= allowed then
    raise exception using errcode = 'PT409', message = case allowed
      when 1 then 'Seu plano tem 1 webhook. Exclua o que você tem ou mude de plano.'
      else format('Seu plano tem até %s webhooks. Exclua um que não usa mais.', allowed) end;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_folder_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  folder_ids uuid[];
begin
  if tg_table_name = 'folders' then
    folder_ids := array(
      select a.id from added a join removed r on r.id = a.id where a.name <> r.name
    );
  elsif tg_op = 'INSERT' then
    folder_ids := array(select distinct a.folder_id from added a);
  elsif tg_op = 'DELETE' then
    folder_ids := array(select distinct r.folder_id from removed r);
  else
    folder_ids := array(
      select distinct changed.folder_id
      from (
        (select id, folder_id, name, description, is_held_back from removed
         except select id, folder_id, name, description, is_held_back from added)
        union all
        (select id, folder_id, name, description, is_held_back from added
         except select id, folder_id, name, description, is_held_back from removed)
      ) as changed
    );
  end if;
  update public.folder_members m set updated_at = clock_timestamp() where m.folder_id = any (folder_ids);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_members_of_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.folder_members m set updated_at = clock_timestamp() where m.owner_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_members_of_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.folder_members m set updated_at = clock_timestamp() where m.owner_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_offered()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed private.folder_offers := case when tg_op = 'DELETE' then old else new end;
begin
  update public.folder_members m set updated_at = clock_timestamp()
  where m.folder_id = changed.folder_id and (m.email = changed.email or tg_op = 'UPDATE' and m.email = old.email);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_owner_of_requests(owner uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform realtime.send('{}', 'changed', 'requests:' || owner, true);
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_viewers(category_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  viewed uuid;
begin
  foreach viewed in array category_ids loop
    continue when private.has_page_ended(viewed)
      and not exists (select from public.shared_with s where s.category_id = viewed)
      and not exists (
        select from public.categories c join public.folder_members m on m.folder_id = c.folder_id where c.id = viewed
      );
    perform realtime.send('{}', 'changed', 'shared:' || viewed, true);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_viewers_of_categories()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    -- An undone deletion: its viewers still look at the address.
    perform private.tell_viewers(array(select id from added where is_public));
  elsif tg_op = 'DELETE' then
    perform private.tell_viewers(array(select id from removed where is_public));
  else
    perform private.tell_viewers(array(
      select changed.id
      from (
        select u.id
        from (
          select id, name, description, name_users, is_public from removed
          union
          select id, name, description, name_users, is_public from added
        ) as u
        group by u.id having count(*) > 1
      ) as changed
      where changed.id in (select id from removed where is_public)
        or changed.id in (select unnest(private.shared_category_ids(array(select id from added))))
    ));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_viewers_of_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  candidates uuid[];
begin
  if tg_op = 'INSERT' then
    candidates := array(select distinct category_id from added);
  elsif tg_op = 'DELETE' then
    candidates := array(select distinct category_id from removed);
  else
    candidates := array(select category_id from removed union select category_id from added);
  end if;
  candidates := private.shared_category_ids(candidates);
  if tg_op = 'UPDATE' and candidates <> '{}' then
    -- Set operations and no join: a plan that was made for one link must bear twenty thousand.
    candidates := array(
      select category_id
      from (
        (select id, category_id, url, title, description from removed
         except select id, category_id, url, title, description from added)
        union all
        (select id, category_id, url, title, description from added
         except select id, category_id, url, title, description from removed)
      ) as changed
      where category_id = any (candidates)
      group by category_id
    );
  end if;
  perform private.tell_viewers(candidates);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_viewers_of_lists()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  candidates uuid[];
begin
  if tg_op = 'INSERT' then
    candidates := array(select distinct category_id from added);
  else
    candidates := array(select distinct category_id from removed);
  end if;
  perform private.tell_viewers(array(
    select c.id from unnest(candidates) as c(id)
    where not exists (select from public.categories p where p.id = c.id and p.is_public)
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_viewers_of_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_viewers(private.shared_categories_with_tags(new.user_id, array[new.id]));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tidy_public_pages(person uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from private.public_pages p
  where p.user_id = person
    and not exists (select from public.categories c where c.id = p.category_id)
    and not exists (select from private.deleted_rows r where r.kind = 'category' and r.id = p.category_id)
$function$;

CREATE OR REPLACE FUNCTION private.tidy_share_notifications()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.share_notifications
  set state = case when started_at is null then 'waiting' else 'sent' end, leased_until = null
  where state = 'sending' and leased_until < now();
  update private.share_notifications set state = 'expired'
  where state = 'waiting' and queued_at < now() - interval '7 days';
  delete from private.share_notifications where queued_at < now() - interval '30 days';
end
$function$;

CREATE OR REPLACE FUNCTION private.total_storage_used()
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  total bigint := coalesce((select sum(n.row_bytes) from public.library_counts n), 0)
    + coalesce((select sum(24 + octet_length(s.email)) from public.shared_with s), 0) + coalesce((select sum(64 + octet_length(r.email) + octet_length(r.note)) from private.access_requests r), 0)
    + coalesce((select sum(56 + octet_length(m.email)) from public.folder_members m), 0)
    + coalesce((select sum(24 + octet_length(m.email)) from private.group_members m), 0);
  objects bigint := 0;
begin
  if to_regclass('storage.objects') is not null then
    execute 'select coalesce(sum((o.metadata ->> ''size'')::bigint), 0) from storage.objects o where o.owner_id is not null'
      into objects;
  end if;
  return total + objects;
end
$function$;

CREATE OR REPLACE FUNCTION private.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.turn_daily_mail_on(person uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.daily_mails as d (user_id, due_at, next_attempt_at)
  select person, m.morning, m.morning from private.mail_morning(private.brasilia_day(now()) + 1) as m(morning)
  on conflict on constraint daily_mails_pkey do update set
    unsubscribed_at = null, told_until = now(), due_at = excluded.due_at, next_attempt_at = excluded.next_attempt_at, attempts = 0,
    mail_id = null, window_end = null, leased_until = null, content_hash = null, started_at = null
  where d.unsubscribed_at is not null
$function$;

CREATE OR REPLACE FUNCTION private.turn_webhook_off(webhook_id uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  with turned as (
    update private.webhooks w set off_at = clock_timestamp(), off_reason = reason
    where w.id = $1 and w.off_at is null returning w.user_id, w.off_at
  )
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select t.user_id, 'webhook_off', t.off_at, t.off_at from turned t
  on conflict on constraint account_mails_one_per_occasion do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION private.undo_tagging(act private.program_acts, fates private.act_fate[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
#variable_conflict use_column
declare
  touched constant uuid[] := array(
    select f.row_id from unnest(fates) as f
    where f.kind = 'link' and f.fate in ('deleted', 'moved', 'changed', 'tagged') and (f.tags_given <> '{}' or f.tags_taken <> '{}')
  );
  tag_ids uuid[];
begin
  if cardinality(touched) > 0 then
    with meant as materialized (
      select f.row_id, t.id as tag_id from unnest(fates) as f cross join lateral unnest(f.tags_given) as t(id) where f.row_id = any (touched)
    )
    delete from public.link_tags k using meant m
    where k.link_id = any (touched) and k.user_id = act.owner_id and k.link_id = m.row_id and k.tag_id = m.tag_id;

    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select n.link_id, n.tag_id, act.owner_id, n.created_at
    from (
      select l.id as link_id, t.id as tag_id, l.created_at, coalesce(k.total, 0) as total,
        row_number() over (partition by l.id order by t.id) as place
      from unnest(fates) as f
      cross join lateral unnest(f.tags_taken) as x(id)
      join public.links l on l.id = f.row_id and l.id = any (touched) and l.user_id = act.owner_id
      left join (
        select d.row_id as gone_id, e.id as heir_id
        from unnest(fates) as d join public.tags e on e.user_id = act.owner_id and e.folded = d.was ->> 'folded'
        where d.fate = 'tag'
      ) as h on h.gone_id = x.id
      join public.tags t on t.id = coalesce(h.heir_id, x.id) and t.user_id = act.owner_id
      left join (
        select o.link_id, count(*) as total, array_agg(o.tag_id) as tag_ids from public.link_tags o
        where o.link_id = any (touched) group by o.link_id
      ) as k on k.link_id = l.id
      where t.id <> all (coalesce(k.tag_ids, '{}'))
    ) as n
    where n.total + n.place <= private.most_tags('link')
    on conflict do nothing;

    tag_ids := array(
      select distinct t.id from unnest(fates) as f cross join lateral unnest(f.tags_given || f.tags_taken) as t(id)
      where f.row_id = any (touched)
      union
      select e.id from unnest(fates) as d join public.tags e on e.user_id = act.owner_id and e.folded = d.was ->> 'folded'
      where d.fate = 'tag'
    );
    update public.tags t set tagged_at = clock_timestamp() where t.user_id = act.owner_id and t.id = any (tag_ids);
    perform private.tell_viewers(private.shared_category_ids(array(
      select distinct l.category_id from public.links l where l.id = any (touched)
    )));
  end if;
  delete from public.tags t
  where t.id = any (act.made_tags) and t.user_id = act.owner_id and t.link_count = 0
    -- What this undo has put there goes without the tags that were made for it.
    and t.id not in (select private.tags_in_bin(act.owner_id, now()));
end
$function$;

CREATE OR REPLACE FUNCTION private.undo_window()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select interval '5 minutes' $function$;

CREATE OR REPLACE FUNCTION private.wake_bin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.deletions d set purge_after = d.purge_after + greatest(new.reopened_at - new.closed_at, interval '0')
  where d.user_id = new.user_id and d.purge_after > new.closed_at;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.wake_webhook(webhook_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.webhook_deliveries d set due_at = now(), give_up_at = greatest(d.give_up_at, now() + interval '3 days')
  where d.webhook_id = $1 and d.state = 'waiting';
  update private.webhooks w set failures = 0, failing_since = null, rest_until = now(),
    due_at = case when exists (
      select from private.webhook_deliveries d where d.webhook_id = $1 and d.state = 'waiting'
    ) then now() else 'infinity' end
  where w.id = $1;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$function$;

CREATE OR REPLACE FUNCTION private.walk_category(category uuid, owner uuid, needed text[], wanted text[], saved_before timestamp with time zone, saved_since timestamp with time zone, looked_at bigint, most bigint)
 RETURNS TABLE(id uuid, created_at timestamp with time zone, category_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashagg TO 'off'
AS $function$
declare
  patterns text[] := private.contains_patterns(needed);
  alternatives text[] := private.contains_patterns(needed || wanted);
begin
  if needed = '{""}' then
    return query
      select l.id, l.created_at, category from public.links l
      where l.category_id = category and l.created_at < saved_before and l.created_at >= saved_since
      order by l.created_at desc, l.id desc
      limit least(looked_at, most);
    return;
  end if;
  return query
    select distinct_hit.id, distinct_hit.created_at, category
    from (
      select distinct l.created_at, l.id
      from (
        select w.created_at, w.id from public.links w
        where w.category_id = category and w.created_at < saved_before and w.created_at >= saved_since
        order by w.created_at desc, w.id desc
        limit looked_at
      ) as l
      join private.link_search s on s.user_id = owner and s.created_at = l.created_at and s.id = l.id
      where private.is_promising_piece(s.piece, needed, patterns, alternatives)
      order by l.created_at desc, l.id desc
    ) as distinct_hit
    limit most;
end
$function$;

CREATE OR REPLACE FUNCTION private.wants_no_share_mail(mailbox text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.share_mail_addresses a where a.mailbox = $1 and a.unsubscribed_at is not null
  )
$function$;

CREATE OR REPLACE FUNCTION private.webhook_links(links public.links[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_agg(jsonb_build_object('id', l.id, 'url', l.url, 'title', l.title, 'description', l.description,
    'category_id', l.category_id, 'created_at', to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by l.ordinality)
  from unnest(links) with ordinality as l
$function$;

CREATE OR REPLACE FUNCTION private.webhook_listeners(people uuid[], event text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array(
    select distinct w.user_id from private.webhooks w
    where w.user_id = any (people) and event = any (w.events) and w.off_at is null and w.deleted_at is null
    order by w.user_id
  )
$function$;

CREATE OR REPLACE FUNCTION private.webhook_owner()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  return caller;
end
$function$;

CREATE OR REPLACE FUNCTION private.webhook_pause(failures integer)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select (array['5 s', '30 s', '2 min', '10 min', '30 min', '1 h', '2 h', '4 h', '6 h'])[least(greatest(failures, 1), 9)]::interval
$function$;

CREATE OR REPLACE FUNCTION private.weigh_program_act(act_id bigint, owner uuid, writable uuid[])
 RETURNS SETOF private.act_fate
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  -- The bin and the library are not searched for each row: first what may be meant.
  ids constant uuid[] := array(select r.row_id from private.program_act_rows r where r.act_id = $1);
  deletions constant bigint[] := array(
    select d.id from private.deletions d
    where d.user_id = owner and d.purge_after > now() and d.deleted_at = any (array(
      select distinct r.happened_at from private.program_act_rows r where r.act_id = $1 and r.became is null
    ))
  );
  places constant uuid[] := array(
    select c.id from public.categories c where c.user_id = owner and c.id = any (array(
      select (r.was ->> 'category_id')::uuid from private.program_act_rows r where r.act_id = $1 and r.was ? 'category_id'
      union
      select b.parent_id from private.deleted_rows b where b.deletion_id = any (deletions) and b.kind = 'link' and b.id = any (ids)
    ))
  );
begin
  return query
    select r.kind, r.row_id,
      case
        when r.kind = 'tag' then 'tag'
        when r.was is null and r.became is null then 'nothing'
        when r.kind = 'category' then case
          when c.id is null then 'gone'
          when s.has_changed then 'changed_since'
          when c.id <> all (writable) then 'not_yours'
          else 'renamed'
        end
        when r.became is null then case
          when l.id is not null then 'changed_since'
          when b.id is null then 'gone'
          when b.parent_id <> all (places) then 'place_gone'
          when b.parent_id <> all (writable) then 'not_yours'
          else 'deleted'
        end
        when l.id is null or s.has_changed then 'changed_since'
        when l.category_id <> all (writable) then 'not_yours'
        when r.was is null then 'saved'
        when r.was ? 'category_id' then case
          when (r.was ->> 'category_id')::uuid <> all (places) then 'place_gone'
          when (r.was ->> 'category_id')::uuid <> all (writable) then 'not_yours'
          else 'moved'
        end
        when r.was <> '{}' then 'changed'
        when r.tags_given <> '{}' or r.tags_taken <> '{}' then 'tagged'
        else 'nothing'
      end,
      r.was, r.tags_given, r.tags_taken, b.deletion_id
    from private.program_act_rows r
    left join public.links l on r.kind = 'link' and l.id = r.row_id and l.id = any (ids) and l.user_id = owner
    left join public.categories c on r.kind = 'category' and c.id = r.row_id and c.id = any (ids) and c.user_id = owner
    left join private.deleted_rows b on r.became is null and b.id = r.row_id
      and b.deletion_id = any (deletions) and b.kind = 'link'
    cross join lateral (
      select exists (
        select from jsonb_object_keys(coalesce(r.was, r.became)) as k(field)
        where r.became -> k.field is distinct from case r.kind
          when 'link' then private.link_trace(l.url, l.title, l.description, l.category_id)
          else private.category_trace(c.name, c.description)
        end -> k.field
      ) as has_changed
    ) as s
    where r.act_id = $1;
end
$function$;

CREATE OR REPLACE FUNCTION private.widen_search_zone(owner_id uuid, moment timestamp with time zone, text_added text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.link_search_zones
  set grams = grams | private.search_grams(text_added), oldest = least(oldest, moment)
  where user_id = owner_id and newest = (
    select min(newest) from private.link_search_zones where user_id = owner_id and newest >= moment
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.widen_search_zones(caller uuid, moments timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  with placed as materialized (
    select m.moment, (
      select min(z.newest) from private.link_search_zones z where z.user_id = caller and z.newest >= m.moment
    ) as newest
    from unnest(moments) as m(moment)
  ), missing as materialized (
    select p.newest, min(p.moment) as earliest, private.search_grams(string_agg(s.piece, E'\n')) as grams
    from placed p join private.link_search s on s.user_id = caller and s.created_at = p.moment
    where p.newest is not null
    group by p.newest
  )
  update private.link_search_zones z
  set grams = z.grams | m.grams, oldest = least(z.oldest, m.earliest)
  from missing m
  where z.user_id = caller and z.newest = m.newest;
  if (select n.link_count from public.library_counts n where n.user_id = caller) >= 2000 then
    perform private.extend_search_zones(caller);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_accounts(user_ids uuid[], asking_session uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  sessions uuid[];
  session_id uuid;
begin
  delete from public.shared_with s using public.categories c where c.id = s.category_id and c.user_id = any (user_ids);
  update public.categories set is_public = false where user_id = any (user_ids) and is_public;
  perform private.end_pending_changes(u.id) from unnest(user_ids) as u(id) order by u.id;
  -- A program that was coming for its tokens held the account: its session is there to be ended.
  delete from auth.oauth_authorizations a where a.user_id = any (user_ids);
  -- The pages that are open there are told to look (private topics of their sessions).
  with ended as (delete from auth.sessions s where s.user_id = any (user_ids) returning s.id)
  select array_agg(e.id) into sessions from ended e where e.id is distinct from asking_session;
  foreach session_id in array coalesce(sessions, '{}') loop
    perform realtime.send('{}', 'ended', 'session:' || session_id, true);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.without(ids uuid[], others uuid[])
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array(select unnest($1) except select unnest($2))
$function$;

CREATE OR REPLACE FUNCTION private.writable_category_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(c.id), '{}')
  from private.folder_places r join public.categories c on c.folder_id = r.folder_id
  where r.person_id = auth.uid() and r.may_write and not c.is_held_back
$function$;
grant execute on function private.writable_category_ids() to authenticated;

CREATE OR REPLACE FUNCTION private.writable_folder_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(r.folder_id), '{}') from private.folder_places r
  where r.person_id = auth.uid() and r.may_write
$function$;
grant execute on function private.writable_folder_ids() to authenticated;

CREATE OR REPLACE FUNCTION private.write_subscription(customer_id text, wished public.subscribers)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.subscribers s
  set (plan, subscription_status, stripe_subscription_id, current_period_end, cancel_at_period_end, trial_end,
    stripe_price_id, billing_interval, amount_cents, currency)
    = (w.plan, w.subscription_status, w.stripe_subscription_id, w.current_period_end, w.cancel_at_period_end, w.trial_end,
    w.stripe_price_id, w.billing_interval, w.amount_cents, w.currency)
  from (select ($2).*) w
  where s.stripe_customer_id = $1
    and (s.stripe_subscription_id is not null or w.stripe_subscription_id is not null)
    and (s.plan, s.subscription_status, s.stripe_subscription_id, s.current_period_end, s.cancel_at_period_end, s.trial_end,
    s.stripe_price_id, s.billing_interval, s.amount_cents, s.currency)
    is distinct from (w.plan, w.subscription_status, w.stripe_subscription_id, w.current_period_end, w.cancel_at_period_end,
    w.trial_end, w.stripe_price_id, w.billing_interval, w.amount_cents, w.currency)
  returning true
$function$;

CREATE OR REPLACE FUNCTION private.writer_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when private.may_write_links() then auth.uid() end;
end
$function$;

CREATE OR REPLACE FUNCTION private.written_cover()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  asked text[] := regexp_match(
    current_setting('request.path', true),
    '^(?:/storage/v1)?/object/arquivos/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/covers/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
  );
begin
  if asked is null or coalesce(current_setting('request.method', true), '') not in ('POST', 'PUT')
    or asked[1]::uuid is distinct from private.writer_id() then
    return null;
  end if;
  return (select private.cover_name(l.user_id, l.id) from public.links l where l.id = asked[2]::uuid and l.user_id = asked[1]::uuid);
end
$function$;
grant execute on function private.written_cover() to authenticated;

CREATE OR REPLACE FUNCTION private.written_since(first_day date)
 RETURNS TABLE(day date, links bigint, bytes numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  beginning timestamptz := first_day::timestamp at time zone 'America/Sao_Paulo';
begin
  return query
    select private.brasilia_day(l.created_at), count(*), sum(private.link_bytes(l))
    from public.links l where l.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(c.created_at), 0::bigint, sum(private.category_bytes(c))
    from public.categories c where c.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(f.created_at), 0::bigint, sum(private.folder_bytes(f))
    from public.folders f where f.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(s.created_at), 0::bigint, sum(24 + octet_length(s.email))::numeric
    from public.shared_with s where s.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(r.asked_at), 0::bigint, sum(64 + octet_length(r.email) + octet_length(r.note))::numeric
    from private.access_requests r where r.asked_at >= beginning group by 1;
  return query
    select private.brasilia_day(m.created_at), 0::bigint, sum(56 + octet_length(m.email))::numeric
    from public.folder_members m where m.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(m.created_at), 0::bigint, sum(24 + octet_length(m.email))::numeric
    from private.group_members m where m.created_at >= beginning group by 1;
  if to_regclass('storage.objects') is not null then
    return query execute
      'select private.brasilia_day(o.created_at), 0::bigint, sum(coalesce((o.metadata ->> ''size'')::bigint, 0))
       from storage.objects o where o.created_at >= $1 and o.owner_id is not null group by 1'
      using beginning;
  end if;
end
$function$;

create publication linkoteca_policy_sources for table private.account_closures, private.chosen_shares, private.plan_limits, public.profiles;
create publication supabase_realtime for table public.categories, public.favorites, public.folder_looks, public.folder_members, public.folders, public.links, public.manual_order, public.saved_searches, public.shared_with, public.subscribers, public.tags;
