-- No row is dated before 1970 or after tomorrow: '-infinity' and the year 294276 are dates for Postgres and for nobody who reads them.
-- People write no date themselves (no column of one is granted but updated_at, which a trigger sets); what they import carries some.

-- Asked of one column alone, for it is asked with every row. Set right and not refused: what comes back from the trash, or from before this rule, must not be lost for its date.
create or replace function private.bound_dates() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.created_at := greatest(least(new.created_at, now()), '1970-01-01 00:00:00+00');
  new.updated_at := greatest(least(new.updated_at, now()), '1970-01-01 00:00:00+00');
  return new;
end
$$;
revoke all on function private.bound_dates() from public;

create or replace trigger folders_bound_dates before insert on public.folders
  for each row when (new.created_at < '1970-01-01 00:00:00+00' or new.created_at > now() + interval '1 day')
  execute function private.bound_dates();
create or replace trigger categories_bound_dates before insert on public.categories
  for each row when (new.created_at < '1970-01-01 00:00:00+00' or new.created_at > now() + interval '1 day')
  execute function private.bound_dates();
create or replace trigger links_bound_dates before insert on public.links
  for each row when (new.created_at < '1970-01-01 00:00:00+00' or new.created_at > now() + interval '1 day')
  execute function private.bound_dates();

-- As before, and a link with such a date is one without a date: all of them at the same moment could not be read page by page.
do $$
begin
  execute replace(
    pg_get_functiondef('private.import_links(uuid, timestamptz, jsonb)'::regprocedure),
    'date_trunc(''second'', w.created_at)',
    'date_trunc(''second'', case when w.created_at >= ''1970-01-01 00:00:00+00'' then w.created_at end)'
  );
end
$$;

-- What an import left behind already. The text of the search stands under the date of its link, and the zones under ranges of dates.
do $$
declare
  owners uuid[] := array(
    select distinct l.user_id from public.links l
    where l.created_at < '1970-01-01 00:00:00+00' or l.created_at > now() + interval '1 day'
  );
  owner_id uuid;
begin
  if owners = '{}' then
    return;
  end if;
  alter table public.links disable trigger user;
  with bounded as (
    select l.id, l.created_at as before,
      case when l.created_at < now() then timestamptz '1970-01-01 00:00:00+00' else now() - interval '1 minute' end
        + row_number() over (partition by l.user_id, l.created_at < now() order by l.created_at, l.id) * interval '1 microsecond'
        as created_at
    from public.links l
    where l.user_id = any (owners)
      and (l.created_at < '1970-01-01 00:00:00+00' or l.created_at > now() + interval '1 day')
  ), dated as (
    update public.links l set created_at = b.created_at from bounded b where l.id = b.id
  )
  update private.link_search s set created_at = b.created_at
  from bounded b where s.user_id = any (owners) and s.created_at = b.before and s.id = b.id;
  alter table public.links enable trigger user;

  with removed as (
    delete from private.link_search_zones z where z.user_id = any (owners) returning z.user_id
  )
  select coalesce(array_agg(distinct r.user_id), '{}') into owners from removed r;
  foreach owner_id in array owners loop
    perform private.extend_search_zones(owner_id);
  end loop;
end
$$;
