import { describeFullFolder } from '@linkoteca/domain/messages/folder-sharing-messages';
import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { useState } from 'react';
import { useLinkAllowance } from '../../../features/account/api/usage.ts';
import type { Capture } from '../../../features/captures/model/capture.ts';
import { LinkDialog, type LinkStart } from '../../../features/links/components/form/link-dialog.tsx';
import { PasteManyDialog } from '../../../features/links/components/pasting/paste-many-dialog.tsx';
import { readPastedLinks } from '../../../features/links/model/pasting/read-pasted-links.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useCaptureWithWords } from '../../captures/use-capture.ts';
import { usePlanLimits } from '../limits/use-plan-limits.ts';
import type { WaitingRequest } from '../limits/waiting-request.ts';
import { useReceivedAccess } from '../received/use-received-access.ts';
import { useNewSharedTagging } from '../tags/use-shared-tagging.tsx';
import { useTagging } from '../tags/use-tagging.tsx';
import { useLibrary } from '../use-library.ts';
import { useLibraryCounting } from '../use-library-counting.ts';
import { useLinkPlaces } from '../use-link-places.ts';
import { useOpenCategory, useOpenCategoryId } from '../use-open-category.ts';
import { type AddLinkRequest, useOrganiserDialogs } from './organiser-dialogs-context.ts';

interface AddLinkHostProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Of what was pasted, one link opens its form, anything else the dialog for many. */
  readonly request: AddLinkRequest;
}

/** Adding links from anywhere in the shell: into the category on the screen when it is one's own. */
export function AddLinkHost({ open, onClose, request }: AddLinkHostProps) {
  const library = useLibrary();
  const { links: beginCountLinks } = useLibraryCounting();
  const { stop, leaveForPlans } = usePlanLimits();
  const allowance = useLinkAllowance();
  const { folderOf } = useReceivedAccess();
  const ask = useOrganiserDialogs();
  const openCategory = useOpenCategory();
  const shownId = useOpenCategoryId();
  const openId = request.categoryId ?? shownId;
  const text = request.kind === 'paste-links' ? request.text : '';
  const [single] = useState(() => (request.kind === 'add-link' ? request : readSingle(text)));
  const openFolder = openId === null ? undefined : folderOf(openId);
  // Somebody's folder in which the person may write; in any other place they add to their own library.
  const folder = openFolder?.mayWrite ? openFolder : undefined;
  const places = useLinkPlaces(folder);
  const tagging = useTagging();
  const theirTagging = useNewSharedTagging();
  const capture = useCaptureWithWords();

  // Which categories there are decides what the form starts with.
  if (library.loading && library.failed === null) return null;
  const place = openId === null ? {} : { categoryId: openId };
  const waitingLink = (draftKey: string): WaitingRequest => ({
    kind: 'add-link',
    draftKey,
    start: single?.start,
    ...place,
  });
  const leave = (waiting: WaitingRequest) => {
    onClose();
    leaveForPlans(waiting);
  };
  const common = {
    open,
    onClose,
    ...places,
    // What is added to somebody's folder takes a place of theirs.
    allowance: folder ? null : allowance,
    beginCountLinks,
    empty: !folder && library.categories.length === 0 && library.failed === null,
    categoryId: openId !== null && (folder || library.findCategory(openId)) ? openId : null,
    keepForLater: folder
      ? (captures: readonly Capture[]) =>
          capture(captures.map((one) => ({ ...one, sharedFolderId: folder.id })))
      : capture,
  };
  return single ? (
    <LinkDialog
      {...common}
      link={null}
      tagging={folder ? theirTagging : tagging}
      start={single.start}
      draftKey={single.draftKey}
      onLimit={(max, draftKey) => {
        onClose();
        if (folder) toast.error(LINK_MESSAGES.createFailed, describeFullFolder(max, 'links'));
        else stop({ of: 'maxLinks', max }, waitingLink(draftKey));
      }}
      onSeePlans={(draftKey) => leave(waitingLink(draftKey))}
      onPasteMany={(many) => ask({ kind: 'paste-links', text: many })}
      onShowLink={({ categoryId, linkId }) => openCategory(categoryId, linkId)}
    />
  ) : (
    <PasteManyDialog
      {...common}
      text={text}
      isTheirs={folder !== undefined}
      onSeePlans={(kept) => leave({ kind: 'paste-links', text: kept, ...place })}
    />
  );
}

/** The form's start when the text is one link and nothing else; null otherwise. */
function readSingle(text: string): { readonly start: LinkStart; readonly draftKey?: string } | null {
  const [only, ...others] = readPastedLinks(text);
  if (only?.kind !== 'link' || others.length > 0) return null;
  return { start: { url: only.url, title: only.title ?? undefined } };
}
