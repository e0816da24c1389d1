import type { ImportFigures } from '../api/write-import.ts';
import type { ImportArrangement } from './arrange-import.ts';
import type { ExistingLibrary, ImportPart, ImportRoom } from './fit-import.ts';
import type { UnreadableFile } from './unreadable-file.ts';

/** A file that was read and compared: all that the choice needs. */
export interface ImportPreview {
  readonly fileName: string;
  readonly arrangement: ImportArrangement;
  readonly existing: ExistingLibrary;
  /** `n` of the links that are there already. */
  readonly known: ReadonlySet<number>;
  readonly room: ImportRoom;
}

/** An import that writes, or wrote. */
export interface ImportRun {
  readonly importId: string;
  readonly parts: readonly ImportPart[];
  /** Parts that are written. */
  readonly done: number;
  readonly made: ImportFigures;
  readonly totalLinks: number;
}

export type ImportState =
  | { readonly status: 'idle' }
  | { readonly status: 'reading'; readonly percent: number }
  | { readonly status: 'comparing' }
  | { readonly status: 'unreadable'; readonly reason: UnreadableFile['reason'] | 'failed' }
  | { readonly status: 'not_compared'; readonly error: unknown }
  | { readonly status: 'preview'; readonly preview: ImportPreview }
  | { readonly status: 'writing'; readonly run: ImportRun; readonly stopping: boolean }
  | { readonly status: 'paused'; readonly run: ImportRun; readonly error: unknown }
  | { readonly status: 'done'; readonly run: ImportRun };
