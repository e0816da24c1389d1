import { expect, test } from 'vitest';
import { fakeSession } from '../../test/create-fake-auth.ts';
import { readPerson } from './read-person.ts';

const read = (user_metadata: Readonly<Record<string, unknown>>) =>
  readPerson({ ...fakeSession().user, email: 'ana@exemplo.br', user_metadata });

test.each([
  [{ firstName: 'Ana', lastName: 'Lima' }, ['Ana Lima', 'Ana', 'Lima']],
  [{ name: 'Ana de Souza' }, ['Ana de Souza', 'Ana', 'de Souza']],
  [{ full_name: 'Ana de Souza', lastName: 'Lima' }, ['Lima', 'Ana', 'Lima']],
  [{ firstName: 7 }, ['ana', '', '']],
])('a person is called what %j says', (metadata, names) => {
  const { name, firstName, lastName } = read(metadata);
  expect([name, firstName, lastName]).toEqual(names);
});

test('only a picture that comes over https is shown', () => {
  expect(read({ avatar_url: 'https://a.br/a.png' }).picture).toBe('https://a.br/a.png');
  expect(read({ avatar_url: 'javascript:alert(1)' }).picture).toBeUndefined();
});

test('one’s own picture is a name in one’s own folder, and nothing that climbs out of it', () => {
  const own = 'avatar/33333333-3333-4333-8333-333333333333.webp';
  expect(read({ avatar_path: own }).ownPicture).toBe(own);
  for (const path of [`../${own}`, `/${own}`, `${own}?token=x`, 'avatar/../a.webp', 'avatar/a.svg', 7])
    expect(read({ avatar_path: path }).ownPicture).toBeUndefined();
});
