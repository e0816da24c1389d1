import { expect, test } from 'vitest';
import { createId } from './create-id.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an id is a version 4 uuid, also where the browser offers no randomUUID', () => {
  expect(createId()).toMatch(UUID_V4);
  const plain = { getRandomValues: crypto.getRandomValues.bind(crypto) };
  expect(createId(plain)).toMatch(UUID_V4);
  expect(createId(plain)).not.toBe(createId(plain));
});
