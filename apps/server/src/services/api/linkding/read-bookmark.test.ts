import { expect, it } from 'vitest';
import { fillFromPage, readFields } from './read-bookmark.ts';

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
