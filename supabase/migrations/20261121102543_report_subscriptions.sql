-- What the administrator's dashboard and 'Planos e Assinaturas' show. Revenue is what active subscriptions really pay per month, by
-- currency: a yearly price counts a twelfth, a trial pays nothing yet, and what is no longer active pays nothing at all.

create function private.subscription_state(s public.subscribers) returns text
  language sql stable
  return case
    when s.subscription_status = 'active' and s.trial_end > now() then 'trialing'
    when s.subscription_status = 'active' and s.cancel_at_period_end then 'canceling'
    else s.subscription_status
  end;

-- Cents a month, not rounded.
create function private.monthly_cents(s public.subscribers) returns numeric
  language sql stable
  return case
    when s.subscription_status = 'active' and not coalesce(s.trial_end > now(), false) then
      coalesce(s.amount_cents, 0)::numeric / case s.billing_interval when 'year' then 12 else 1 end
    else 0
  end;

-- [{"currency": "usd", "cents": 1234}], the largest first; only what pays something.
create function private.revenue_of(state text default null) returns jsonb
  language sql stable
  set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('currency', r.currency, 'cents', r.cents) order by r.cents desc, r.currency), '[]')
  from (
    select lower(coalesce(s.currency, 'usd')) as currency, round(sum(private.monthly_cents(s))) as cents
    from public.subscribers s
    where s.subscription_status = 'active' and (state is null or private.subscription_state(s) = state)
    group by 1
  ) as r
  where r.cents > 0
$$;

-- Bytes of everything that everybody stored.
create function private.total_storage_used() returns bigint
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  total bigint := coalesce((select sum(n.row_bytes) from public.library_counts n), 0)
    + coalesce((select sum(24 + octet_length(s.email)) from public.shared_with s), 0);
  objects bigint := 0;
begin
  if to_regclass('storage.objects') is not null then
    execute 'select coalesce(sum((o.metadata ->> ''size'')::bigint), 0) from storage.objects o where o.owner_id is not null'
      into objects;
  end if;
  return total + objects;
end
$$;

-- The four figures of the dashboard and the ten newest users. Null for anybody but the administrator.
create function public.admin_overview() returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
begin
  if not private.enter_admin_area('overview') then
    return null;
  end if;
  return jsonb_build_object(
    'total_users', (select count(*) from private.user_directory d),
    'premium_users', (select count(*) from private.user_directory d where d.plan <> 'free'),
    'monthly_revenue', private.revenue_of(),
    'storage_used', private.total_storage_used(),
    'recent_users', private.describe_users(array(
      select d.user_id from private.user_directory d order by d.created_at desc, d.user_id desc limit 10
    ))
  );
end
$$;

-- Subscriptions by state, each with its number and revenue; and one page of them, newest change first, of one state or all.
-- Null for anybody but the administrator.
create function public.admin_subscriptions(state text default null, page integer default 1, page_size integer default 10) returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  wanted text := nullif(admin_subscriptions.state, '');
  size integer := least(greatest(coalesce(page_size, 10), 1), 100);
  at_page integer := greatest(coalesce(page, 1), 1);
begin
  if not private.enter_admin_area('subscriptions', null, jsonb_build_object('state', left(wanted, 20), 'page', at_page)) then
    return null;
  end if;
  return jsonb_build_object(
    'monthly_revenue', private.revenue_of(),
    'states', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'state', g.state, 'count', g.n, 'monthly_revenue', private.revenue_of(g.state)
      ) order by g.n desc, g.state), '[]')
      from (
        select private.subscription_state(s) as state, count(*) as n
        from public.subscribers s where s.subscription_status is not null group by 1
      ) as g
    ),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan', g.plan, 'billing_interval', g.billing_interval, 'currency', g.currency, 'count', g.n, 'monthly_cents', round(g.cents)
      ) order by g.plan, g.billing_interval, g.currency), '[]')
      from (
        select s.plan, s.billing_interval, lower(coalesce(s.currency, 'usd')) as currency, count(*) as n,
          sum(private.monthly_cents(s)) as cents
        from public.subscribers s where s.subscription_status = 'active' group by 1, 2, 3
      ) as g
    ),
    'total', (
      select count(*) from public.subscribers s
      where s.subscription_status is not null and (wanted is null or private.subscription_state(s) = wanted)
    ),
    'subscriptions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'user_id', k.user_id, 'email', u.email, 'name', p.name, 'plan', k.plan, 'state', k.state,
        'billing_interval', k.billing_interval, 'amount_cents', k.amount_cents, 'currency', lower(coalesce(k.currency, 'usd')),
        'current_period_end', k.current_period_end, 'trial_end', k.trial_end
      ) order by k.updated_at desc, k.user_id), '[]')
      from (
        select s.*, private.subscription_state(s) as state
        from public.subscribers s
        where s.subscription_status is not null and (wanted is null or private.subscription_state(s) = wanted)
        order by s.updated_at desc, s.user_id
        offset (at_page - 1)::bigint * size limit size
      ) as k
      join auth.users u on u.id = k.user_id
      join public.profiles p on p.id = k.user_id
    )
  );
end
$$;

revoke all on function private.subscription_state(public.subscribers), private.monthly_cents(public.subscribers),
  private.revenue_of(text), private.total_storage_used() from public;
revoke all on function public.admin_overview(), public.admin_subscriptions(text, integer, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.admin_overview(), public.admin_subscriptions(text, integer, integer) to authenticated;
