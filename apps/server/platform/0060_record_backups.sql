-- When this installation was last backed up, and how that ended: one row for each occasion. It says nothing of anybody's data, and
-- is not part of a backup. The account that owns the database writes it; the server reads it for its schedule and its metrics.

create table linkoteca_platform.backups (
  kind text not null,
  started_at timestamptz,
  finished_at timestamptz,
  bytes bigint,
  place text,
  failed_at timestamptz,
  failure text,
  constraint backups_pkey primary key (kind),
  constraint backups_kind_is_known check (kind in ('by_hand', 'scheduled', 'before_migration'))
);
revoke all on linkoteca_platform.backups from public;
grant usage on schema linkoteca_platform to service_role;
grant select on linkoteca_platform.backups to service_role;
