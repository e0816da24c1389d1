-- Where the payment emulator of an installation without a payment provider keeps its objects. A hosted project has the
-- provider itself. The schema belongs to a role of its own: no request role can name it, so the table API never shows it.

do $$
declare
  wanted record;
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'payment_emulator') then
    begin
      create role payment_emulator nologin noinherit;
    exception
      when duplicate_object or unique_violation then
        null;
    end;
  end if;
  -- As in 0005: the server's pool becomes it, and whoever migrates acts as it.
  for wanted in
    select * from (values ('authenticator'), (current_user::text)) as members(name)
  loop
    if exists (select from pg_catalog.pg_roles where rolname = wanted.name and rolsuper)
      or exists (
        select
        from pg_catalog.pg_auth_members m
        join pg_catalog.pg_roles granted on granted.oid = m.roleid
        join pg_catalog.pg_roles member on member.oid = m.member
        join pg_catalog.pg_roles grantor on grantor.oid = m.grantor
        where granted.rolname = 'payment_emulator' and member.rolname = wanted.name
          and (wanted.name <> current_user or grantor.rolname = current_user)
      )
    then
      continue;
    end if;
    begin
      execute format('grant payment_emulator to %I', wanted.name);
    exception
      when unique_violation then
        null;
    end;
  end loop;
end
$$;

create schema if not exists payment_emulator authorization payment_emulator;

set local role payment_emulator;

create table payment_emulator.objects (
  sequence bigint generated always as identity,
  id text not null,
  kind text not null,
  data jsonb not null,
  -- Milliseconds since 1970 on the emulator's clock, which may be moved.
  due_at bigint,
  constraint objects_pkey primary key (id)
);

create index objects_by_kind on payment_emulator.objects (kind, sequence desc);
create index objects_by_field on payment_emulator.objects using gin (data jsonb_path_ops);
create index objects_due on payment_emulator.objects (kind, due_at, sequence) where due_at is not null;

reset role;
