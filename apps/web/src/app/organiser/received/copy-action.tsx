import { COPY_MESSAGES } from '@linkoteca/domain/messages/access-messages';
import { Link } from '@tanstack/react-router';
import { CopyPlus, History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';

const loadDialog = () => import('./copy-category-dialog.tsx');
const CopyCategoryDialog = lazyPart(loadDialog, (module) => module.CopyCategoryDialog);

const HISTORY_LABEL = 'Histórico';

interface CopyActionProps {
  readonly category: { readonly id: string; readonly name: string };
  /** They pressed 'Copiar para minha biblioteca' before they came. */
  readonly cameToCopy?: boolean;
  readonly variant?: 'primary' | 'secondary';
  /** How full the plan is, where it has no room for the copy. */
  readonly lock: string | null;
  /** Where they may write: what members changed. */
  readonly onHistory?: (() => void) | undefined;
}

/** What one does with a category of somebody else's. Copying asks for a folder; once the copy is there, the button leads to it. */
export function CopyAction({
  category,
  cameToCopy = false,
  variant = 'primary',
  lock,
  onHistory,
}: CopyActionProps) {
  const [open, setOpen] = useState(cameToCopy);
  const [asked, setAsked] = useState(cameToCopy);
  const [busy, setBusy] = useState(false);
  const [copyId, setCopyId] = useState<string | null>(null);
  return (
    <>
      {onHistory ? (
        <Button icon={<History aria-hidden />} onClick={onHistory}>
          {HISTORY_LABEL}
        </Button>
      ) : null}
      {copyId === null ? (
        <Button
          variant={variant}
          icon={<CopyPlus aria-hidden />}
          busy={busy}
          busyLabel={COPY_MESSAGES.copying}
          lock={lock}
          onPointerEnter={() => void loadDialog().catch(() => undefined)}
          onClick={() => {
            setAsked(true);
            setOpen(true);
          }}
        >
          {COPY_MESSAGES.action}
        </Button>
      ) : (
        <Link
          to="/category/$categoryId"
          params={{ categoryId: copyId }}
          className={buttonClassName('secondary')}
        >
          {COPY_MESSAGES.openCopy}
        </Link>
      )}
      {asked ? (
        <Suspense>
          <CopyCategoryDialog
            open={open}
            category={category}
            onClose={() => setOpen(false)}
            onBusy={setBusy}
            onCopied={setCopyId}
          />
        </Suspense>
      ) : null}
    </>
  );
}
