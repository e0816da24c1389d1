-- Passwords on public pages: whoever has the link must know a word as well. Who proves it gets a proof for two hours, bound to the category
-- and sent along with each request (the header `x-page-proof`). Without it the page is in every way as a private one, but that its page
-- asks for the password. Another password, or none, ends all proofs.

create extension if not exists pgcrypto with schema extensions;

alter table private.public_pages
  -- bcrypt. Never in any answer.
  add column password_hash text,
  add constraint public_pages_password_is_hashed check (password_hash like '$2a$%');

create table private.page_proofs (
  -- SHA-256 of the proof, which nobody keeps but the visitor.
  digest bytea not null,
  category_id uuid not null,
  expires_at timestamptz not null,
  constraint page_proofs_pkey primary key (digest),
  constraint page_proofs_category_id_fkey foreign key (category_id) references private.public_pages (category_id) on delete cascade
);
create index page_proofs_of_category on private.page_proofs (category_id, expires_at);

-- Wrong passwords by category and network, in quarters of an hour.
create table private.page_attempts (
  category_id uuid not null,
  network inet not null,
  since timestamptz not null default now(),
  wrong integer not null default 0,
  constraint page_attempts_pkey primary key (category_id, network),
  constraint page_attempts_category_id_fkey foreign key (category_id) references private.public_pages (category_id) on delete cascade
);
alter table private.page_proofs enable row level security;
alter table private.page_attempts enable row level security;
revoke all on private.page_proofs, private.page_attempts from public, anon, authenticated, service_role;

create function private.request_header(name text) returns text
  language sql stable
  set search_path = ''
as $$
  select nullif(current_setting('request.headers', true), '')::json ->> name
$$;

-- Where the request comes from; of IPv6 the /64, as everywhere. The hosted platform says it in a header of its own, our server in the other.
create function private.request_network() returns inet
  language plpgsql stable
  set search_path = ''
as $$
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
$$;

-- Whether the page asks for a password that the caller has not proven.
create function private.is_page_locked(category_id uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (
    select from private.public_pages p
    where p.category_id = $1 and p.password_hash is not null and not exists (
      select from private.page_proofs r
      where r.digest = sha256(convert_to(private.request_header('x-page-proof'), 'UTF8'))
        and r.category_id = $1 and r.expires_at > now()
    )
  )
$$;

create or replace function private.is_page_open(category_id uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select not private.has_page_ended($1) and not private.is_page_locked($1)
$$;

-- As before; 'locked' where nothing stands between the caller and a public page but its password.
create or replace function public.shared_category(category_id uuid)
  returns table (
    id uuid,
    access text,
    name text,
    description text,
    owner_name text,
    link_count integer,
    created_at timestamptz,
    updated_at timestamptz
  )
  language sql stable
  security definer
  set search_path = ''
as $$
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
$$;

-- Proves the password of a public page. Returns the proof, or null for a wrong password, which is counted: ten in a quarter of an hour from
-- one network, a thousand an hour from all. Categories that ask for no password are as those that do not exist.
create function public.open_locked_page(category_id uuid, password text) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
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
$$;

create function private.refuse_page_attempt() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = 'PT429', message = 'Muitas tentativas. Espere alguns minutos e tente de novo.', hint = 'too_many_attempts';
end
$$;

-- Puts a password on the public page of a category of the caller's, another one, or none (null), which a plan that does not share (any more)
-- does not allow. All proofs end.
create function public.set_page_password(category_id uuid, password text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
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
$$;

-- As before, with whether there is a password; of all categories of the caller's that have such limits where none is named.
drop function public.page_limits(uuid);
create function public.page_limits(category_id uuid default null)
  returns table (id uuid, ends_at timestamptz, has_password boolean)
  language sql stable
  security definer
  set search_path = ''
as $$
  select c.id, p.ends_at, p.password_hash is not null
  from public.categories c left join private.public_pages p on p.category_id = c.id
  where c.user_id = private.caller_id() and (c.id = $1 or $1 is null and (p.ends_at is not null or p.password_hash is not null))
  order by c.created_at, c.id
$$;
comment on function public.page_limits(uuid) is 'What the owner has said of public pages. Nullable: ends_at.';

revoke all on function private.request_header(text), private.request_network(), private.is_page_locked(uuid),
  private.refuse_page_attempt() from public;
revoke all on function public.open_locked_page(uuid, text), public.set_page_password(uuid, text), public.page_limits(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.open_locked_page(uuid, text) to anon, authenticated;
grant execute on function public.set_page_password(uuid, text), public.page_limits(uuid) to authenticated;
