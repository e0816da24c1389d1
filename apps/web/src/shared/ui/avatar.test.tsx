import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readPerson } from '../lib/session/read-person.ts';
import { fakeSession } from '../test/create-fake-auth.ts';
import { Avatar } from './avatar.tsx';

const HERS = 'https://lh3.googleusercontent.com/a/foto=s96-c';
const person = (avatar_url: unknown) => readPerson(fakeSession({ name: 'Ana de Souza', avatar_url }).user);

test('shows the picture, which its keeper gives without learning the page; the initials when it does not come', () => {
  const { container, rerender } = render(<Avatar {...person(HERS)} />);
  const picture = container.querySelector('img');
  expect(picture?.getAttribute('src')).toBe(HERS);
  expect(picture?.getAttribute('referrerpolicy')).toBe('no-referrer');
  expect(picture?.getAttribute('alt')).toBe('');
  if (picture) fireEvent.error(picture);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('[data-initials="AS"]')).not.toBeNull();
  // Another picture is tried again.
  rerender(<Avatar {...person(`${HERS}2`)} />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe(`${HERS}2`);
});

test.each([
  undefined,
  null,
  7,
  '',
  'http://exemplo.com/a.png',
  'javascript:alert(1)',
  'data:image/png;base64,AA',
  '//x.br/a',
])('the address %j is none: initials', (address) => {
  const { container } = render(<Avatar {...person(address)} />);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('[data-initials="AS"]')).not.toBeNull();
});
