-- Open screens hear of changes row by row, and who sees a row may depend on a list: the categories that were shared with
-- somebody. A server of ours keeps such a list while nothing that it is made from changes, so that it need not be asked for
-- with every row and every listener. What it is made from is said here; a function that says nothing is asked each time.
-- Whoever changes one of these functions says anew what it reads.
comment on function private.invited_category_ids() is 'realtime: reads public.shared_with';
comment on function private.openable_category_ids() is
  'realtime: reads public.shared_with, public.profiles, private.plan_limits';
comment on function private.own_category_ids() is 'realtime: reads public.categories';

-- The log carries these changes to the server alone: no screen can listen to this publication.
create publication linkoteca_policy_sources for table public.profiles, private.plan_limits;
