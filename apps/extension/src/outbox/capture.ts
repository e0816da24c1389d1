/** A page or a link to be saved. */
export interface Capture {
  /** Made here, so that sending it again after a lost answer cannot save it twice. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  /** Null for the inbox. */
  readonly categoryId: string | null;
  readonly tags: readonly string[];
  /** The folder of somebody else's in which its category lies. */
  readonly sharedFolderId?: string | undefined;
}

/** Why a capture waits although the services answer. */
export type CaptureRefusal =
  | { readonly kind: 'link_limit' | 'category_limit'; readonly max: number }
  /** Its category lies in somebody's folder, and their plan is full. */
  | { readonly kind: 'folder_full'; readonly max: number }
  /** The category it was meant for is gone. */
  | { readonly kind: 'category_gone' }
  /** The connection has ended: it is sent again once the person is back. */
  | { readonly kind: 'signed_out' }
  /** The connection is good, and may not save. */
  | { readonly kind: 'not_allowed' }
  /** Whatever else the service said, in its words. */
  | { readonly kind: 'invalid'; readonly words: string };

/** A capture that is not known to be saved. */
export interface WaitingCapture extends Capture {
  /** Its place in the line, ascending. */
  readonly place: number;
  readonly refusal: CaptureRefusal | null;
  /** It was changed while it waited: an attempt whose answer was lost may have saved it as it was before. */
  readonly isChanged: boolean;
  /** Tags that were taken off while it waited: such an attempt may have given it these. Left out by earlier versions. */
  readonly removedTags?: readonly string[];
}

/** Whether it is to be sent without being asked: what was refused waits for the person. */
export function isDue({ refusal }: WaitingCapture): boolean {
  return refusal === null;
}
