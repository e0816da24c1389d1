import pg from 'pg';

/** So little nobody has to be given back. */
const SHORT_MS = 3_600_000;

/**
 * To be called for a database that comes back from the past, before a server uses it. What lay in a bin at `since` gets the time that has
 * passed: the first start would delete for good what its owner has taken out of the bin since, or what the database was brought back
 * for. The round that deletes accounts waits for a day, for those who came back since. The next scheduled backup waits its whole time:
 * each look into an older backup would push the oldest one out. When that round, or a backup, was last finished is forgotten: an alert
 * would miss what waits.
 * @returns how many accounts that round is going to delete for good.
 */
export async function letRest(connect: pg.ClientConfig, since: Date, now: Date): Promise<number> {
  const client = new pg.Client(connect);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ backups: boolean; bin: boolean }>(MIGRATED);
    if (rows[0]?.backups) {
      await client.query('delete from linkoteca_platform.backups');
      await client.query(PUT_BACKUP_OFF, [now]);
    }
    if (!rows[0]?.bin || now.getTime() - since.getTime() < SHORT_MS) return 0;
    const rested = await client.query<{ purges: number }>(REST, [since, now]);
    return rested.rows[0]?.purges ?? 0;
  } finally {
    await client.end();
  }
}

/** For whoever has brought the database back. */
export function describePurges(purges: number): readonly string[] {
  if (purges === 0) return [];
  return [
    `Atenção: contas excluídas pelos donos que serão apagadas de vez daqui a um dia: ${purges}. Quem voltou desde então entra de novo antes disso; docs/operations.md diz como achar essas pessoas.`,
  ];
}

// A recovery leads to moments before these migrations as well.
const MIGRATED = `
  select to_regclass('linkoteca_platform.backups') is not null as backups, exists (
    select from pg_catalog.pg_attribute
    where attrelid = to_regclass('private.deletions') and attname = 'purge_after' and not attisdropped
  ) as bin
`;

const PUT_BACKUP_OFF = `insert into linkoteca_platform.backups (kind, started_at) values ('scheduled', $1)`;

// The bin of a closed account gets its time when the account is opened (`private.wake_bin`).
const REST = `
  with rested as (
    update private.deletions d set purge_after = d.purge_after + ($2::timestamptz - $1::timestamptz)
    where d.purge_after > $1 and not exists (
      select from private.account_closures c
      where c.user_id = d.user_id and c.reopened_at is null and c.closed_at < d.purge_after
    )
  ), put_off as (
    update private.account_upkeep set due_at = $2::timestamptz + interval '1 day' where is_this
  ), forgotten as (
    delete from private.finished_rounds where round = 'account_upkeep'
  )
  select count(*)::int as purges from private.account_closures
  where reason = 'deletion' and reopened_at is null and purge_after <= $2::timestamptz + interval '1 day'
`;
