import { UNMADE_CATEGORY } from './new-category.ts';

/** A new link that is kept on this device, because the services cannot be reached. */
export interface LinkForLater {
  readonly id: string;
  readonly url: string;
  /** Null where nobody said one: the page is asked once there is a network. */
  readonly title: string | null;
  readonly description: string | null;
  /** Null where there is no category yet. */
  readonly categoryId: string | null;
  readonly tags: readonly string[];
  /** It was sent before, maybe with something else. */
  readonly edited?: true;
}

/** Keeps new links. Resolves to whether they are kept; the person has been told. */
export type KeepForLater = (links: readonly LinkForLater[]) => Promise<boolean>;

/** The category of a form, for a link that waits: one that is not made yet cannot be named. */
export function categoryForLater(categoryId: string): string | null {
  return categoryId === UNMADE_CATEGORY ? null : categoryId;
}
