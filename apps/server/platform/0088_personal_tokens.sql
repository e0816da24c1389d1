-- Tokens that people make for their own scripts. Each is a session with bounds and an end: whatever ends a session ends it, for every
-- service in the same moment. The hosted platform has none.

set local role supabase_auth_admin;

create table auth.personal_tokens (
  session_id uuid not null,
  user_id uuid not null,
  name text not null,
  -- SHA-256 of the token, as hex digits: it is 256 random bits, so hashing slowly would protect nothing.
  token_hash text not null,
  constraint personal_tokens_pkey primary key (session_id),
  constraint personal_tokens_token_hash_key unique (token_hash),
  constraint personal_tokens_session_id_fkey foreign key (session_id) references auth.sessions (id) on delete cascade,
  constraint personal_tokens_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint personal_tokens_name_length check (char_length(name) between 1 and 100)
);
create index personal_tokens_user_id_idx on auth.personal_tokens (user_id);

reset role;
