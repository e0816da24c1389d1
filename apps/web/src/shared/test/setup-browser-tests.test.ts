import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

test('the database of the tests goes on while the clock stands still, and holds up no later test', async () => {
  vi.useFakeTimers();
  const opened = await new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open('clock');
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  expect(opened.name).toBe('clock');
  opened.close();
});
