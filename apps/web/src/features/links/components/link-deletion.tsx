import { formatCount } from '@linkoteca/domain/formats';
import type { Link } from '../../../shared/lib/rows.ts';
import { DeleteConfirmation } from '../../../shared/ui/dialogs/delete-confirmation.tsx';
import { useDeleteLinks } from '../api/delete-links.ts';
import { reportDeletion } from '../model/report-deletion.ts';
import type { LinkBrowserProps } from './link-browser-props.ts';

const idsOf = (links: readonly Link[]) => new Set(links.map((link) => link.id));

interface LinkDeletionProps extends Pick<LinkBrowserProps, 'beginCountLinks' | 'onDelete'> {
  readonly open: boolean;
  readonly links: readonly Link[];
  /** Several were picked, perhaps one of them. */
  readonly bulk: boolean;
  /** They are being deleted; the list does not show them any more. */
  readonly onDeleted: (ids: ReadonlySet<string>) => void;
  readonly onClose: () => void;
  /** Where the keyboard goes when the links it was on are gone; null leaves it to the page. */
  readonly focusAfterDeletion: (goneIds: ReadonlySet<string>) => HTMLElement | null;
}

/** Asks before links are deleted, deletes them, and says how that ends. */
export function LinkDeletion(props: LinkDeletionProps) {
  const { open, links, bulk, onDeleted, onClose } = props;
  const deletion = useDeleteLinks(props.beginCountLinks);
  const confirm = () => {
    onClose();
    onDeleted(idsOf(links));
    props.onDelete(
      reportDeletion({
        gone: links,
        bulk,
        done: deletion.remove(links),
        beginRestore: deletion.beginRestore,
      }),
    );
  };
  return (
    <DeleteConfirmation
      open={open}
      itemType={links.length === 1 ? 'Link' : 'Links'}
      itemName={
        links.length === 1
          ? (links[0]?.title ?? '')
          : formatCount(links.length, 'link selecionado', 'links selecionados')
      }
      focusAfterDeletion={() => props.focusAfterDeletion(idsOf(links))}
      onCancel={onClose}
      onConfirm={confirm}
    />
  );
}
