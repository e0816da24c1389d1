-- What a person who is at another provider left behind: the verifier of the flow that we started there. Shape of GoTrue's own table.

set local role supabase_auth_admin;

create table auth.oauth_client_states (
  id uuid not null,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null,
  constraint oauth_client_states_pkey primary key (id)
);
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

reset role;
