/** What a person may do in a folder that somebody shares with them; each includes what stands before it. */
export const FOLDER_ROLES = ['viewer', 'editor', 'manager'] as const;

export type FolderRole = (typeof FOLDER_ROLES)[number];

/** Narrows what came from outside. */
export function isFolderRole(value: unknown): value is FolderRole {
  return typeof value === 'string' && (FOLDER_ROLES as readonly string[]).includes(value);
}
