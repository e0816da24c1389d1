import { expect, test } from 'vitest';
import { writeReturnAddresses } from './return-addresses.ts';

test('keeps the page’s own query, and says the outcome once', () => {
  const page = new URL('https://l.exemplo/plans?success=true&de=menu&canceled=true#anual');
  expect(writeReturnAddresses(page)).toEqual({
    success: 'https://l.exemplo/plans?de=menu&success=true#anual',
    canceled: 'https://l.exemplo/plans?de=menu&canceled=true#anual',
    plain: 'https://l.exemplo/plans?de=menu#anual',
  });
});
