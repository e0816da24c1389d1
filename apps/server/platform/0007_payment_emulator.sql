-- Where the payment emulator of an installation without a payment provider keeps its objects. A hosted project has the
-- provider itself. The schema belongs to a role of its own: no request role can name it, so the table API never shows it.

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
