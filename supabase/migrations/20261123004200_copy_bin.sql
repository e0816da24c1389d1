-- What is in the bin, row by row, for the copy of one's account: as it was, a category with whom it was shared with.

-- Pages begin after the row that is named: its deletion, kind and id.
create function public.list_bin_rows(
  after_deletion bigint default 0, after_kind text default '', after_id uuid default null, max integer default 1000
)
  returns table (deletion_id bigint, kind text, id uuid, content jsonb, deleted_at timestamptz, purge_after timestamptz)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  left_over integer := least(greatest(coalesce(max, 1000), 0), 1000);
  found_rows integer;
  d private.deletions;
begin
  for d in
    select o.* from private.deletions o
    where o.user_id = caller and o.purge_after > now() and o.id >= after_deletion
    order by o.id
  loop
    exit when left_over = 0;
    return query
      select d.id, r.kind, r.id, r.content || case r.kind
        when 'category' then jsonb_build_object('shared_with', coalesce(
          (
            select jsonb_agg(jsonb_build_object('email', s.content ->> 'email', 'created_at', s.content ->> 'created_at'))
            from private.deleted_rows s where s.deletion_id = d.id and s.kind = 'share' and s.id = r.id
          ), '[]'
        ))
        else '{}'
      end, d.deleted_at, d.purge_after
      from private.deleted_rows r
      where r.deletion_id = d.id and r.kind in ('folder', 'category', 'link')
        and (d.id > after_deletion or (r.kind, r.id) > (after_kind, after_id))
      order by r.kind, r.id
      limit left_over;
    get diagnostics found_rows = row_count;
    left_over := left_over - found_rows;
  end loop;
end
$$;

revoke all on function public.list_bin_rows(bigint, text, uuid, integer) from public, anon, authenticated, service_role;
grant execute on function public.list_bin_rows(bigint, text, uuid, integer) to authenticated;
