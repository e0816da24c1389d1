-- A mail that is queued is sent at once: whoever sends mails listens, and the claim decides who of them does. Notified when the
-- transaction commits, once however many it queues. Nobody has to listen: what is queued is also looked for again and again.
create function private.notify_mail_queued() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('linkoteca_mails', '');
  return null;
end
$$;
revoke all on function private.notify_mail_queued() from public;

create trigger share_notifications_notify after insert on private.share_notifications
  for each statement execute function private.notify_mail_queued();
create trigger account_mails_notify after insert on private.account_mails
  for each statement execute function private.notify_mail_queued();
