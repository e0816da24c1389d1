-- The audit log is asked for what one account did, and forgets by age.

set local role supabase_auth_admin;

create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'), created_at);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);

reset role;
