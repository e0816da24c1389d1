import { describe, expect, it } from 'vitest';
import { readBanDuration } from './body-fields.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

describe('the duration of a ban', () => {
  it.each([
    ['', undefined],
    ['none', null],
    ['24h', '2026-01-02T00:00:00.000Z'],
    ['1h30m', '2026-01-01T01:30:00.000Z'],
    ['0.5h', '2026-01-01T00:30:00.000Z'],
    ['90s', '2026-01-01T00:01:30.000Z'],
    ['1500ms', '2026-01-01T00:00:01.500Z'],
  ])('%j is read', (raw, until) => {
    expect(readBanDuration(raw, NOW)).toEqual(typeof until === 'string' ? new Date(until) : until);
  });

  it.each(['1', 'h', '-1h', '1d', 'none ', '1h;', '9'.repeat(400).concat('h')])('%j is refused', (raw) => {
    expect(() => readBanDuration(raw, NOW)).toThrow('invalid format for ban duration');
  });
});
