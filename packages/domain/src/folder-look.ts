import { pickHue } from './pick-hue.ts';

/** The colours that a folder may be given, in the order of the palette. */
export const FOLDER_COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const;
export type FolderColor = (typeof FOLDER_COLORS)[number];

/** How a person wants a folder to look; null where they chose nothing. */
export interface FolderLook {
  readonly color: string | null;
  readonly emoji: string | null;
}

/** The place of a folder's colour in the palette, 0 to 7: the chosen one, else one that follows from its id. */
export function hueOfFolder(folderId: string, color: string | null | undefined): number {
  const chosen = FOLDER_COLORS.indexOf(color as FolderColor);
  return chosen < 0 ? pickHue(folderId) : chosen;
}
