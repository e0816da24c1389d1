-- What an operator watches of payments, in one answer: events by type and what became of them (those of 90 days are kept), subscriptions by
-- plan and state, and the last reconciliation that was finished.
create function private.measure_payments() returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'events', coalesce((
      select jsonb_agg(to_jsonb(e)) from (
        select type, coalesce(outcome, 'waiting') as outcome, count(*) as count from private.stripe_events group by 1, 2
      ) e
    ), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(to_jsonb(s)) from (
        select plan, subscription_status as state, count(*) as count from public.subscribers
        where subscription_status is not null group by 1, 2
      ) s
    ), '[]'),
    'reconciliation', (
      select jsonb_build_object(
        'finished_at', extract(epoch from r.finished_at), 'checked', r.checked, 'repaired', r.repaired
      ) from private.subscription_reconciliation r
    )
  )
$$;
revoke all on function private.measure_payments() from public;
grant execute on function private.measure_payments() to service_role;
