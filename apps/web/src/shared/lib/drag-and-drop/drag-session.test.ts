import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scrollNearEdge } from './drag-session.ts';

let frames: FrameRequestCallback[] = [];

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A part of the page from 100 to 500 px that can scroll up to 60 px. */
function scroller(from: number) {
  let top = from;
  return Object.defineProperties(document.createElement('div'), {
    getBoundingClientRect: { value: () => ({ top: 100, bottom: 500 }) },
    scrollTop: {
      get: () => top,
      set: (next: number) => {
        top = Math.min(60, Math.max(0, next));
      },
    },
  });
}

function runFrames() {
  for (let turn = 0; turn < 100 && frames.length > 0; turn += 1) {
    const due = frames;
    frames = [];
    for (const frame of due) frame(0);
  }
}

test('at the lower edge it scrolls down to the end, telling of each step, and rests there', () => {
  const element = scroller(0);
  const onScrolled = vi.fn();
  expect(scrollNearEdge(element, 499, onScrolled)).not.toBeNull();
  runFrames();
  expect(element.scrollTop).toBe(60);
  expect(onScrolled).toHaveBeenCalledTimes(5);
  expect(frames).toEqual([]);
});

test('at the upper edge it scrolls up; slower further inside', () => {
  const [fast, slow] = [scroller(60), scroller(60)];
  scrollNearEdge(fast, 101, () => {});
  scrollNearEdge(slow, 130, () => {});
  for (const frame of frames.slice()) frame(0);
  expect(fast.scrollTop).toBeLessThan(slow.scrollTop);
  expect(slow.scrollTop).toBeLessThan(60);
});

test('in the middle it does not scroll, and stopping stops', () => {
  expect(scrollNearEdge(scroller(0), 300, () => {})).toBeNull();
  expect(scrollNearEdge(null, 499, () => {})).toBeNull();
  const element = scroller(0);
  scrollNearEdge(element, 499, () => {})?.();
  runFrames();
  expect(element.scrollTop).toBe(0);
});
