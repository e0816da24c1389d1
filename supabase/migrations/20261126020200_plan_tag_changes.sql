-- A session that has undone some small changes keeps a plan for them, and went through a large one link by link for seconds. What an
-- act of tags is about differs by thousands: each is planned for itself.
alter function public.undo_tag_change(bigint) set plan_cache_mode = force_custom_plan;
alter function public.merge_tags(uuid[], uuid) set plan_cache_mode = force_custom_plan;
