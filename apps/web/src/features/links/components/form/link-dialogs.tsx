import { Suspense } from 'react';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../../shared/lib/browser/use-idle-preload.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { useLastRequest } from '../../../../shared/lib/writes/use-last-request.ts';
import type { LinkBrowserProps } from '../link-browser-props.ts';

const loadDialog = () => import('./link-dialog.tsx');
const loadInfo = () => import('../link-info-dialog.tsx');
const loadDeletion = () => import('../link-deletion.tsx');
const loadAll = () => Promise.all([loadDialog(), loadInfo(), loadDeletion()]);

const LinkDialog = lazyPart(loadDialog, (module) => module.LinkDialog);
const LinkInfoDialog = lazyPart(loadInfo, (module) => module.LinkInfoDialog);
const LinkDeletion = lazyPart(loadDeletion, (module) => module.LinkDeletion);

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
  const { category, beginCountLinks, onClosed } = props;
  useIdlePreload(loadAll);
  const last = useLastRequest(props.request);
  if (last === null) return null;
  const { key, request, open } = last;

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
        <LinkDeletion
          open={open}
          links={request.links}
          bulk={request.bulk}
          beginCountLinks={beginCountLinks}
          onDelete={props.onDelete}
          onDeleted={props.onDeleted}
          onClose={onClosed}
          focusAfterDeletion={props.focusAfterDeletion}
        />
      ) : null}
    </Suspense>
  );
}
