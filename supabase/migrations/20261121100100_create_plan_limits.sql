-- What each plan allows. Twin of packages/domain/src/plans.ts; a test compares the two. null means unlimited.
create table private.plan_limits (
  plan text not null,
  max_links integer,
  max_categories integer,
  max_received_shares integer,
  can_share boolean not null,
  constraint plan_limits_pkey primary key (plan)
);

insert into private.plan_limits (plan, max_links, max_categories, max_received_shares, can_share) values
  ('free', 20, 5, 1, false),
  ('plus', 500, 20, null, true),
  ('pro', null, null, null, true);
