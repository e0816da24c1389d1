-- The administrator's list tells which accounts are closed, why, and until when a deleted one can be had back; and lists those alone.

-- The rows of the list for these users, in their order.
create or replace function private.describe_users(ids uuid[]) returns jsonb
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

-- Another parameter makes another function: the one without it goes, or a call could mean either.
drop function public.admin_list_users(text, text, integer, integer);

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
revoke all on function public.admin_list_users(text, text, integer, integer, text) from public, anon, service_role;
grant execute on function public.admin_list_users(text, text, integer, integer, text) to authenticated;
