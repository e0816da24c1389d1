import { expect, test, vi } from 'vitest';
import { openStorage } from './open-storage.ts';

test('a browser without storage keeps nothing', () => {
  const none = vi.spyOn(globalThis, 'localStorage', 'get').mockReturnValue(null as unknown as Storage);
  const storage = openStorage();
  storage.removeItem('key');
  expect(storage.getItem('key')).toBeNull();
  none.mockRestore();
});
