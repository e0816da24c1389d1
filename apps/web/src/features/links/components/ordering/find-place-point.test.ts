import { expect, test } from 'vitest';
import { findPlacePoint } from './find-place-point.ts';

/** Links of 100 by 50 pixels with 10 between them, in a list so many pixels wide. */
function lay(width: number, columns: number): Element {
  const container = document.createElement('div');
  const place = (element: Element, x: number, y: number, w: number, h: number) => {
    element.getBoundingClientRect = () => new DOMRect(x, y, w, h);
  };
  place(container, 0, 0, width, 500);
  for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const item = document.createElement('li');
    item.dataset['linkId'] = id;
    place(item, (at % columns) * 110, Math.floor(at / columns) * 60, 100, 50);
    container.append(item);
  }
  return container;
}

test.each([
  [10, 10, 'a', 'before'],
  [60, 10, 'a', 'after'],
  // Between two cards and between two lines the nearer one counts.
  [103, 20, 'a', 'after'],
  [107, 20, 'b', 'before'],
  [30, 58, 'd', 'before'],
  // Behind the last, and far below it.
  [400, 70, 'e', 'after'],
  [150, 400, 'e', 'before'],
])('among cards %i,%i is beside %s, %s it', (x, y, id, side) => {
  expect(findPlacePoint(lay(320, 3), x, y)).toEqual({ id, side });
});

test.each([
  [90, 10, 'a', 'before'],
  [10, 40, 'a', 'after'],
  [50, 300, 'e', 'after'],
])('where one has a line of its own, %i,%i is beside %s, %s it', (x, y, id, side) => {
  expect(findPlacePoint(lay(120, 1), x, y)).toEqual({ id, side });
});

test('without links there is no place', () => {
  expect(findPlacePoint(document.createElement('div'), 1, 1)).toBeNull();
  expect(findPlacePoint(null, 1, 1)).toBeNull();
});
