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

-- Figures over time: sign-ups, active users, links, storage; by days, weeks or months as Brasília counts them.

-- On which days somebody signed in or renewed their session: a day and nothing more of it. The platform keeps only the last time.
create table private.user_activity (
  day date not null,
  user_id uuid not null,
  constraint user_activity_pkey primary key (day, user_id),
  constraint user_activity_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
create index user_activity_of_user on private.user_activity (user_id);
alter table private.user_activity enable row level security;
revoke all on private.user_activity from public, anon, authenticated, service_role;

create function private.brasilia_day(moment timestamptz) returns date
  language sql stable
  return (moment at time zone 'America/Sao_Paulo')::date;

create function private.note_activity() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into private.user_activity (day, user_id) values (private.brasilia_day(now()), new.user_id) on conflict do nothing;
  return null;
exception when others then
  -- Nobody is kept from signing in for the sake of a figure.
  raise warning 'activity of user % was not noted: %', new.user_id, sqlerrm;
  return null;
end
$$;

create trigger user_activity_note after insert or update of refreshed_at on auth.sessions
  for each row execute function private.note_activity();

-- What the platform remembers of the time before.
insert into private.user_activity (day, user_id)
select private.brasilia_day(s.created_at), s.user_id from auth.sessions s where s.created_at is not null
union
select private.brasilia_day(s.refreshed_at at time zone 'utc'), s.user_id from auth.sessions s where s.refreshed_at is not null
union
select private.brasilia_day(u.last_sign_in_at), u.id from auth.users u where u.last_sign_in_at is not null
on conflict do nothing;

-- Links and bytes of what was created on or after a day and is still there, by day.
create function private.written_since(first_day date) returns table (day date, links bigint, bytes numeric)
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  beginning timestamptz := first_day::timestamp at time zone 'America/Sao_Paulo';
begin
  return query
    select private.brasilia_day(l.created_at), count(*), sum(private.link_bytes(l))
    from public.links l where l.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(c.created_at), 0::bigint, sum(private.category_bytes(c))
    from public.categories c where c.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(f.created_at), 0::bigint, sum(private.folder_bytes(f))
    from public.folders f where f.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(s.created_at), 0::bigint, sum(24 + octet_length(s.email))::numeric
    from public.shared_with s where s.created_at >= beginning group by 1;
  if to_regclass('storage.objects') is not null then
    return query execute
      'select private.brasilia_day(o.created_at), 0::bigint, sum(coalesce((o.metadata ->> ''size'')::bigint, 0))
       from storage.objects o where o.created_at >= $1 and o.owner_id is not null group by 1'
      using beginning;
  end if;
end
$$;

-- One entry a day, week (from Monday) or month between two days, oldest first: at most 400, cut at the beginning. `active_users` counts
-- each person once an entry. `links_created` counts those that still exist, and `storage_used` what of today's holdings existed at
-- its end. Null for anybody but the administrator.
create function public.admin_statistics(first_day date, last_day date, unit text default 'day') returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  step text := case when unit in ('week', 'month') then unit else 'day' end;
  today date := private.brasilia_day(now());
  until date := least(coalesce(last_day, today), today);
  since date;
  total_storage bigint;
begin
  if not private.enter_admin_area('statistics', null, jsonb_build_object('from', first_day, 'to', last_day, 'unit', step)) then
    return null;
  end if;
  -- Two years tell enough; nobody's days are kept for longer.
  delete from private.user_activity a where a.day < today - 760;

  until := greatest(until, date '2000-01-01');
  since := greatest(
    date_trunc(step, least(coalesce(first_day, until - 29), until)::timestamp)::date,
    (date_trunc(step, until::timestamp) - 399 * ('1 ' || step)::interval)::date,
    date_trunc(step, timestamp '2000-01-01')::date
  );
  total_storage := private.total_storage_used();
  return jsonb_build_object('unit', step, 'entries', (
    with entries as (
      select g::date as day, (g + ('1 ' || step)::interval)::date as next_day
      from generate_series(since::timestamp, until::timestamp, ('1 ' || step)::interval) as g
    ), signed_up as (
      select date_trunc(step, private.brasilia_day(d.created_at)::timestamp)::date as day, count(*) as n
      from private.user_directory d
      where d.created_at >= since::timestamp at time zone 'America/Sao_Paulo'
      group by 1
    ), active as (
      select date_trunc(step, a.day::timestamp)::date as day, count(distinct a.user_id) as n
      from private.user_activity a
      where a.day >= since
      group by 1
    ), written as (
      select date_trunc(step, w.day::timestamp)::date as day, sum(w.links) as links, sum(w.bytes) as bytes
      from private.written_since(since) w
      group by 1
    )
    select jsonb_agg(jsonb_build_object(
      'starts_on', e.day,
      'sign_ups', coalesce(s.n, 0),
      'active_users', coalesce(a.n, 0),
      'links_created', coalesce(w.links, 0),
      'storage_used', total_storage
        - coalesce((select sum(later.bytes) from written later where later.day >= e.next_day), 0)
    ) order by e.day)
    from entries e
    left join signed_up s on s.day = e.day
    left join active a on a.day = e.day
    left join written w on w.day = e.day
  ));
end
$$;

revoke all on function private.subscription_state(public.subscribers), private.monthly_cents(public.subscribers),
  private.revenue_of(text), private.total_storage_used(), private.brasilia_day(timestamptz), private.note_activity(),
  private.written_since(date) from public;
revoke all on function public.admin_overview(), public.admin_subscriptions(text, integer, integer),
  public.admin_statistics(date, date, text) from public, anon, authenticated, service_role;
grant execute on function public.admin_overview(), public.admin_subscriptions(text, integer, integer),
  public.admin_statistics(date, date, text) to authenticated;

comment on function public.admin_overview() is 'rest: recorded first';
comment on function public.admin_subscriptions(text, integer, integer) is 'rest: recorded first';
comment on function public.admin_statistics(date, date, text) is 'rest: recorded first';
