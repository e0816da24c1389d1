import { formatCount } from '@linkoteca/domain/formats';
import { describeBulkDeletion, LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import type { Link } from '../../../shared/lib/rows.ts';
import { PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';
import type { Deletion } from '../../../shared/lib/writes/deletion.ts';
import type { OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { describeDeletionFailure } from './describe-deletion-failure.ts';

interface LinksGone {
  readonly gone: readonly Link[];
  /** Several were picked, perhaps one of them. */
  readonly bulk: boolean;
  readonly done: Promise<unknown>;
  /** Shows deleted links again, before the server has brought them back. */
  readonly beginRestore: (links: readonly Link[]) => Promise<OptimisticWrite>;
}

/** A deletion of links, in words, for whoever follows how it ends. */
export function reportDeletion({ gone, bulk, done, beginRestore }: LinksGone): Deletion {
  return {
    ids: gone.map((link) => link.id),
    what: gone.length === 1 ? (gone[0]?.title ?? '') : formatCount(gone.length, 'link', 'links'),
    done,
    going: gone.length === 1 ? LINK_MESSAGES.deleting : LINK_MESSAGES.deletingMany,
    gone: bulk ? describeBulkDeletion(gone.length) : LINK_MESSAGES.deleted,
    describeFailure: (error) => describeDeletionFailure(error, bulk, gone.length),
    partGone: (error) =>
      error instanceof PartlyDone
        ? reportDeletion({
            gone: gone.filter((link) => error.doneIds.has(link.id)),
            bulk,
            done: Promise.resolve(),
            beginRestore,
          })
        : null,
    beginRestore: () => beginRestore(gone),
  };
}
