-- Uploads in parts by the S3 protocol, named as a hosted project's storage service names them: what was begun, and under which versions the
-- parts that have come lie in the store. Only the service itself reads and writes them; what becomes of one is an ordinary row of
-- storage.objects, written as its caller.

set local role supabase_storage_admin;

create table storage.s3_multipart_uploads (
  id uuid not null,
  bucket_id text not null,
  key text not null,
  -- Who began it, and alone may go on.
  role text not null,
  owner_id text,
  mimetype text not null,
  cache_control text not null,
  content_encoding text,
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  constraint s3_multipart_uploads_pkey primary key (id),
  constraint s3_multipart_uploads_bucket_fkey foreign key (bucket_id) references storage.buckets (id) on delete cascade
);
create index s3_multipart_uploads_bucket_id on storage.s3_multipart_uploads (bucket_id, key collate "C", id);
create index s3_multipart_uploads_created_at on storage.s3_multipart_uploads (created_at);
create index s3_multipart_uploads_owner_id on storage.s3_multipart_uploads (owner_id) where owner_id is not null;

create table storage.s3_multipart_uploads_parts (
  upload_id uuid not null,
  part_number integer not null,
  version uuid not null,
  size bigint not null,
  etag text not null,
  created_at timestamptz not null default now(),
  constraint s3_multipart_uploads_parts_pkey primary key (upload_id, part_number),
  constraint s3_multipart_uploads_parts_upload_fkey
    foreign key (upload_id) references storage.s3_multipart_uploads (id) on delete cascade,
  constraint s3_multipart_uploads_parts_number check (part_number between 1 and 10000),
  constraint s3_multipart_uploads_parts_size check (size >= 0)
);
-- Whether a part is still somebody's.
create index s3_multipart_uploads_parts_version on storage.s3_multipart_uploads_parts (version);

alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
revoke all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts from public, anon, authenticated, service_role;

reset role;
