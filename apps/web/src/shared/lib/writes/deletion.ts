import type { OptimisticWrite } from './optimistic-write.ts';

/** Rows that have left the screen and that the service may not have deleted yet. */
export interface Deletion {
  readonly ids: readonly string[];
  /** What they are, named when they come back: that may be long after. */
  readonly what: string;
  /** The service's answer. */
  readonly done: Promise<unknown>;
  /** Said while the answer takes its time: 'Excluindo...'. */
  readonly going: string;
  /** Said once they are gone. */
  readonly gone: string;
  readonly describeFailure: (error: unknown) => { readonly title: string; readonly description?: string };
  /** What went although the rest failed, where many go in parts; null when nothing did. */
  readonly partGone?: (error: unknown) => Deletion | null;
  /** Shows them again, ahead of the service. */
  readonly beginRestore: () => Promise<OptimisticWrite>;
}
