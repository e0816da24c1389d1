-- Numbers for links and tags, for programs that know no other ids (linkding's API shape: many of its apps keep them in 32 bits). One is given when
-- a link or tag is first shown to such a program, never changes and is never given again; whoever knows it knows nothing else.
create table private.short_ids (
  number bigint generated always as identity,
  user_id uuid not null,
  id uuid not null,
  constraint short_ids_pkey primary key (number),
  constraint short_ids_one_each unique (user_id, id),
  constraint short_ids_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade
);
revoke all on private.short_ids from public, anon, authenticated;
alter table private.short_ids enable row level security;

-- The numbers of the caller's own links and tags, given now where they have none.
create function private.number_rows(ids uuid[]) returns table (id uuid, number bigint)
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.reader_id();
begin
  if cardinality(ids) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 por vez';
  end if;
  -- In one order for everybody, so that no two wait for each other.
  insert into private.short_ids (user_id, id)
  select caller, own.id from (
    select l.id from public.links l where l.id = any (ids) and l.user_id = caller
    union all
    select t.id from public.tags t where t.id = any (ids) and t.user_id = caller
  ) as own
  where not exists (select from private.short_ids s where s.user_id = caller and s.id = own.id)
  order by own.id
  on conflict on constraint short_ids_one_each do nothing;
  return query select s.id, s.number from private.short_ids s where s.user_id = caller and s.id = any (ids);
end
$$;

-- What the caller's number stands for; null for anybody else's.
create function private.numbered_row(number bigint) returns uuid
  language sql stable
  security definer
  set search_path = ''
as $$ select s.id from private.short_ids s where s.number = $1 and s.user_id = (select private.reader_id()) $$;

-- Forgets numbers of what is neither there nor in a bin. Called by the server now and then.
create function private.purge_short_ids(at_most integer default 10000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  purged integer;
begin
  delete from private.short_ids where number = any (array(
    select s.number from private.short_ids s
    where not exists (select from public.links l where l.id = s.id)
      and not exists (select from public.tags t where t.id = s.id)
      and not exists (select from private.deleted_rows r where r.id = s.id)
    limit at_most
  ));
  get diagnostics purged = row_count;
  return purged;
end
$$;

revoke all on function private.number_rows(uuid[]), private.numbered_row(bigint), private.purge_short_ids(integer)
  from public, anon, authenticated;
grant execute on function private.number_rows(uuid[]), private.numbered_row(bigint) to authenticated;
grant execute on function private.purge_short_ids(integer) to service_role;
