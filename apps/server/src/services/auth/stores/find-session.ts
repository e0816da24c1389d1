import type { Transaction } from '../../../kernel/database.ts';
import type { SessionRow } from './open-session.ts';

export type FoundSession = SessionRow & {
  readonly userId: string;
  readonly createdAt: Date;
  /** When it ends whatever happens, if it does. */
  readonly notAfter: Date | null;
};

type Columns = {
  id: string;
  user_id: string;
  aal: SessionRow['aal'] | null;
  created_at: Date;
  not_after: Date | null;
  amr: { method: string; timestamp: number }[];
};

/** @param lock makes whoever else wants this session wait until the transaction ends. */
export async function findSession(
  tx: Transaction,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<FoundSession | undefined> {
  const { rows } = await tx.query<Columns>({
    text: `select s.id, s.user_id, s.aal, s.created_at, s.not_after,
        coalesce((select jsonb_agg(jsonb_build_object('method', a.authentication_method,
            'timestamp', floor(extract(epoch from a.created_at))::bigint) order by a.created_at desc)
          from auth.mfa_amr_claims a where a.session_id = s.id), '[]'::jsonb) as amr
      from auth.sessions s where s.id = $1::uuid${lock ? ' for update of s' : ''}`,
    values: [id],
  });
  const [row] = rows;
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      aal: row.aal ?? 'aal1',
      amr: row.amr,
      createdAt: row.created_at,
      notAfter: row.not_after,
    }
  );
}
