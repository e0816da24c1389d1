-- Failing links of a closed account are not taken (take_links_to_check), so they are not due either: they had the checks started every
-- minute for as long as the account was closed. Its round is taken and put off by a day, so it may count.
create or replace function public.are_link_checks_due() returns boolean
  language sql
  stable
  security definer
  set search_path = ''
as $$
  select exists (
      select from private.failing_links f
      where f.due_at <= now()
        and not exists (select from private.account_closures c where c.user_id = f.user_id and c.reopened_at is null)
    )
    or exists (select from private.link_check_rounds r where r.due_at <= now())
$$;
