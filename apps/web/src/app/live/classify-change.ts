import type { QueryKey } from '@tanstack/react-query';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { folderListKey } from '../../features/folders/model/folder-rows.ts';
import { flattenLinks, type LinkPages } from '../../features/links/model/link-pages.ts';
import { isOlder } from '../../shared/lib/realtime/row-versions.ts';
import { newestOf, type TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { Folder, Link } from '../../shared/lib/rows.ts';
import { pendingWritesOf, type RowWrite } from '../../shared/lib/writes/pending-writes.ts';
import type { LiveScope } from './live-scope.ts';
import { findOutdatedReads, listsOfLink, mayBe, recogniseReceived } from './outdated-reads.ts';

/** A change and when it arrived here, milliseconds since 1970. */
export interface ReceivedChange {
  readonly change: TableChange;
  readonly receivedAt: number;
}

/** What a change means for this tab. */
interface Classified {
  readonly change: TableChange;
  /** Not this tab's own doing, and nothing that is on the screen already. */
  readonly isNews: boolean;
  /** Whether lists may take the row from the change. */
  readonly isCurrent: boolean;
  /** Reads that have to be made again. */
  readonly outdated: readonly QueryKey[];
}

type Kind = RowWrite['kind'];

/** What this tab did last to a row of which this would be the echo. */
const OWN_KINDS: Readonly<Record<TableChange['operation'], ReadonlySet<Kind>>> = {
  INSERT: new Set<Kind>(['add', 'change']),
  UPDATE: new Set<Kind>(['add', 'change']),
  DELETE: new Set<Kind>(['drop']),
};

const QUIET_TABLES: ReadonlySet<string> = new Set([
  'favorites',
  'folder_looks',
  // Also written anew where nothing of it changed, and by whoever has the dialog open.
  'folder_members',
  'manual_order',
  'saved_searches',
  'subscribers',
  'tags',
]);

/**
 * Tells changes of others from those that this tab made and has shown already. That needs no accounts of what came back:
 * the cache has the row at this version, or this tab has just written it.
 */
export function classifyChanges(
  scope: LiveScope,
  received: readonly ReceivedChange[],
): readonly Classified[] {
  const outdatedBy = findOutdatedReads(scope);
  const isKnown = compareWithCache(scope);
  return received.map(({ change, receivedAt }) => {
    const kind = findOwnKind(scope, change, receivedAt);
    const isInvitation = mayBe(change, 'invitation', scope.email);
    if (kind === undefined) {
      // One's own invitations, looks and orders, and stars that went with what was deleted, come back without telling whose doing they were; a payment is no
      // change of the library, and has words of its own.
      const isNews = !isInvitation && !QUIET_TABLES.has(change.table) && !isKnown(change);
      return { change, isNews, isCurrent: true, outdated: outdatedBy(change) };
    }
    // A deletion that comes back after its undo, say: only the service can tell what holds now.
    if (!OWN_KINDS[change.operation].has(kind)) {
      const lists = change.table === 'links' ? listsOfLink(change) : [];
      return { change, isNews: false, isCurrent: false, outdated: [...outdatedBy(change), ...lists] };
    }
    // Somebody else may have changed the row as well; nobody else adds it, and gone is gone.
    const isShown = change.operation !== 'UPDATE' || isKnown(change);
    return { change, isNews: false, isCurrent: true, outdated: isShown ? [] : outdatedBy(change) };
  });
}

/** What this tab has just done to the row of a change, or to the category with which its link came or went. */
function findOwnKind({ queryClient }: LiveScope, change: TableChange, receivedAt: number): Kind | undefined {
  const writes = pendingWritesOf(queryClient);
  const kind = writes.findRecent(change.table, change.id, receivedAt);
  // Who has just changed a row did not delete it.
  if (kind === 'change' && change.operation === 'DELETE') return undefined;
  const { category_id: place } = newestOf(change);
  if (kind !== undefined || change.table !== 'links' || change.operation === 'UPDATE') return kind;
  // Links go and come back with their category, without being named.
  const withPlace = typeof place === 'string' && writes.findRecent('categories', place, receivedAt);
  return withPlace === 'add' || withPlace === 'drop' ? withPlace : undefined;
}

/** Tells whether the cache has a change already. Each list is looked through once, where one needs it. */
function compareWithCache(scope: LiveScope): (change: TableChange) => boolean {
  const isReceived = recogniseReceived(scope);
  const lists = new Map<string, ReadonlyMap<string, string> | undefined>();
  const listOf = (table: string) => {
    if (!lists.has(table)) lists.set(table, readVersions(scope, table));
    return lists.get(table);
  };
  return (change) => {
    const { table, operation, id, row } = change;
    const list = listOf(table);
    const shown = list?.get(id);
    if (operation !== 'DELETE') {
      const { updated_at: version } = row;
      return shown !== undefined && typeof version === 'string' && !isOlder(shown, version);
    }
    // Of links there are more than the lists that were read.
    return list !== undefined && shown === undefined && table !== 'links' && !isReceived(change);
  };
}

/** The versions of the cached rows of a table, by id. */
function readVersions({ queryClient, userId }: LiveScope, table: string) {
  const rows = (): readonly (Folder | ListedCategory | Link)[] | undefined => {
    switch (table) {
      case 'folders':
        return queryClient.getQueryData<readonly Folder[]>(folderListKey(userId));
      case 'categories':
        return queryClient.getQueryData<readonly ListedCategory[]>(categoryListKey(userId));
      case 'links':
        return queryClient
          .getQueriesData<LinkPages>({ queryKey: ['links'] })
          .flatMap(([, pages]) => (pages ? flattenLinks(pages) : []));
      default:
        return undefined;
    }
  };
  const known = rows();
  return known && new Map(known.map(({ id, updated_at }) => [id, updated_at]));
}
