import { createContext, use } from 'react';
import type { ReceivedFolder } from '../../../features/categories/api/list-received-folders.ts';
import type { ListedCategory } from '../../../features/categories/model/category-rows.ts';
import type { FeedSubject } from '../../../features/feeds/api/feed.ts';
import type { ListedFolder } from '../../../features/folders/model/folder-rows.ts';
import type { LinkStart } from '../../../features/links/components/form/link-dialog.tsx';
import type { LinkMoveRequest } from '../../../features/links/components/link-browser-props.ts';
import type { SavedSearch } from '../../../features/saved-searches/model/saved-search-rows.ts';
import type { Category, Folder, Link } from '../../../shared/lib/rows.ts';

/** A dialog that adds links: to the category named, else to the one on the screen. */
export type AddLinkRequest = { readonly categoryId?: string } & (
  | {
      /** The form of a new link. */
      readonly kind: 'add-link';
      readonly start?: LinkStart | undefined;
      /** The draft it goes on with. */
      readonly draftKey?: string;
    }
  /** What was pasted: one link or many. An empty text asks for it. */
  | { readonly kind: 'paste-links'; readonly text: string }
);

/** Which dialog of the organiser is asked for. */
export type OrganiserRequest =
  | { readonly kind: 'folder'; readonly folder: ListedFolder | null }
  | {
      readonly kind: 'category';
      readonly folder: Pick<Folder, 'id' | 'name'>;
      readonly category: Category | null;
    }
  | { readonly kind: 'delete-folder'; readonly folder: ListedFolder }
  | {
      readonly kind: 'share-folder';
      readonly folder: Pick<Folder, 'id' | 'name'>;
      /** False where the person manages it for somebody else. */
      readonly isOwn: boolean;
    }
  | { readonly kind: 'leave-folder'; readonly folder: ReceivedFolder }
  /** A new category in somebody's folder. */
  | { readonly kind: 'shared-category'; readonly folder: ReceivedFolder }
  | { readonly kind: 'delete-category'; readonly category: ListedCategory }
  | AddLinkRequest
  | { readonly kind: 'rename-search'; readonly search: SavedSearch }
  /** What changed in it; of somebody else's what its members did. */
  | {
      readonly kind: 'history';
      readonly category: { readonly id: string; readonly name: string };
      readonly ofMembers?: boolean;
    }
  /** The secret address by which it is followed. */
  | { readonly kind: 'feed'; readonly subject: FeedSubject; readonly name: string }
  | { readonly kind: 'move-links'; readonly move: LinkMoveRequest }
  | {
      readonly kind: 'tag-links';
      readonly links: readonly Link[];
      /** The names on links of somebody's folder, by id; null of one's own links. */
      readonly shared: ReadonlyMap<string, readonly string[]> | null;
      readonly onDone: () => void;
    }
  | { readonly kind: 'move-category'; readonly category: Category }
  /** Who may see a category; `canExtend` false where the plan only lets one share less. */
  | { readonly kind: 'share'; readonly category: ListedCategory; readonly canExtend: boolean }
  /** Who asks to see one's categories. */
  | { readonly kind: 'access-requests' }
  /** The plan has no room for what waits. */
  | { readonly kind: 'limited-access'; readonly categoryId: string };

export const OrganiserDialogsContext = createContext<(request: OrganiserRequest) => void>(() => {
  throw new Error('useOrganiserDialogs needs OrganiserDialogs above it');
});

/** Opens a dialog of the organiser from anywhere in the shell. */
export function useOrganiserDialogs(): (request: OrganiserRequest) => void {
  return use(OrganiserDialogsContext);
}
