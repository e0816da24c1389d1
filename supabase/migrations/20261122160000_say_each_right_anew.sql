-- Each right on what the table API offers, said anew. A dump that was restored under the automatic grants of a project (its tables
-- and functions are new ones there) left everything open to visitors; this takes back what no migration has given. It names its
-- objects: an operator's own in the same schema keep their grants.

revoke all on
  public.categories, public.folders, public.links, public.profiles, public.shared_with, public.subscribers, public.category_counts,
  public.library_counts
  from public, anon, authenticated, service_role;

grant all on public.categories to service_role;
grant delete, select on public.categories to authenticated;
grant insert (description, folder_id, id, is_public, name, name_users, user_id) on public.categories to authenticated;
grant update (description, folder_id, id, is_public, name, name_users, updated_at, user_id) on public.categories to authenticated;
grant all on public.folders to service_role;
grant delete, select on public.folders to authenticated;
grant insert (id, is_public, name, shared_with, user_id) on public.folders to authenticated;
grant update (id, is_public, name, shared_with, updated_at, user_id) on public.folders to authenticated;
grant all on public.links to service_role;
grant delete, select on public.links to authenticated;
grant insert (category_id, description, id, title, url, user_id) on public.links to authenticated;
grant update (category_id, description, id, title, updated_at, url, user_id) on public.links to authenticated;
grant all on public.profiles to service_role;
grant select on public.profiles to authenticated;
grant update (name, updated_at) on public.profiles to authenticated;
grant all on public.shared_with to service_role;
grant delete, select on public.shared_with to authenticated;
grant insert (category_id, email) on public.shared_with to authenticated;
grant all on public.subscribers to service_role;
grant select on public.subscribers to authenticated;
grant select on public.category_counts to authenticated;
grant select on public.category_counts to service_role;
grant select on public.library_counts to authenticated;
grant select on public.library_counts to service_role;

revoke all on function
  public.admin_audit(integer, integer), public.admin_change_plan(uuid, text),
  public.admin_list_users(text, text, integer, integer, text), public.admin_overview(), public.admin_statistics(date, date, text),
  public.admin_subscriptions(text, integer, integer), public.admin_user_links(uuid, integer, integer),
  public.apply_subscription(text, bigint, jsonb, text), public.begin_account_mail(uuid),
  public.begin_account_purges(integer, timestamp with time zone), public.begin_share_notification(uuid),
  public.begin_subscription_check(uuid), public.begin_subscription_sync(text), public.claim_account_mails(integer),
  public.claim_account_upkeep(timestamp with time zone), public.claim_share_notifications(integer, uuid),
  public.claim_stripe_customer(uuid, text), public.close_account(uuid, uuid), public.copy_shared_category(uuid, uuid),
  public.delete_links(uuid[]), public.end_device(uuid), public.end_other_devices(), public.find_account_to_close(uuid),
  public.find_charged_closed_accounts(), public.find_links_by_url(text[]), public.finish_account_mail(uuid, text),
  public.finish_account_upkeep(integer, timestamp with time zone), public.finish_share_notification(uuid, text),
  public.get_all_profiles(), public.get_all_user_emails(), public.has_left_share(uuid), public.ignore_stripe_event(text),
  public.import_library(uuid, integer, jsonb), public.is_admin(), public.last_import(), public.leave_share(uuid),
  public.list_devices(), public.list_files_to_purge(uuid, integer), public.list_stale_customers(timestamp with time zone, integer),
  public.move_links(uuid[], uuid), public.open_share(uuid), public.opened_share(), public.preview_import(jsonb),
  public.purge_account(uuid, integer), public.purge_stripe_events(), public.queue_share_notifications(uuid, text[]),
  public.record_stripe_event(text, text, text, timestamp with time zone), public.return_to_share(uuid),
  public.save_sharing(uuid, boolean, text[]), public.search_links(text, integer, integer), public.shared_category(uuid),
  public.shared_links(uuid, integer, timestamp with time zone, uuid),
  public.suspend_inactive_accounts(integer, timestamp with time zone), public.take_reopening_notice(),
  public.undo_deletion(text, uuid[]), public.undo_import(uuid), public.unsubscribe_share_mail(uuid, boolean),
  public.warn_inactive_accounts(integer, timestamp with time zone)
  from public, anon, authenticated, service_role;

grant execute on function
  public.shared_category(uuid), public.shared_links(uuid, integer, timestamp with time zone, uuid)
  to anon, authenticated, service_role;

grant execute on function
  public.admin_audit(integer, integer), public.admin_change_plan(uuid, text),
  public.admin_list_users(text, text, integer, integer, text), public.admin_overview(), public.admin_statistics(date, date, text),
  public.admin_subscriptions(text, integer, integer), public.admin_user_links(uuid, integer, integer),
  public.copy_shared_category(uuid, uuid), public.delete_links(uuid[]), public.end_device(uuid), public.end_other_devices(),
  public.find_links_by_url(text[]), public.get_all_profiles(), public.get_all_user_emails(), public.has_left_share(uuid),
  public.import_library(uuid, integer, jsonb), public.is_admin(), public.last_import(), public.leave_share(uuid),
  public.list_devices(), public.move_links(uuid[], uuid), public.open_share(uuid), public.opened_share(),
  public.preview_import(jsonb), public.queue_share_notifications(uuid, text[]), public.return_to_share(uuid),
  public.save_sharing(uuid, boolean, text[]), public.take_reopening_notice(), public.undo_deletion(text, uuid[]),
  public.undo_import(uuid)
  to authenticated;

grant execute on function
  public.search_links(text, integer, integer)
  to authenticated, service_role;

grant execute on function
  public.apply_subscription(text, bigint, jsonb, text), public.begin_account_mail(uuid),
  public.begin_account_purges(integer, timestamp with time zone), public.begin_share_notification(uuid),
  public.begin_subscription_check(uuid), public.begin_subscription_sync(text), public.claim_account_mails(integer),
  public.claim_account_upkeep(timestamp with time zone), public.claim_share_notifications(integer, uuid),
  public.claim_stripe_customer(uuid, text), public.close_account(uuid, uuid), public.find_account_to_close(uuid),
  public.find_charged_closed_accounts(), public.finish_account_mail(uuid, text),
  public.finish_account_upkeep(integer, timestamp with time zone), public.finish_share_notification(uuid, text),
  public.ignore_stripe_event(text), public.list_files_to_purge(uuid, integer),
  public.list_stale_customers(timestamp with time zone, integer), public.purge_account(uuid, integer),
  public.purge_stripe_events(), public.record_stripe_event(text, text, text, timestamp with time zone),
  public.suspend_inactive_accounts(integer, timestamp with time zone), public.unsubscribe_share_mail(uuid, boolean),
  public.warn_inactive_accounts(integer, timestamp with time zone)
  to service_role;
