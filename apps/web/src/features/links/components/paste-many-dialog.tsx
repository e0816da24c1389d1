import { useState } from 'react';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { readPastedLinks } from '../model/read-pasted-links.ts';
import type { PasteManyDialogProps } from './paste-many-props.ts';
import { PasteText } from './paste-text.tsx';
import { PastedList } from './pasted-list.tsx';

/** 'Adicionar vários links': first the text, then its lines to choose from. Mount it anew (by key) for each opening. */
export function PasteManyDialog(props: PasteManyDialogProps) {
  const { open, onClose, text: pasted, onCreateCategory, ...rest } = props;
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
        <PastedList
          {...rest}
          links={links}
          onClose={onClose}
          onCreateCategory={onCreateCategory ? () => onCreateCategory(text) : undefined}
          onBack={() => setLinks([])}
        />
      )}
    </Dialog>
  );
}
