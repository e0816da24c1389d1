import type { CDPSession, Locator, Page } from '@playwright/test';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The middle of something, once whatever it stands in (a drawer, say) has come to rest. */
export async function centreOf(place: Locator): Promise<Point> {
  await place.evaluate(async () => {
    // What was asked for a moment ago begins to move with the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await Promise.all(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((each) => each.finished.catch(() => {})),
    );
  });
  const box = await place.boundingBox();
  if (box === null) throw new Error('nothing there to point at');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Presses the mouse on something and begins to drag it; the page's own pointer goes on from here. */
export async function pickUpWithMouse(page: Page, thing: Locator): Promise<void> {
  const { x, y } = await centreOf(thing);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 6, y + 6);
  await page.mouse.move(x + 12, y + 12);
}

/** Moves what is being dragged over a place, as a hand does: not in one jump. */
export async function dragOver(page: Page, place: Locator): Promise<void> {
  const { x, y } = await centreOf(place);
  await page.mouse.move(x - 4, y, { steps: 4 });
  await page.mouse.move(x, y);
}

/**
 * One finger on the screen, as the browser's own input driver makes it.
 * @param onwards where it moves at once: between two commands the machine may take as long as a finger that rests.
 */
export async function putFinger(page: Page, at: Point, onwards?: Point) {
  const driver: CDPSession = await page.context().newCDPSession(page);
  let now = onwards ?? at;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    driver.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] });
  await Promise.all([touch('touchStart', [at]), ...(onwards ? [touch('touchMove', [onwards])] : [])]);
  return {
    /** Moves there in small steps. */
    moveTo: async ({ x, y }: Point, steps = 8) => {
      const from = now;
      for (let step = 1; step <= steps; step += 1) {
        now = { x: from.x + ((x - from.x) * step) / steps, y: from.y + ((y - from.y) * step) / steps };
        await touch('touchMove', [now]);
      }
    },
    lift: () => touch('touchEnd', []),
  };
}
