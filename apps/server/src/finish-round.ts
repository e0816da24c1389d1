import { asServiceRole, type Database } from './kernel/database.ts';

/** Writes down that a round of this kind is over, for whoever watches that it is made at all. */
export async function finishRound(db: Database, round: 'file_sweep' | 'account_upkeep'): Promise<void> {
  await asServiceRole(db, 'note a finished round', (tx) =>
    tx.query({ name: 'finish_round', text: 'select private.finish_round($1)', values: [round] }),
  );
}
