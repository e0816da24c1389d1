import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { drawCover, LONGEST_SIDE } from './draw-cover.ts';
import { type PictureBounds, readPicture } from './read-picture.ts';

/** A tab, and the page that it showed. */
export interface PageTab {
  readonly id: number;
  readonly address: string;
}

const BOUNDS: PictureBounds = {
  fileBytes: 4 * 1024 * 1024,
  patienceMs: 8_000,
  shortestSide: COVER_LIMITS.shortestSide,
  longestSide: LONGEST_SIDE,
};

/** The picture of the page in a tab, as a cover; null where it has none, or shows another page by now. */
export async function takePicture({ id, address }: PageTab): Promise<Blob | null> {
  try {
    const [answer] = await chrome.scripting.executeScript({
      target: { tabId: id },
      func: readPicture,
      args: [address, BOUNDS],
    });
    return await drawCover(answer?.result);
  } catch {
    // The tab is gone, or is none that may be read.
    return null;
  }
}
