-- What is to go was found by sorting all deliveries of everybody: with a large log that took longer than a statement may, and nothing went.

create or replace function private.purge_webhooks(at_most integer default 10000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  old constant timestamptz := now() - interval '30 days';
  purged integer;
begin
  delete from private.webhooks w where w.deleted_at < now() - interval '1 hour';
  delete from private.webhook_deliveries d where d.id = any (array(
    select o.id from private.webhook_deliveries o where o.created_at < old
    union all
    select o.id
    from private.webhooks w
    cross join lateral (
      select x.number from private.webhook_deliveries x
      where x.webhook_id = w.id order by x.number desc offset 1000 limit 1
    ) as surplus
    cross join lateral (
      select s.id from private.webhook_deliveries s
      where s.webhook_id = w.id and s.number <= surplus.number and s.state <> 'waiting' and s.created_at >= old
      limit at_most
    ) as o
    limit at_most
  ));
  get diagnostics purged = row_count;
  return purged;
end
$$;
