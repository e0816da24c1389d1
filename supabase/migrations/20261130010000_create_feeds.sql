-- Feeds of a person's own categories and saved searches, behind secret addresses. The key is a credential: only its owner makes, reads or
-- changes it, no program that acts for them; whoever has it reads the newest links of that one thing.
create table private.feeds (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  category_id uuid,
  search_id uuid,
  -- Kept as it is, so that its owner can read it again. As of mail addresses, 120 bits.
  key text not null default private.new_mail_local_part(),
  created_at timestamptz not null default now(),
  constraint feeds_pkey primary key (id),
  constraint feeds_key_key unique (key),
  constraint feeds_category_once unique (category_id),
  constraint feeds_search_once unique (search_id),
  constraint feeds_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint feeds_category_of_same_owner foreign key (category_id, user_id) references public.categories (id, user_id) on delete cascade,
  constraint feeds_search_exists foreign key (search_id) references public.saved_searches (id) on delete cascade,
  constraint feeds_of_one_thing check (num_nonnulls(category_id, search_id) = 1),
  constraint feeds_key_is_random check (key ~ '^[a-z2-7]{24}$')
);
create index feeds_of_user on private.feeds (user_id);
alter table private.feeds enable row level security;
revoke all on private.feeds from public, anon, authenticated, service_role;

-- The key of the caller's feed of a category or a saved search; null where there is none.
create function public.feed_key(category_id uuid default null, search_id uuid default null) returns text
  language sql stable
  security definer
  set search_path = ''
as $$
  select f.key from private.feeds f
  where f.user_id = private.caller_id() and (f.category_id = $1 or f.search_id = $2)
$$;
comment on function public.feed_key(uuid, uuid) is 'The key of a feed of one''s own. Nullable.';

-- Makes the feed, or tells the key it has; renewed, it has another one and the old address is dead at once. At most 200 a person.
create function public.open_feed(category_id uuid default null, search_id uuid default null, renew boolean default false) returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
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
$$;

-- Ends the feed: its address is dead at once.
create function public.close_feed(category_id uuid default null, search_id uuid default null) returns void
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
  delete from private.feeds f where f.user_id = caller and (f.category_id = $1 or f.search_id = $2);
end
$$;

-- Whose feed a key opens, and of what; no row for a key that nobody has, and while its owner's account is closed or locked.
create function private.find_feed(feed_key text) returns table (
  user_id uuid,
  owner_name text,
  category_id uuid,
  search_id uuid,
  name text,
  description text,
  question text,
  created_at timestamptz
)
  language sql stable
  security definer
  set search_path = ''
as $$
  select f.user_id, p.name, f.category_id, f.search_id, coalesce(c.name, s.name), c.description, s.question, f.created_at
  from private.feeds f
  join public.profiles p on p.id = f.user_id
  left join public.categories c on c.id = f.category_id
  left join public.saved_searches s on s.id = f.search_id
  where f.key = feed_key
    and not exists (select from private.account_closures a where a.user_id = f.user_id and a.reopened_at is null)
    and not exists (select from auth.users u where u.id = f.user_id and (u.deleted_at is not null or u.banned_until > now()))
$$;

-- An account that its owner deletes has none any more, whether or not they come back.
create function private.end_feeds() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.feeds f where f.user_id = new.user_id;
  return null;
end
$$;
create trigger account_closures_end_feeds after insert or update on private.account_closures
  for each row when (new.reason = 'deletion' and new.reopened_at is null) execute function private.end_feeds();

revoke all on function private.end_feeds(), private.find_feed(text) from public;
revoke all on function public.feed_key(uuid, uuid), public.open_feed(uuid, uuid, boolean), public.close_feed(uuid, uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.feed_key(uuid, uuid), public.open_feed(uuid, uuid, boolean), public.close_feed(uuid, uuid) to authenticated;
grant execute on function private.find_feed(text) to service_role;
