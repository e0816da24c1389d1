import { FileUp } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  useRef,
  useState,
} from 'react';
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
        <PasteText
          text={text}
          takesFile={rest.isTheirs === true}
          onText={setText}
          onRead={read}
          onCancel={onClose}
        />
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
  readonly takesFile: boolean;
  readonly onText: (text: string) => void;
  /** The text is complete: its lines can be read. */
  readonly onRead: (text: string) => void;
  readonly onCancel: () => void;
}

/** Where a list of links is pasted or typed. A paste into the empty field is read at once, and so is a file. */
function PasteText({ text, takesFile, onText, onRead, onCancel }: PasteTextProps) {
  const [fault, setFault] = useState<string>();
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
  const readFile = async (file: File) => {
    const content = file.size > FILE_BYTES ? null : await file.text().catch(() => null);
    if (content === null) setFault(file.size > FILE_BYTES ? FILE_WORDS.tooLarge : FILE_WORDS.unreadable);
    else if (readPastedLinks(content).some(({ kind }) => kind === 'link')) onRead(content);
    else setFault(FILE_WORDS.nothingFound);
  };
  const drop = (event: DragEvent) => {
    const file = takesFile ? event.dataTransfer.files[0] : undefined;
    if (file === undefined) return;
    // Else the browser would leave the page to show the file.
    event.preventDefault();
    void readFile(file);
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
        error={fault}
        hint="Também servem “título - endereço”, Markdown, colunas de uma planilha e favoritos em HTML."
        onChange={(event) => {
          setFault(undefined);
          onText(event.target.value);
        }}
        onPaste={paste}
        onKeyDown={press}
        onDrop={drop}
      />
      {takesFile ? <FileChoice onFile={(file) => void readFile(file)} /> : null}
      <DialogActions>
        <Button onClick={onCancel}>Cancelar</Button>
        <Button type="submit" variant="primary" disabled={text.trim() === ''}>
          Continuar
        </Button>
      </DialogActions>
    </form>
  );
}

/** More of a file is not read: it is shown as a list to choose from. */
const FILE_BYTES = 10_000_000;

const FILE_WORDS = {
  choose: 'Escolher arquivo de favoritos',
  tooLarge: 'O arquivo é grande demais: até 10 MB.',
  unreadable: 'Não foi possível ler o arquivo.',
  nothingFound: 'Nenhum link neste arquivo. Servem favoritos em HTML e listas em texto.',
} as const;

function FileChoice({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="mt-3">
      <Button icon={<FileUp aria-hidden />} onClick={() => input.current?.click()}>
        {FILE_WORDS.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".html,.htm,.txt,text/html,text/plain"
        hidden
        aria-label={FILE_WORDS.choose}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </div>
  );
}
