import { formatCount } from '@linkoteca/domain/formats';
import { describeBulkDeletion, LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { Suspense } from 'react';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../../shared/lib/browser/use-idle-preload.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { PartlyDone } from '../../../../shared/lib/writes/call-in-parts.ts';
import type { Deletion } from '../../../../shared/lib/writes/deletion.ts';
import { useLastRequest } from '../../../../shared/lib/writes/use-last-request.ts';
import { useDeleteLinks } from '../../api/delete-links.ts';
import { describeDeletionFailure } from '../../model/describe-deletion-failure.ts';
import type { LinkBrowserProps } from '../link-browser-props.ts';

const loadDialog = () => import('./link-dialog.tsx');
const loadInfo = () => import('../link-info-dialog.tsx');
const loadConfirmation = () => import('../../../../shared/ui/dialogs/delete-confirmation.tsx');
const loadAll = () => Promise.all([loadDialog(), loadInfo(), loadConfirmation()]);

const LinkDialog = lazyPart(loadDialog, (module) => module.LinkDialog);
const LinkInfoDialog = lazyPart(loadInfo, (module) => module.LinkInfoDialog);
const DeleteConfirmation = lazyPart(loadConfirmation, (module) => module.DeleteConfirmation);

const idsOf = (links: readonly Link[]) => new Set(links.map((link) => link.id));

/** Which dialog of a link is asked for. */
export type LinkDialogRequest =
  | { readonly kind: 'edit'; readonly link: Link }
  | { readonly kind: 'info'; readonly link: Link }
  | { readonly kind: 'delete'; readonly links: readonly Link[]; readonly bulk: boolean };

interface LinkDialogsProps
  extends Pick<
    LinkBrowserProps,
    'groups' | 'allowance' | 'beginCountLinks' | 'createPlace' | 'tagging' | 'onDelete'
  > {
  /** Where the link is that a dialog is about. */
  readonly category: Pick<LinkBrowserProps['category'], 'id' | 'name'>;
  readonly request: LinkDialogRequest | null;
  /** They are being deleted; the list does not show them any more. */
  readonly onDeleted: (ids: ReadonlySet<string>) => void;
  readonly onClosed: () => void;
  /** Where the keyboard goes when the links it was on are gone; null leaves it to the page. */
  readonly focusAfterDeletion: (goneIds: ReadonlySet<string>) => HTMLElement | null;
}

/** The dialogs of a link; their code comes after the page, before one is asked for. */
export function LinkDialogs(props: LinkDialogsProps) {
  const { category, beginCountLinks, onDeleted, onClosed } = props;
  useIdlePreload(loadAll);
  const last = useLastRequest(props.request);
  const deletion = useDeleteLinks(beginCountLinks);
  if (last === null) return null;
  const { key, request, open } = last;

  const confirmDeletion = (links: readonly Link[], bulk: boolean) => {
    const report = (gone: readonly Link[], done: Promise<unknown>): Deletion => ({
      ids: [...idsOf(gone)],
      what: gone.length === 1 ? (gone[0]?.title ?? '') : formatCount(gone.length, 'link', 'links'),
      done,
      going: gone.length === 1 ? LINK_MESSAGES.deleting : LINK_MESSAGES.deletingMany,
      gone: bulk ? describeBulkDeletion(gone.length) : LINK_MESSAGES.deleted,
      describeFailure: (error) => describeDeletionFailure(error, bulk, gone.length),
      partGone: (error) =>
        error instanceof PartlyDone
          ? report(
              gone.filter((link) => error.doneIds.has(link.id)),
              Promise.resolve(),
            )
          : null,
      beginRestore: () => deletion.beginRestore(gone),
    });
    onClosed();
    onDeleted(idsOf(links));
    props.onDelete(report(links, deletion.remove(links)));
  };

  return (
    <Suspense>
      {request.kind === 'edit' ? (
        <LinkDialog
          key={key}
          open={open}
          link={request.link}
          categoryId={category.id}
          groups={props.groups}
          allowance={props.allowance}
          beginCountLinks={beginCountLinks}
          createPlace={props.createPlace}
          tagging={props.tagging}
          onClose={onClosed}
        />
      ) : null}
      {request.kind === 'info' ? (
        <LinkInfoDialog
          open={open}
          link={request.link}
          categoryName={category.name}
          tags={props.tagging?.namesOf(request.link) ?? []}
          onClose={onClosed}
        />
      ) : null}
      {request.kind === 'delete' ? (
        <DeleteConfirmation
          open={open}
          itemType={request.links.length === 1 ? 'Link' : 'Links'}
          itemName={
            request.links.length === 1
              ? (request.links[0]?.title ?? '')
              : formatCount(request.links.length, 'link selecionado', 'links selecionados')
          }
          focusAfterDeletion={() => props.focusAfterDeletion(idsOf(request.links))}
          onCancel={onClosed}
          onConfirm={() => confirmDeletion(request.links, request.bulk)}
        />
      ) : null}
    </Suspense>
  );
}
