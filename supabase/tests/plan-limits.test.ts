import { PLANS } from '@linkoteca/domain/plans';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { expect, test } from 'vitest';

test('the plans of the domain and of the database are the same', async () => {
  const database = await createThrowawayDatabase();
  try {
    const { rows } = await database.admin.query(
      `select plan as id, max_links as "maxLinks", max_categories as "maxCategories", can_share as sharing,
         max_received_shares as "maxReceivedShares" from private.plan_limits`,
    );
    const expected = Object.values(PLANS).map(
      ({ id, maxLinks, maxCategories, sharing, maxReceivedShares }) => ({
        id,
        maxLinks,
        maxCategories,
        sharing,
        maxReceivedShares,
      }),
    );
    expect(new Set(rows)).toEqual(new Set(expected));
  } finally {
    await database.drop();
  }
});
