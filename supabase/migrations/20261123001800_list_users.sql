-- The administrator's list of all users: searched, filtered and paged over everybody, in well under a tenth of a second for a hundred
-- thousand. The platform's table carries no index of ours and drags passwords and metadata along; so what the list searches stands
-- in a table as narrow as can be, whose one index holds all of it in the list's order. Any search is one walk along that index: common
-- and absent words cost the same, which no index over pieces of words can promise.

create table private.user_directory (
  user_id uuid not null,
  -- In lower case, as it is searched; empty for an account without one.
  email text not null default '',
  plan text not null default 'free',
  created_at timestamptz not null default now(),
  constraint user_directory_pkey primary key (user_id),
  constraint user_directory_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
alter table private.user_directory enable row level security;
revoke all on private.user_directory from public, anon, authenticated, service_role;

-- Read backwards: newest first.
create index user_directory_newest on private.user_directory (created_at, user_id) include (email, plan);

create function private.list_user() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into private.user_directory (user_id, email, plan, created_at)
  select new.id, coalesce(lower(u.email::text), ''), new.plan, coalesce(u.created_at, new.created_at)
  from auth.users u where u.id = new.id
  on conflict (user_id) do nothing;
  return null;
end
$$;

create function private.follow_listed_plan() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.user_directory set plan = new.plan where user_id = new.id;
  return null;
end
$$;

create function private.follow_listed_address() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.user_directory set email = coalesce(lower(new.email::text), '') where user_id = new.id;
  return null;
end
$$;

-- Hung on profiles, as the counters are: every user has one.
create trigger user_directory_list after insert on public.profiles
  for each row execute function private.list_user();
create trigger user_directory_follow_plan after update of plan on public.profiles
  for each row when (old.plan is distinct from new.plan) execute function private.follow_listed_plan();
create trigger user_directory_follow_address after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function private.follow_listed_address();

insert into private.user_directory (user_id, email, plan, created_at)
select p.id, coalesce(lower(u.email::text), ''), p.plan, coalesce(u.created_at, p.created_at)
from public.profiles p join auth.users u on u.id = p.id
on conflict (user_id) do nothing;

-- Bytes of stored objects by owner. The storage service has the table; where it is not installed, nobody has stored anything.
create function private.object_bytes(owners uuid[]) returns table (user_id uuid, bytes bigint)
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  return query execute
    'select o.owner_id::uuid, sum(coalesce((o.metadata ->> ''size'')::bigint, 0))::bigint
     from storage.objects o where o.owner_id = any ($1::text[]) group by o.owner_id'
    using owners;
end
$$;

-- All that a person's data takes: their rows, the addresses they invited, their objects.
create function private.storage_used(owners uuid[]) returns table (user_id uuid, bytes bigint)
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return query
    select o.id, (coalesce(n.row_bytes, 0) + coalesce(invited.bytes, 0) + coalesce(objects.bytes, 0))::bigint
    from unnest(owners) as o(id)
    left join public.library_counts n on n.user_id = o.id
    left join lateral (
      select sum(24 + octet_length(s.email)) as bytes
      from public.categories c join public.shared_with s on s.category_id = c.id
      where c.user_id = o.id
    ) as invited on true
    left join private.object_bytes(owners) as objects on objects.user_id = o.id;
end
$$;

-- The rows of the list for these users, in their order.
create function private.describe_users(ids uuid[]) returns jsonb
  language sql stable
  set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', o.id,
    'email', u.email,
    'name', p.name,
    'created_at', d.created_at,
    'plan', d.plan,
    'link_count', coalesce(n.link_count, 0),
    'folder_count', coalesce(n.folder_count, 0),
    'last_login', u.last_sign_in_at,
    'storage_used', s.bytes,
    'storage_limit', l.storage_megabytes * 1048576::bigint,
    'closed_for', c.reason,
    'restorable_until', c.purge_after
  ) order by o.place), '[]')
  from unnest(ids) with ordinality as o(id, place)
  join private.user_directory d on d.user_id = o.id
  join auth.users u on u.id = o.id
  join public.profiles p on p.id = o.id
  join private.plan_limits l on l.plan = d.plan
  left join public.library_counts n on n.user_id = o.id
  left join private.storage_used(ids) s on s.user_id = o.id
  left join private.account_closures c on c.user_id = o.id and c.reopened_at is null
$$;

-- One page of all users, newest first, of those whose address contains `search`, whose plan is `plan` and who are closed for the
-- reason `closed_for` ('deletion' or 'inactivity'), where these are given; and how many there are. Null for anybody but the administrator. Pages
-- begin at 1 and hold at most 100.
create function public.admin_list_users(
  search text default '', plan text default null, page integer default 1, page_size integer default 10,
  closed_for text default null
) returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  term text := lower(btrim(left(coalesce(search, ''), 320)));
  wanted text := nullif(admin_list_users.plan, '');
  wanted_reason text := nullif(admin_list_users.closed_for, '');
  size integer := least(greatest(coalesce(page_size, 10), 1), 100);
  at_page integer := greatest(coalesce(page, 1), 1);
  past bigint := (at_page - 1)::bigint * size;
  total bigint;
  ids uuid[];
