import { type Caller, serialiseClaims } from './caller-context.ts';
import { type Database, queryAboutCallers, queryAsCaller } from './database.ts';

/**
 * Whether a token may still act for the person: its session has not ended, its account is open, and it is no program's. The database's
 * policies ask the same; this is for what does not go there.
 * @throws pg.DatabaseError when it cannot be asked.
 */
export async function isAccountOpen(db: Database, caller: Caller): Promise<boolean> {
  const { sub } = caller.claims;
  // A third party's: no account of ours that could be closed.
  if (typeof sub === 'string' && sub !== '' && !UUID.test(sub)) return true;
  const { rows } = await queryAsCaller<{ readonly open: boolean }>(
    db,
    caller,
    { name: 'is_account_open', text: 'select private.is_account_open() as open' },
    { readOnly: true },
  );
  return rows[0]?.open === true;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** No session has this id. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/**
 * Those of the callers, programs among them, whose tokens may not act any more: of thousands in one query, of the few that look like it in another.
 * @throws pg.DatabaseError when it cannot be asked.
 */
export async function listEndedCallers(db: Database, callers: readonly Caller[]): Promise<Set<Caller>> {
  // What is no id names no account that could be closed.
  const asked = callers.filter(({ claims: { sub } }) => typeof sub === 'string' && UUID.test(sub));
  const doubtful = await siftCallers(db, asked);
  if (doubtful.length === 0) return new Set();
  const { rows } = await queryAboutCallers<{ readonly place: number }>(db, 'authenticated', {
    name: 'ended_callers',
    // CASE fixes the order: the claims first, then what reads them.
    text: `select place::integer as place from unnest($1::text[]) with ordinality as asked(claims, place)
where case when set_config('request.jwt.claims', claims, true) is not null then not private.is_session_open() end`,
    values: [doubtful.map(({ claims }) => serialiseClaims(claims))],
  });
  return new Set(rows.flatMap(({ place }) => doubtful[place - 1] ?? []));
}

async function siftCallers(db: Database, asked: readonly Caller[]): Promise<Caller[]> {
  const { rows } = await queryAboutCallers<{ readonly place: number }>(db, 'authenticated', {
    name: 'sifted_callers',
    text: 'select place::integer as place from private.sift_tokens($1::uuid[], $2::uuid[]) as place',
    values: [asked.map(({ claims }) => claims['sub']), asked.map(readSession)],
  });
  return rows.flatMap(({ place }) => asked[place - 1] ?? []);
}

function readSession({ claims: { session_id: id } }: Caller): string | null {
  if (id === undefined || id === null || id === '') return null;
  return typeof id === 'string' && UUID.test(id) ? id : NO_SESSION;
}
