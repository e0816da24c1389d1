import { asServiceRole, type Database } from '../kernel/database.ts';

/** Makes one user id the administrator of this installation; there is exactly one. */
export async function setAdministrator(db: Database, userId: string): Promise<void> {
  await asServiceRole(db, 'set the administrator', (tx) =>
    tx.query({
      text: 'update private.installation set admin_user_id = $1 where admin_user_id is distinct from $1',
      values: [userId],
    }),
  );
}
