-- What was mailed and is still awaited. GoTrue's own table (0004) holds one token of a kind an account, whose link is derived from the
-- typed code. Here a link is random, a code dies after a few attempts, and several people may claim one unconfirmed address: the
-- password and data of a sign-up wait with its own link. A hosted project has GoTrue's table, and nothing of ours reads it there.

set local role supabase_auth_admin;

create table auth.mailed_tokens (
  id uuid not null,
  user_id uuid not null,
  token_type auth.one_time_token_type not null,
  -- The address the mail went to: a code is good only together with it.
  email text not null,
  -- SHA-256 of what the link carries, and of the code with this row's id: neither can be read back into a mail.
  link_hash text not null,
  code_hash text not null,
  -- Codes that were typed for this address, right or wrong.
  attempts smallint not null default 0,
  -- The client that waits for this link with its verifier.
  flow_state_id uuid,
  -- What the account is to have once this link is followed.
  password_hash text,
  user_metadata jsonb,
  created_at timestamptz not null,
  constraint mailed_tokens_pkey primary key (id),
  constraint mailed_tokens_link_hash_key unique (link_hash),
  constraint mailed_tokens_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint mailed_tokens_attempts_are_counted check (attempts >= 0)
);
create index mailed_tokens_email_idx on auth.mailed_tokens (email, token_type);
create index mailed_tokens_user_id_idx on auth.mailed_tokens (user_id, token_type);
create index mailed_tokens_created_at_idx on auth.mailed_tokens (created_at);

-- Sign-ups that nobody has confirmed yet keep their password, but beside the account. Their links, which could be guessed, are void;
-- the person asks for another. Accounts that an operator made were mailed nothing and stay as they are.
insert into auth.mailed_tokens (id, user_id, token_type, email, link_hash, code_hash, attempts, password_hash, user_metadata, created_at)
select gen_random_uuid(), u.id, 'confirmation_token', u.email,
  encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'utf8')), 'hex'), '', 32767,
  u.encrypted_password, u.raw_user_meta_data, u.confirmation_sent_at - interval '1 day'
from auth.users u
where u.email is not null and u.email_confirmed_at is null and u.confirmation_sent_at is not null and u.invited_at is null
  and u.encrypted_password <> '';

update auth.users u set encrypted_password = '', raw_user_meta_data = '{}'
where exists (select from auth.mailed_tokens t where t.user_id = u.id);

update auth.users set confirmation_token = '', recovery_token = '', email_change_token_new = '', email_change_token_current = '',
  reauthentication_token = ''
where exists (select from auth.one_time_tokens t where t.user_id = users.id);

delete from auth.one_time_tokens;

reset role;