begin
  if not private.enter_admin_area('users', null, jsonb_build_object(
    'search', nullif(term, ''), 'plan', left(wanted, 20), 'closed_for', left(wanted_reason, 20), 'page', at_page
  )) then
    return null;
  end if;

  -- Apart from the list of everybody, whose walk along its index knows nothing of closures: those are few.
  if wanted_reason is not null then
    ids := array(
      select d.user_id
      from private.account_closures c join private.user_directory d on d.user_id = c.user_id
      where c.reopened_at is null and c.reason = wanted_reason
        and (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0)
      order by d.created_at desc, d.user_id desc
      offset past limit size
    );
    select count(*) into total
    from private.account_closures c join private.user_directory d on d.user_id = c.user_id
    where c.reopened_at is null and c.reason = wanted_reason
      and (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0);
    return jsonb_build_object('total', total, 'users', private.describe_users(ids));
  end if;

  -- strpos takes the term as it is: no character in it stands for others.
  ids := array(
    select d.user_id
    from private.user_directory d
    where (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0)
    order by d.created_at desc, d.user_id desc
    offset past limit size
  );
  -- A page that is not full is the last one and tells the total; what is rare is walked for once.
  if cardinality(ids) between 1 and size - 1 or past = 0 and cardinality(ids) = 0 then
    total := past + cardinality(ids);
  else
    select count(*) into total
    from private.user_directory d
    where (wanted is null or d.plan = wanted) and (term = '' or strpos(d.email, term) > 0);
  end if;
  return jsonb_build_object('total', total, 'users', private.describe_users(ids));
end
$$;

-- A user's links, newest first, a page at a time, each with its category. Null for anybody but the administrator.
create function public.admin_user_links(user_id uuid, page integer default 1, page_size integer default 50) returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  size integer := least(greatest(coalesce(page_size, 50), 1), 200);
  at_page integer := greatest(coalesce(page, 1), 1);
begin
  if not private.enter_admin_area('user_links', admin_user_links.user_id, jsonb_build_object('page', at_page)) then
    return null;
  end if;
  return jsonb_build_object(
    'total', coalesce(
      (select n.link_count from public.library_counts n where n.user_id = admin_user_links.user_id), 0
    ),
    'links', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', k.id, 'title', k.title, 'url', k.url, 'created_at', k.created_at,
        'category', jsonb_build_object('id', c.id, 'name', c.name), 'favorite', false
      ) order by k.created_at desc, k.id desc), '[]')
      from (
        select l.id, l.title, l.url, l.created_at, l.category_id
        from public.links l
        where l.user_id = admin_user_links.user_id
        order by l.created_at desc, l.id desc
        offset (at_page - 1)::bigint * size limit size
      ) as k
      join public.categories c on c.id = k.category_id
    )
  );
end
$$;

-- Plans change by what the payment provider says and by nothing else: this is the refusal itself, answered and not raised, so that
-- the attempt stays on record. The table API sends it as an error of status 403; anybody but the administrator gets null.
create function public.admin_change_plan(user_id uuid, plan text) returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
begin
  if not private.enter_admin_area(
    'change_plan_refused', admin_change_plan.user_id, jsonb_build_object('plan', left(admin_change_plan.plan, 20))
  ) then
    return null;
  end if;
  perform set_config('response.status', '403', true);
  return jsonb_build_object(
    'code', '42501', 'message', 'Somente o provedor de pagamento muda o plano de uma pessoa',
    'details', null, 'hint', 'payment_provider_only'
  );
end
$$;

revoke all on function private.list_user(), private.follow_listed_plan(), private.follow_listed_address(),
  private.object_bytes(uuid[]), private.storage_used(uuid[]), private.describe_users(uuid[]) from public;
revoke all on function public.admin_list_users(text, text, integer, integer, text),
  public.admin_user_links(uuid, integer, integer), public.admin_change_plan(uuid, text)
  from public, anon, authenticated, service_role;
grant execute on function public.admin_list_users(text, text, integer, integer, text),
  public.admin_user_links(uuid, integer, integer), public.admin_change_plan(uuid, text) to authenticated;

comment on function public.admin_list_users(text, text, integer, integer, text) is 'rest: recorded first';
comment on function public.admin_user_links(uuid, integer, integer) is 'rest: recorded first';
comment on function public.admin_change_plan(uuid, text) is 'rest: recorded first';
