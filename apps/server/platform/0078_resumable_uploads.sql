-- Uploads that come in several requests (TUS): what was announced of them, and under which versions the parts that have come lie in the
-- store. Only the service itself reads and writes them; what becomes of one is an ordinary row of storage.objects, written as its caller.

set local role supabase_storage_admin;

create table storage.resumable_uploads (
  id uuid not null,
  bucket_id text not null,
  name text not null,
  -- Who began it, and alone may go on.
  role text not null,
  owner_id text,
  upsert boolean not null,
  -- As the client wrote it.
  metadata jsonb not null,
  upload_length bigint not null,
  upload_offset bigint not null default 0,
  parts uuid[] not null default '{}',
  -- The versions under which the whole file was put together; the last one is the present attempt's.
  versions uuid[] not null default '{}',
  finishing_since timestamptz,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  constraint resumable_uploads_pkey primary key (id),
  constraint resumable_uploads_bucket_fkey foreign key (bucket_id) references storage.buckets (id) on delete cascade,
  constraint resumable_uploads_offset_within_length check (upload_offset between 0 and upload_length)
);
create index resumable_uploads_bucket_id on storage.resumable_uploads (bucket_id);
create index resumable_uploads_created_at on storage.resumable_uploads (created_at);
create index resumable_uploads_owner_id on storage.resumable_uploads (owner_id) where owner_id is not null;
-- Whether a part is still somebody's.
create index resumable_uploads_parts on storage.resumable_uploads using gin (parts);

alter table storage.resumable_uploads enable row level security;
revoke all on storage.resumable_uploads from public, anon, authenticated, service_role;

reset role;
