/** One link as a bookmark file has it, before anything is judged. */
export interface FileLink {
  /** Names of the folders around it, the outermost first. */
  readonly path: readonly string[];
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** Milliseconds since 1970; null when the file does not say. */
  readonly addedAt: number | null;
}

export interface FileFolder {
  readonly path: readonly string[];
  readonly description: string;
}

/** What a bookmark file holds, whatever its format; folders and links in the order of the file. */
export interface BookmarkFile {
  readonly folders: readonly FileFolder[];
  readonly links: readonly FileLink[];
}

/** A library to be written into a file, in the order of the screen. */
export interface BookmarkLibrary {
  readonly folders: readonly ExportedFolder[];
}

export interface ExportedFolder {
  readonly name: string;
  readonly createdAt: string;
  readonly categories: readonly ExportedCategory[];
}

export interface ExportedCategory {
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly links: readonly ExportedLink[];
}

export interface ExportedLink {
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}
