-- What open screens hear of. The hosted platform brings the publication along, empty; elsewhere it is made here.
-- `profiles` stays out: no screen listens to it, and a row holds the name and the picture of a person.
do $$
declare
  published text[] := array['folders', 'categories', 'links', 'subscribers', 'shared_with'];
  name text;
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  -- A publication of all tables has them, and takes no single one.
  if exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    return;
  end if;
  foreach name in array published loop
    if not exists (
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = name
    ) then
      execute format('alter publication supabase_realtime add table public.%I', name);
    end if;
  end loop;
end
$$;
