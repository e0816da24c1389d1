-- Mails to people who were invited: what is to be sent, what was, and who wants none. A notification is queued in the transaction
-- that invites. Workers claim, send and report; they may be many, and any of them may die at any moment.

create table private.share_notifications (
  id uuid not null default gen_random_uuid(),
  -- No foreign key: a category that is deleted and brought back must not be announced a second time.
  category_id uuid not null,
  email text not null,
  sender_id uuid not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- Until then the worker that claimed it may be at it.
  leased_until timestamptz,
  -- When a worker last took it; what the limits count.
  claimed_at timestamptz,
  -- When it was handed to the mail server. Unknown what became of it, it is never sent again.
  started_at timestamptz,
  sent_at timestamptz,
  constraint share_notifications_pkey primary key (id),
  -- One for an address and a category, as long as the row lives (30 days): inviting, removing and inviting again is no way
  -- to fill somebody's inbox.
  constraint share_notifications_one_per_invitation unique (category_id, email),
  constraint share_notifications_sender_id_fkey foreign key (sender_id) references public.profiles (id) on delete cascade,
  constraint share_notifications_state_known check (state in ('waiting', 'sending', 'sent', 'refused', 'expired'))
);
create index share_notifications_due on private.share_notifications (next_attempt_at) where state = 'waiting';
create index share_notifications_leased on private.share_notifications (leased_until) where state = 'sending';
create index share_notifications_of_sender on private.share_notifications (sender_id, claimed_at);
create index share_notifications_of_receiver on private.share_notifications (email, claimed_at);
create index share_notifications_oldest on private.share_notifications (queued_at);

-- Every address that was ever written to, with the key of its unsubscribe link.
create table private.share_mail_addresses (
  email text not null,
  token uuid not null default gen_random_uuid(),
  unsubscribed_at timestamptz,
  constraint share_mail_addresses_pkey primary key (email),
  constraint share_mail_addresses_token_unique unique (token)
);

alter table private.share_notifications enable row level security;
alter table private.share_mail_addresses enable row level security;
revoke all on private.share_notifications, private.share_mail_addresses from public, anon, authenticated, service_role;

-- Queues those of the addresses that stand in the list since less than a day and are not queued yet. A sender whose queue is full
-- queues no more. What was never sent (revoked and invited again, say) is due anew.
create function private.enqueue_share_notifications(category_id uuid, sender_id uuid, emails text[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  room integer := 1000 - (
    select count(*) from private.share_notifications n where n.sender_id = $2 and n.state = 'waiting'
  );
begin
  insert into private.share_notifications as n (category_id, sender_id, email)
  select s.category_id, $2, s.email
  from public.shared_with s
  where s.category_id = $1 and s.email = any ($3) and s.created_at > now() - interval '1 day'
  order by s.created_at, s.email
  limit greatest(room, 0)
  on conflict on constraint share_notifications_one_per_invitation do update set
    state = 'waiting', sender_id = excluded.sender_id, queued_at = now(), next_attempt_at = now(), attempts = 0
  where n.state = 'expired' or n.state = 'waiting' and n.attempts = 0;
end
$$;
revoke all on function private.enqueue_share_notifications(uuid, uuid, text[]) from public;

-- For clients that write the list themselves and ask for the mails afterwards. Returns how many of the addresses stand in the list
-- and were invited within a day: who has an account, who unsubscribed and who was written to already makes no difference.
create function public.queue_share_notifications(category_id uuid, emails text[]) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  wanted text[];
  queued integer;
begin
  if cardinality(emails) > 100 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por vez';
  elsif auth.uid() is null
    or not exists (select from public.categories c where c.id = $1 and c.user_id = auth.uid())
  then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  wanted := array(select lower(btrim(given.email, E' \t\r\n')) from unnest(emails) as given(email));
  perform private.enqueue_share_notifications($1, auth.uid(), wanted);
  select count(*) into queued from public.shared_with s
  where s.category_id = $1 and s.email = any (wanted) and s.created_at > now() - interval '1 day';
  return queued;
end
$$;
revoke all on function public.queue_share_notifications(uuid, text[]) from public, anon, authenticated, service_role;
grant execute on function public.queue_share_notifications(uuid, text[]) to authenticated;
