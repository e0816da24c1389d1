/** A link to be saved, as it was typed or shared. */
export interface Capture {
  /** Made here, so that sending it again after a lost answer cannot save it twice. */
  readonly id: string;
  readonly url: string;
  /** Null where nobody said one: the page is asked when it is sent. */
  readonly title: string | null;
  readonly description: string | null;
  /** Null for the inbox. */
  readonly categoryId: string | null;
  readonly tags: readonly string[];
  /** The folder of somebody else's in which its category lies, as far as this device knew. */
  readonly sharedFolderId?: string | undefined;
  /** Changed since it may have been sent: where it is saved already, it is saved as it was. */
  readonly edited?: true;
}

/** Why a capture waits although the services answer. */
export type CaptureRefusal =
  | { readonly kind: 'link_limit'; readonly max: number }
  | { readonly kind: 'category_limit'; readonly max: number }
  /** Its category lies in somebody's folder, and their plan is full. */
  | { readonly kind: 'folder_full'; readonly max: number }
  /** The category it was meant for is gone. */
  | { readonly kind: 'category_gone' }
  /** The session ended on the way: it is sent again once the person is back. */
  | { readonly kind: 'signed_out' }
  /** Whatever else the service said, in words for the person. */
  | { readonly kind: 'invalid'; readonly words: string };

/** A capture that is not known to be saved. */
export interface WaitingCapture extends Capture {
  /** Its place in the line, ascending; no two of one person have the same. */
  readonly place: number;
  /** When it was captured, milliseconds since 1970. */
  readonly capturedAt: number;
  readonly refusal: CaptureRefusal | null;
}

/** Whether it is to be sent without being asked: what was refused waits for the person. */
export function isDue({ refusal }: WaitingCapture): boolean {
  return refusal === null;
}
