import { expect, test } from 'vitest';
import { cropArea, LARGEST_ZOOM, moveCrop, startCrop, zoomCrop } from './crop.ts';

const WIDE = { width: 400, height: 200 };

test('begins with the largest square in the middle', () => {
  expect(cropArea(WIDE, startCrop(WIDE))).toEqual({ left: 100, top: 0, side: 200 });
  const tall = { width: 200, height: 400 };
  expect(cropArea(tall, startCrop(tall))).toEqual({ left: 0, top: 100, side: 200 });
});

test('moves as far as the edges of the picture, and no farther', () => {
  const moved = moveCrop(WIDE, startCrop(WIDE), 30, 30);
  expect(cropArea(WIDE, moved)).toEqual({ left: 130, top: 0, side: 200 });
  expect(cropArea(WIDE, moveCrop(WIDE, moved, 9999, -9999))).toEqual({ left: 200, top: 0, side: 200 });
});

test('comes nearer around its centre, and stays in the picture when it goes back from an edge', () => {
  const near = zoomCrop(WIDE, startCrop(WIDE), 2);
  expect(cropArea(WIDE, near)).toEqual({ left: 150, top: 50, side: 100 });
  const corner = moveCrop(WIDE, near, 9999, 9999);
  expect(cropArea(WIDE, zoomCrop(WIDE, corner, 1))).toEqual({ left: 200, top: 0, side: 200 });
});

test('is never farther than the whole side, nor nearer than there are pixels to show', () => {
  expect(zoomCrop(WIDE, startCrop(WIDE), 0).zoom).toBe(1);
  expect(zoomCrop(WIDE, startCrop(WIDE), 100).zoom).toBe(LARGEST_ZOOM);
});
