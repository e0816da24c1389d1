import { useState } from 'react';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import type { LinkAllowance } from '../model/link-allowance.ts';
import type { BeginCountLinks } from '../model/link-rows.ts';
import { readPastedLinks } from '../model/read-pasted-links.ts';
import type { CategoryGroup } from './category-select.tsx';
import { PasteText } from './paste-text.tsx';
import { PastedList } from './pasted-list.tsx';

export interface PasteManyDialogProps {
  readonly open: boolean;
  /** What was pasted; empty asks for it. */
  readonly text: string;
  /** The person's own category on the screen; null on other pages. */
  readonly categoryId: string | null;
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  readonly beginCountLinks: BeginCountLinks;
  readonly onClose: () => void;
  /** The way to a first category, for somebody who has none. */
  readonly onCreateCategory?: (() => void) | undefined;
}

/** 'Adicionar vários links': first the text, then its lines to choose from. Mount it anew (by key) for each opening. */
export function PasteManyDialog({ open, onClose, text: pasted, ...rest }: PasteManyDialogProps) {
  const [text, setText] = useState(pasted);
  const [links, setLinks] = useState(() => readPastedLinks(pasted));
  const read = (next: string) => {
    setText(next);
    setLinks(readPastedLinks(next));
  };

  return (
    <Dialog open={open} onClose={onClose} title="Adicionar vários links" dirty={text !== ''} width="wide">
      {links.length === 0 ? (
        <PasteText text={text} onText={setText} onRead={read} onCancel={onClose} />
      ) : (
        <PastedList {...rest} links={links} onClose={onClose} onBack={() => setLinks([])} />
      )}
    </Dialog>
  );
}
