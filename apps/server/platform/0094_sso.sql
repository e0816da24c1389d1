-- Identity providers of organisations (SAML 2.0), and who is on the way to one. Shape of GoTrue's own tables, so that a project can be carried
-- to and from the hosted platform.

set local role supabase_auth_admin;

create table auth.sso_providers (
  id uuid not null,
  resource_id text,
  disabled boolean,
  created_at timestamptz,
  updated_at timestamptz,
  constraint sso_providers_pkey primary key (id),
  constraint "resource_id not empty" check (resource_id is null or char_length(resource_id) > 0)
);
create unique index sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));

create table auth.sso_domains (
  id uuid not null,
  sso_provider_id uuid not null,
  domain text not null,
  created_at timestamptz,
  updated_at timestamptz,
  constraint sso_domains_pkey primary key (id),
  constraint sso_domains_sso_provider_id_fkey foreign key (sso_provider_id) references auth.sso_providers (id) on delete cascade,
  constraint "domain not empty" check (char_length(domain) > 0)
);
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);
create unique index sso_domains_domain_idx on auth.sso_domains (lower(domain));

create table auth.saml_providers (
  id uuid not null,
  sso_provider_id uuid not null,
  entity_id text not null,
  metadata_xml text not null,
  metadata_url text,
  attribute_mapping jsonb,
  name_id_format text,
  created_at timestamptz,
  updated_at timestamptz,
  constraint saml_providers_pkey primary key (id),
  constraint saml_providers_entity_id_key unique (entity_id),
  constraint saml_providers_sso_provider_id_fkey foreign key (sso_provider_id) references auth.sso_providers (id) on delete cascade,
  constraint "metadata_xml not empty" check (char_length(metadata_xml) > 0),
  constraint "metadata_url not empty" check (metadata_url is null or char_length(metadata_url) > 0),
  constraint "entity_id not empty" check (char_length(entity_id) > 0)
);
create index saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

create table auth.saml_relay_states (
  id uuid not null,
  sso_provider_id uuid not null,
  -- Of our question, which the answer has to name.
  request_id text not null,
  for_email text,
  redirect_to text,
  created_at timestamptz,
  updated_at timestamptz,
  flow_state_id uuid,
  constraint saml_relay_states_pkey primary key (id),
  constraint saml_relay_states_sso_provider_id_fkey foreign key (sso_provider_id) references auth.sso_providers (id) on delete cascade,
  constraint saml_relay_states_flow_state_id_fkey foreign key (flow_state_id) references auth.flow_state (id) on delete cascade,
  constraint "request_id not empty" check (char_length(request_id) > 0)
);
create index saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);
create index saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);
create index saml_relay_states_flow_state_id_idx on auth.saml_relay_states (flow_state_id);

reset role;
