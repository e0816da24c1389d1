import { expect, test, vi } from 'vitest';
import { copyPromised } from './copy-link.ts';

test('a browser without a clipboard copies nothing, and a text that never comes is no error of the page', async () => {
  vi.stubGlobal('navigator', {});
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  expect(await copyPromised(Promise.resolve(null))).toBe(false);
  await new Promise((resolve) => setTimeout(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
