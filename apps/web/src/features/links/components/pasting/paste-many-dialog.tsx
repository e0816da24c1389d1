import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { TextareaField } from '../../../../shared/ui/fields/textarea-field.tsx';
import { findLinkText } from '../../model/find-link-text.ts';
import { readPastedLinks } from '../../model/pasting/read-pasted-links.ts';
import type { PasteManyDialogProps } from './paste-many-props.ts';
import { PasteReview } from './paste-review.tsx';

/** 'Adicionar vários links': first the text, then its lines to choose from. Mount it anew (by key) for each opening. */
export function PasteManyDialog(props: PasteManyDialogProps) {
  const { open, onClose, text: pasted, onSeePlans, ...rest } = props;
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
        <PasteReview
          {...rest}
          onSeePlans={onSeePlans ? () => onSeePlans(text) : null}
          links={links}
          onClose={onClose}
          onBack={() => setLinks([])}
        />
      )}
    </Dialog>
  );
}

interface PasteTextProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The text is complete: its lines can be read. */
  readonly onRead: (text: string) => void;
  readonly onCancel: () => void;
}

/** Where a list of links is pasted or typed. A paste into the empty field is read at once. */
function PasteText({ text, onText, onRead, onCancel }: PasteTextProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') onRead(text);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = text.trim() === '' ? findLinkText(event.clipboardData) : null;
    if (pasted === null) return;
    event.preventDefault();
    onRead(pasted);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  return (
    <form noValidate onSubmit={submit}>
      <TextareaField
        label="Links, um por linha"
        className="min-h-40"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        hint="Também servem “título - endereço”, Markdown, colunas de uma planilha e favoritos em HTML."
        onChange={(event) => onText(event.target.value)}
        onPaste={paste}
        onKeyDown={press}
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancelar</Button>
        <Button type="submit" variant="primary" disabled={text.trim() === ''}>
          Continuar
        </Button>
      </DialogActions>
    </form>
  );
}
