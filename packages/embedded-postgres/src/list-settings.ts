/** Names and values as in postgresql.conf. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** Measured for one small machine: about 40 MB resident at rest, with the pool of the server on top. */
const LEAN: PostgresSettings = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  wal_level: 'logical',
  max_connections: '30',
  shared_buffers: '64MB',
  wal_buffers: '1MB',
  max_wal_size: '256MB',
  min_wal_size: '16MB',
  max_wal_senders: '4',
  max_replication_slots: '4',
  // A reader of changes that stays away must not fill the disk.
  max_slot_wal_keep_size: '512MB',
  // What a reader's own process may hold of a long transaction before it goes to disk; by default as much as all buffers.
  logical_decoding_work_mem: '16MB',
  max_logical_replication_workers: '0',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  random_page_cost: '1.1',
  effective_cache_size: '512MB',
  maintenance_work_mem: '32MB',
  // One hostile sort must not fill the disk either.
  temp_file_limit: '1GB',
  timezone: 'UTC',
  ssl: 'off',
};

/** Quick search reads only an index, which needs a fresh visibility map: vacuum soon after inserts. */
const VACUUM: PostgresSettings = {
  autovacuum: 'on',
  autovacuum_max_workers: '1',
  autovacuum_naptime: '10s',
  autovacuum_vacuum_insert_threshold: '1000',
  autovacuum_vacuum_insert_scale_factor: '0.02',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.02',
};

/** The log goes through the server's own, which must hold no person's data: a refused statement is not repeated there. */
const LOGGING: PostgresSettings = {
  log_destination: 'stderr',
  logging_collector: 'off',
  lc_messages: 'C',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_timezone: 'UTC',
};

const SINCE_18: PostgresSettings = { io_method: 'sync', autovacuum_worker_slots: '2' };

/** Loses data in a power cut and saves time: for throwaway clusters of tests. */
const NOT_DURABLE: PostgresSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const DURABLE: PostgresSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

type Wishes = {
  /** Of the binaries: 15 to 18. */
  readonly majorVersion: number;
  readonly durable: boolean;
  readonly socketFolder: string;
  readonly extra: PostgresSettings;
};

/** Everything Postgres is told on its command line; `extra` wins. */
export function listSettings({ majorVersion, durable, socketFolder, extra }: Wishes): PostgresSettings {
  return {
    ...LEAN,
    ...VACUUM,
    ...LOGGING,
    ...(majorVersion >= 18 ? SINCE_18 : {}),
    ...(durable ? DURABLE : NOT_DURABLE),
    // The value is a list: a folder with a comma or a space in its name must be quoted.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    ...extra,
  };
}
