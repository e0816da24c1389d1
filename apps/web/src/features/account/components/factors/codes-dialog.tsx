import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../../../shared/lib/browser/save-file.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';

/** Without accents, for every file system. */
const FILE_NAME = 'linkoteca-codigos.txt';

interface CodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** New recovery codes, this once. Who closes without having kept them is asked first. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const [kept, setKept] = useState(false);
  const text = codes.map(spell).join('\n');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setKept(true);
      toast.success(TEXT.codesCopied);
    } catch {
      toast.error(TEXT.copyFailed);
    }
  };
  const save = () => {
    saveFile(new Blob([`${TEXT.codesTitle} (Linkoteca)\n\n${text}\n`], { type: 'text/plain' }), FILE_NAME);
    setKept(true);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={TEXT.keepTitle}
      description={TEXT.keepLead}
      dirty={!kept}
      discard={{ title: TEXT.unkept, description: TEXT.unkeptWhy }}
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-2 rounded-lg border border-line p-4 font-mono text-sm text-ink">
        {codes.map((code) => (
          <li key={code}>{spell(code)}</li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          {TEXT.copyCodes}
        </Button>
        <Button onClick={save}>
          <Download aria-hidden className="size-4" />
          {TEXT.saveCodes}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {TEXT.kept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** In groups of four, as one types them. */
function spell(code: string): string {
  return code.match(/.{1,4}/g)?.join('-') ?? code;
}
