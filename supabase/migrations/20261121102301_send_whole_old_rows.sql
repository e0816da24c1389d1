-- A deletion is told only to those who could see the row, and a filter sees the old row's columns: both need the whole of
-- it in the log. It also carries along the long values that an update left as they were.
alter table public.folders replica identity full;
alter table public.categories replica identity full;
alter table public.links replica identity full;
alter table public.subscribers replica identity full;
alter table public.shared_with replica identity full;
