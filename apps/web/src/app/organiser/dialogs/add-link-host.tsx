import { useMemo, useState } from 'react';
import { useLinkAllowance } from '../../../features/account/api/usage.ts';
import { LinkDialog, type LinkStart } from '../../../features/links/components/form/link-dialog.tsx';
import { PasteManyDialog } from '../../../features/links/components/pasting/paste-many-dialog.tsx';
import { readPastedLinks } from '../../../features/links/model/pasting/read-pasted-links.ts';
import { useLibrary } from '../use-library.ts';
import { useLibraryCounting } from '../use-library-counting.ts';
import { useOpenCategoryId } from '../use-open-category.ts';
import { usePlanLimits } from '../use-plan-limits.ts';
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
  const { stopAtLinkLimit } = usePlanLimits();
  const allowance = useLinkAllowance();
  const ask = useOrganiserDialogs();
  const shownId = useOpenCategoryId();
  const openId = request.categoryId ?? shownId;
  const text = request.kind === 'paste-links' ? request.text : '';
  const [single] = useState(() => (request.kind === 'add-link' ? request : readSingle(text)));
  const { shelves } = library;
  const groups = useMemo(
    () => shelves.map(({ folder, categories }) => ({ folderName: folder.name, categories })),
    [shelves],
  );

  // Which categories there are decides what the form starts with.
  if (library.loading && library.failed === null) return null;
  const [firstFolder] = library.folders;
  const createCategoryFor = (next: AddLinkRequest) =>
    ask(
      firstFolder
        ? { kind: 'category', folder: firstFolder, category: null, next }
        : { kind: 'folder', folder: null, next },
    );
  const needsCategory = library.categories.length === 0 && library.failed === null;
  const common = {
    open,
    onClose,
    groups,
    allowance,
    beginCountLinks,
    categoryId: openId !== null && library.findCategory(openId) ? openId : null,
  };
  return single ? (
    <LinkDialog
      {...common}
      link={null}
      start={single.start}
      draftKey={single.draftKey}
      onCreateCategory={
        needsCategory
          ? (draftKey) => createCategoryFor({ kind: 'add-link', start: single.start, draftKey })
          : undefined
      }
      onLimit={stopAtLinkLimit}
      onPasteMany={(many) => ask({ kind: 'paste-links', text: many })}
    />
  ) : (
    <PasteManyDialog
      {...common}
      text={text}
      onCreateCategory={
        needsCategory ? (kept) => createCategoryFor({ kind: 'paste-links', text: kept }) : undefined
      }
    />
  );
}

/** The form's start when the text is one link and nothing else; null otherwise. */
function readSingle(text: string): { readonly start: LinkStart; readonly draftKey?: string } | null {
  const [only, ...others] = readPastedLinks(text);
  if (only?.kind !== 'link' || others.length > 0) return null;
  return { start: { url: only.url, title: only.title ?? undefined } };
}
