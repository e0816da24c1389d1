import { expect, it } from 'vitest';
import { fillFromPage, keepDescription, readFields } from './read-bookmark.ts';

it.each([
  [{}, { title: undefined, description: undefined, tags: undefined }],
  [
    { title: ' ', description: null },
    { title: undefined, description: undefined, tags: undefined },
  ],
  // Said to be empty: it is taken away.
  [{ description: '' }, { title: undefined, description: '', tags: undefined }],
  [
    { title: ' a ', tag_names: ['#x', 'X'] },
    { title: 'a', description: undefined, tags: ['x'] },
  ],
  [
    { description: 'a', notes: 'b' },
    { title: undefined, description: 'a\n\nb', tags: undefined },
  ],
  [{ notes: 'b' }, { title: undefined, description: 'b', tags: undefined }],
])('what is sent of a bookmark is read as far as it can be kept: %j', (content, fields) => {
  expect(readFields(content)).toEqual(fields);
});

it('texts are cut to what a link holds', () => {
  const { title = '', description = '' } = readFields({
    title: '😀'.repeat(300),
    description: 'a '.repeat(2_000),
  });
  expect([...title].length).toBe(100);
  expect([...description].length).toBeLessThanOrEqual(1_200);
});

it.each([
  [{}, { title: 'P', description: 'p' }, { title: 'P', description: 'p' }],
  [
    { title: 'a', description: 'b' },
    { title: 'P', description: 'p' },
    { title: 'a', description: 'b' },
  ],
  [
    { title: ' ', description: '' },
    { title: 'P', description: null },
    { title: 'P', description: '' },
  ],
  [{ title: 'a' }, undefined, { title: 'a' }],
])('what is not said is what the page says: %j, %j', (content, page, filled) => {
  expect(readFields(fillFromPage(content, page))).toEqual(readFields(filled));
});

it.each([
  ['a', { notes: 'b' }, 'a\n\nb'],
  ['a\n\nb', { notes: ' b\u0000\n' }, 'a\n\nb'],
  ['a\n\nb\n\nc', { notes: 'b\n\nc' }, 'a\n\nb\n\nc'],
  ['b', { notes: 'b' }, 'b'],
  ['ab', { notes: 'b' }, 'ab\n\nb'],
  ['a', { description: null, notes: 'b' }, 'a\n\nb'],
  ['a', { description: '', notes: 'b' }, 'b'],
  [null, { notes: 'b' }, 'b'],
  ['a', { notes: ' ' }, undefined],
])('of %j and %j the description is %j', (kept, content, description) => {
  expect(readFields(keepDescription(content, kept)).description).toBe(description);
});

it.each([1, 100, 1_190, 1_197, 1_198, 1_200])(
  'notes take the room that a description of %i characters leaves, and no more when they are sent again',
  (length) => {
    const kept = 'é'.repeat(length);
    const follow = (description: string) =>
      readFields(keepDescription({ notes: 'bom '.repeat(400) }, description)).description ?? '';
    const once = follow(kept);
    expect(once.startsWith(kept)).toBe(true);
    expect([...once].length).toBeLessThanOrEqual(1_200);
    expect(follow(once)).toBe(once);
  },
);
