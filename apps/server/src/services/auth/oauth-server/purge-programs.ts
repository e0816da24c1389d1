import type { Transaction } from '../../../kernel/database.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A code that comes again within this time ends what it has become. */
const AUTHORIZATIONS_MS = DAY_MS;
/** A program that registered itself, and that nobody has let in by then, is forgotten. */
const UNUSED_PROGRAMS_MS = 7 * DAY_MS;
/** Statements end after eight seconds: a backlog is worked off bit by bit. */
const BATCH = 5_000;

/** Deletes requests of programs that are over, and programs that nobody uses. @returns how many rows went */
export async function purgePrograms(tx: Transaction, now: Date): Promise<number> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const asked = await tx.query({
    name: 'oauth_purge_authorizations',
    text: `delete from auth.oauth_authorizations where id in (
      select id from auth.oauth_authorizations where expires_at < $1 order by expires_at limit $2 for update skip locked)`,
    values: [ago(AUTHORIZATIONS_MS), BATCH],
  });
  const programs = await tx.query({
    name: 'oauth_purge_clients',
    text: `delete from auth.oauth_clients where id in (
      select c.id from auth.oauth_clients c
      where c.registration_type = 'dynamic' and c.updated_at < $1
        and not exists (select from auth.oauth_consents g where g.client_id = c.id and g.revoked_at is null)
        and not exists (select from auth.oauth_authorizations a where a.client_id = c.id)
      order by c.updated_at limit $2)`,
    values: [ago(UNUSED_PROGRAMS_MS), BATCH],
  });
  return asked.rowCount + programs.rowCount;
}
