import { expect, test, vi } from 'vitest';
import { openStorage } from './open-storage.ts';

test('a browser without storage keeps nothing', () => {
  const none = vi.spyOn(globalThis, 'localStorage', 'get').mockReturnValue(null as unknown as Storage);
  const storage = openStorage();
  storage.removeItem('key');
  expect(storage.getItem('key')).toBeNull();
  none.mockRestore();
});

test('a browser that opens its storage and cannot read it keeps nothing', () => {
  localStorage.setItem('key', 'kept');
  const unreadable = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('corrupted', 'NS_ERROR_FILE_CORRUPTED');
  });
  expect(openStorage().getItem('key')).toBeNull();
  unreadable.mockRestore();
});
