/** How many muted hues a folder's spine may have. */
export const HUE_COUNT = 8;

/** One of eight hues (0 to 7), always the same for the same id, evenly spread. FNV-1a, 32 bits. */
export function pickHue(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a alone are weak; folding the high ones in spreads short ids too.
  return ((hash >>> 16) ^ hash) & (HUE_COUNT - 1);
}
