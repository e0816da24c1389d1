import { describe, expect, it } from 'vitest';
import { writeCursor } from '../../library/cursor.ts';
import { readOffset, readPlace } from './cursor.ts';
import { fitPage, LIST_BYTES } from './tool-answer.ts';

const items = (count: number, characters: number) =>
  Array.from({ length: count }, () => 'é'.repeat(characters));
const cursorAfter = (count: number) => `after ${count}`;

describe('a page of an answer', () => {
  it('is whole where everything fits', () => {
    expect(fitPage(items(3, 10), false, cursorAfter)).toEqual({ items: items(3, 10), next_cursor: null });
  });

  it('says where to go on where there are others behind it', () => {
    expect(fitPage(items(3, 10), true, cursorAfter).next_cursor).toBe('after 3');
  });

  it('is cut by bytes, not by letters', () => {
    const page = fitPage(items(50, 1_000), false, cursorAfter);
    expect(page.next_cursor).toBe(`after ${page.items.length}`);
    expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(LIST_BYTES + 2);
    expect(page.items).toHaveLength(11);
  });

  it('goes on even where one item alone is too large', () => {
    expect(fitPage(items(2, LIST_BYTES), false, cursorAfter)).toMatchObject({ next_cursor: 'after 1' });
  });
});

describe('a cursor', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const at = '2026-11-25T18:00:00.123456Z';

  it('comes back as it went', () => {
    expect(readOffset(writeCursor([75]))).toBe(75);
    expect(readPlace(writeCursor([at, id]))).toEqual({ at, id });
  });

  it.each([
    ['x'],
    [''],
    [writeCursor([-1])],
    [writeCursor([1.5])],
    [writeCursor(['1'])],
    [writeCursor([1e9])],
  ])('that was made up skips nothing: %s', (cursor) => {
    expect(() => readOffset(cursor)).toThrow(/cursor/);
  });

  it.each([
    [writeCursor([1])],
    [writeCursor(['infinity', id])],
    [writeCursor([at, "'; drop table links; --"])],
    [writeCursor(['2026-99-99T99:99:99.000000Z', id])],
    [writeCursor(['2026-02-31T10:00:00.000000Z', id])],
  ])('that was made up names no place: %s', (cursor) => {
    expect(() => readPlace(cursor)).toThrow(/cursor/);
  });
});
