-- What the payment provider says of an account. Only the payment functions (service role) write here.
create table public.subscribers (
  user_id uuid not null,
  plan text not null default 'free',
  subscription_status text,
  current_period_end timestamptz,
  stripe_customer_id text,
  stripe_subscription_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subscribers_pkey primary key (user_id),
  constraint subscribers_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint subscribers_plan_is_known foreign key (plan) references private.plan_limits (plan),
  constraint subscribers_status_is_known
    check (subscription_status in ('active', 'expired', 'canceled', 'refunded', 'payment_failed')),
  constraint subscribers_customer_is_unique unique (stripe_customer_id),
  constraint subscribers_subscription_is_unique unique (stripe_subscription_id)
);
alter table public.subscribers enable row level security;
revoke all on public.subscribers from public, anon, authenticated;
grant select on public.subscribers to authenticated;
grant all on public.subscribers to service_role;

create trigger subscribers_touch before update on public.subscribers
  for each row execute function private.touch_updated_at();

-- Only 'active' counts as subscribed: any other status, and a vanished record, is the free plan.
create function private.follow_subscription() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  subscriber uuid := coalesce(new.user_id, old.user_id);
  effective text := 'free';
begin
  if tg_op <> 'DELETE' and new.subscription_status = 'active' then
    effective := new.plan;
  end if;
  update public.profiles set plan = effective where id = subscriber and plan <> effective;
  return null;
end
$$;
revoke all on function private.follow_subscription() from public;

create trigger subscribers_set_plan after insert or update or delete on public.subscribers
  for each row execute function private.follow_subscription();
create trigger subscribers_keep_identity before update on public.subscribers
  for each row when (old.user_id is distinct from new.user_id)
  execute function private.refuse_identity_change();
