-- Saving by mail: a secret address of each person who wants one, whom it takes links from, and what it did not take. The address is a
-- credential: only its owner reads or changes it, no program that acts for them.
create table private.mail_addresses (
  user_id uuid not null,
  -- What stands before the @; the domain is the installation's. Kept as it is, so that its owner can read it again.
  local_part text not null,
  any_sender boolean not null default false,
  created_at timestamptz not null default now(),
  constraint mail_addresses_pkey primary key (user_id),
  constraint mail_addresses_local_part_key unique (local_part),
  constraint mail_addresses_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint mail_addresses_local_part_is_random check (local_part ~ '^[a-z2-7]{24}$')
);

-- Whom an address takes links from, besides the account's own confirmed address.
create table private.mail_senders (
  user_id uuid not null,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint mail_senders_pkey primary key (user_id, email),
  constraint mail_senders_address foreign key (user_id) references private.mail_addresses (user_id) on delete cascade,
  constraint mail_senders_email_is_an_address check (email ~ '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$'),
  constraint mail_senders_email_length check (char_length(email) <= 254)
);

-- Messages that were saved, so that one that is delivered again is saved once, and for the hour's limit.
create table private.saved_mails (
  user_id uuid not null,
  message_key text not null,
  saved_at timestamptz not null default clock_timestamp(),
  constraint saved_mails_pkey primary key (user_id, message_key),
  constraint saved_mails_address foreign key (user_id) references private.mail_addresses (user_id) on delete cascade,
  constraint saved_mails_message_key_length check (char_length(message_key) between 1 and 100)
);
create index saved_mails_by_moment on private.saved_mails (user_id, saved_at);

-- Messages of which something was not saved, for their owner to see.
create table private.refused_mails (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  message_key text not null,
  sender text not null,
  subject text not null,
  reason text not null,
  refused_at timestamptz not null default clock_timestamp(),
  constraint refused_mails_pkey primary key (id),
  constraint refused_mails_once unique (user_id, message_key),
  constraint refused_mails_address foreign key (user_id) references private.mail_addresses (user_id) on delete cascade,
  constraint refused_mails_message_key_length check (char_length(message_key) between 1 and 100),
  constraint refused_mails_sender_length check (char_length(sender) <= 254),
  constraint refused_mails_subject_length check (char_length(subject) <= 100),
  constraint refused_mails_reason_known check (reason in (
    'unknown_sender', 'unverified_sender', 'no_link', 'too_many_links', 'too_many_mails', 'plan_limit_links', 'plan_limit_categories'
  ))
);

alter table private.mail_addresses enable row level security;
alter table private.mail_senders enable row level security;
alter table private.saved_mails enable row level security;
alter table private.refused_mails enable row level security;
revoke all on private.mail_addresses, private.mail_senders, private.saved_mails, private.refused_mails
  from public, anon, authenticated, service_role;

-- 24 letters of base32, each of five bits of a hash of 244 random ones.
create function private.new_mail_local_part() returns text
  language sql volatile
  set search_path = ''
as $$
  select string_agg(substr('abcdefghijklmnopqrstuvwxyz234567', 1 + (get_byte(r.bytes, n) & 31), 1), '' order by n)
  from (select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) as bytes) as r, generate_series(0, 23) as n
$$;

-- The person's address, and whom it takes links from; no row where they have none.
create function public.mail_address()
  returns table (local_part text, any_sender boolean, own_sender text, senders text[])
  language sql stable
  security definer
  set search_path = ''
as $$
  select a.local_part, a.any_sender,
    (select lower(u.email) from auth.users u where u.id = a.user_id and u.email_confirmed_at is not null),
    array(select s.email from private.mail_senders s where s.user_id = a.user_id order by s.created_at, s.email)
  from private.mail_addresses a
  where a.user_id = private.caller_id()
$$;

-- Makes the person's address, or another in its place: then the old one is dead at once. Returns what stands before the @.
create function public.change_mail_address() returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
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
$$;

-- Gives the address up, with all that belongs to it.
create function public.give_up_mail_address() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.mail_addresses a where a.user_id = caller;
end
$$;

-- Takes links from this address as well: of twenty at most.
create function public.allow_mail_sender(email text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
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
$$;

create function public.forbid_mail_sender(email text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.mail_senders s where s.user_id = caller and s.email = lower(btrim(forbid_mail_sender.email));
end
$$;

-- Whether links are taken from everybody who knows the address, proven or not.
create function public.allow_any_mail_sender(allowed boolean) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
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
$$;

-- The last messages of which something was not saved, the newest first.
create function public.list_refused_mails()
  returns table (id uuid, sender text, subject text, reason text, refused_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select r.id, r.sender, r.subject, r.reason, r.refused_at
  from private.refused_mails r
  where r.user_id = private.caller_id() and r.refused_at > now() - interval '30 days'
  order by r.refused_at desc, r.id
  limit 20
$$;

-- An account that its owner deletes has no address any more, whether or not they come back. One at rest keeps it, and receives nothing.
create function private.end_mail_address() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.mail_addresses a where a.user_id = new.user_id;
  return null;
end
$$;
create trigger account_closures_end_mail_address after insert or update on private.account_closures
  for each row when (new.reason = 'deletion' and new.reopened_at is null) execute function private.end_mail_address();

revoke all on function private.new_mail_local_part(), private.end_mail_address() from public;
revoke all on function public.mail_address(), public.change_mail_address(), public.give_up_mail_address(),
  public.allow_mail_sender(text), public.forbid_mail_sender(text), public.allow_any_mail_sender(boolean),
  public.list_refused_mails() from public, anon, authenticated, service_role;
grant execute on function public.mail_address(), public.change_mail_address(), public.give_up_mail_address(),
  public.allow_mail_sender(text), public.forbid_mail_sender(text), public.allow_any_mail_sender(boolean),
  public.list_refused_mails() to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.mail_address() is 'The address to which a person sends links. Nullable: own_sender.';
