import { describe, expect, it } from 'vitest';
import { endsInRollback, mayChooseEnd, mergeSettings } from './rest-settings.ts';

describe('the settings of the table API', () => {
  it('are as on the hosted platform, and what is said later is stronger', () => {
    expect(mergeSettings()).toMatchObject({ schemas: ['public'], maxRows: 1000, aggregates: false });
    expect(mergeSettings({ maxRows: 5, aggregates: true }, { maxRows: 6 }, { schemas: ['a'] })).toMatchObject(
      {
        maxRows: 6,
        aggregates: true,
        schemas: ['a'],
      },
    );
  });

  it.each([
    ['commit', undefined, false, false],
    ['rollback', undefined, true, false],
    ['commit-allow-override', 'rollback', true, true],
    ['commit-allow-override', 'commit', false, true],
    ['rollback-allow-override', 'commit', false, true],
    ['rollback-allow-override', undefined, true, true],
  ] as const)('%s, asked for %s', (txEnd, asked, rollsBack, mayChoose) => {
    expect([endsInRollback(txEnd, asked), mayChooseEnd(txEnd)]).toEqual([rollsBack, mayChoose]);
  });
});
