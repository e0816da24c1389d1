create table public.links (
  id uuid not null default gen_random_uuid(),
  url text not null,
  title text not null,
  description text,
  category_id uuid not null,
  user_id uuid not null default auth.uid(),
  -- The clock and not the transaction's start: links written by one statement keep their order and page apart.
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  constraint links_pkey primary key (id),
  constraint links_category_of_same_owner foreign key (category_id, user_id)
    references public.categories (id, user_id) on delete cascade,
  constraint links_title_length check (char_length(title) between 1 and 100),
  constraint links_title_not_blank check (title ~ '\S'),
  constraint links_description_length check (char_length(description) <= 1200),
  constraint links_url_length check (char_length(url) <= 500),
  constraint links_url_is_http check (url ~* '^https?://[^\s/?#]' and url !~ '[\x01-\x1f\x7f]')
);
-- Ascending, and read backwards for newest first: rows arrive in this order, so pages fill up; descending leaves them half empty.
create index links_newest_of_user on public.links (user_id, created_at, id);
create index links_newest_of_category on public.links (category_id, created_at, id);

alter table public.links enable row level security;
revoke all on public.links from public, anon, authenticated;
grant select, delete,
  insert (id, url, title, description, category_id, user_id),
  update (id, url, title, description, category_id, user_id, updated_at) on public.links to authenticated;
grant all on public.links to service_role;

create trigger links_touch before update on public.links
  for each row execute function private.touch_updated_at();
create trigger links_keep_identity before update on public.links
  for each row when ((old.id, old.user_id, old.created_at) is distinct from (new.id, new.user_id, new.created_at))
  execute function private.refuse_identity_change();
