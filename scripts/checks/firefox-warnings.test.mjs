import { expect, test } from 'vitest';
import { listFirefoxFaults } from './firefox-warnings.mjs';

const SIDE_PANEL = { message: 'sidePanel.open is not supported', file: 'background.js', line: 1 };
const REACT = { message: 'Unsafe assignment to innerHTML', file: 'assets/react.js', line: 9 };
const EXPECTED = { errors: [], notices: [], warnings: [SIDE_PANEL, REACT, REACT] };

test('what is known is no fault', () => {
  expect(listFirefoxFaults(EXPECTED)).toEqual([]);
});

test.each(['errors', 'warnings', 'notices'])('any other of the %s is one', (kind) => {
  const found = { message: '"/permissions/9" must be known' };
  expect(listFirefoxFaults({ ...EXPECTED, [kind]: [...EXPECTED[kind], found] })).toEqual([
    'manifest.json:1 "/permissions/9" must be known',
  ]);
});

test('so is one more of a known warning, and one that is known and gone', () => {
  const own = { ...REACT, file: 'popup.js', line: 2 };
  expect(listFirefoxFaults({ ...EXPECTED, warnings: [...EXPECTED.warnings, own] })).toEqual([
    '2 times known, 3 times found: Unsafe assignment to innerHTML',
    'assets/react.js:9 Unsafe assignment to innerHTML',
    'assets/react.js:9 Unsafe assignment to innerHTML',
    'popup.js:2 Unsafe assignment to innerHTML',
  ]);
  expect(listFirefoxFaults({ ...EXPECTED, warnings: [REACT, REACT] })).toEqual([
    '1 times known, 0 times found: sidePanel.open is not supported',
  ]);
});
