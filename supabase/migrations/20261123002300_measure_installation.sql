-- When the rounds that the server makes by itself were last finished, by whichever copy: one row a round.
create table private.finished_rounds (
  round text not null,
  finished_at timestamptz not null,
  constraint finished_rounds_pkey primary key (round),
  constraint finished_rounds_round_known check (round in ('file_sweep', 'account_upkeep'))
);
alter table private.finished_rounds enable row level security;
revoke all on private.finished_rounds from public, anon, authenticated, service_role;

create function private.finish_round(round text) returns void
  language sql
  security definer
  set search_path = ''
as $$
  insert into private.finished_rounds as r (round, finished_at) values ($1, now())
  on conflict on constraint finished_rounds_pkey do update set finished_at = greatest(r.finished_at, excluded.finished_at)
$$;

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

-- What an operator watches besides payments, in one answer: the size of the database, mails that wait and for how long, and the rounds.
-- Of the invitations those count that may be sent: what waits because its sender or receiver is at a limit is nobody's fault. At most a
-- thousand of them are looked at, the oldest first.
create function private.measure_installation() returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select jsonb_build_object(
    'database_bytes', pg_database_size(current_database()),
    'mails', (
      select jsonb_agg(jsonb_build_object(
        'queue', q.queue, 'waiting', q.waiting, 'oldest_seconds', coalesce(extract(epoch from now() - q.oldest), 0)
      ) order by q.queue)
      from (
        select 'account' as queue, count(*) as waiting, min(m.queued_at) as oldest
        from private.account_mails m where m.state in ('waiting', 'sending')
        union all
        select 'invitation', count(*), min(n.queued_at)
        from (
          select w.queued_at, w.id, w.sender_id, w.email from private.share_notifications w
          where w.state in ('waiting', 'sending') order by w.queued_at limit 1000
        ) n
        where private.may_send_share_mail(n.id, n.sender_id, n.email)
      ) q
    ),
    'rounds', coalesce((
      select jsonb_agg(jsonb_build_object('round', r.round, 'finished_at', extract(epoch from r.finished_at)) order by r.round)
      from private.finished_rounds r
    ), '[]')
  )
$$;

revoke all on function private.finish_round(text), private.measure_payments(), private.measure_installation() from public;
grant execute on function private.finish_round(text), private.measure_payments(), private.measure_installation()
  to service_role;
