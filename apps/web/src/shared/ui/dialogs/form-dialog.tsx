import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import type { DiscardWords } from './discard-confirmation.tsx';

interface FormDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  /** True while typed text is unsaved: Esc and the backdrop then ask first; Cancelar does not. */
  readonly dirty: boolean;
  /** What they ask, where it is no text that would be lost. */
  readonly discard?: DiscardWords;
  readonly saving: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (event: FormEvent) => unknown;
  /** Another way to save, beside Salvar; Ctrl/Cmd+Shift+Enter presses it. */
  readonly secondary?:
    | { readonly label: string; readonly onSubmit: (event: FormEvent) => unknown }
    | undefined;
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
}

/**
 * A dialog that is one form, with Cancelar and Salvar. Enter saves, in a field of several lines Ctrl/Cmd+Enter; while it
 * saves, a second Enter does nothing.
 */
export function FormDialog({
  open,
  title,
  description,
  dirty,
  discard,
  saving,
  onClose,
  onSubmit,
  secondary,
  width = 'narrow',
  children,
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving) onSubmit(event);
  };
  const submitOther = (event: FormEvent) => {
    event.preventDefault();
    if (!saving) secondary?.onSubmit(event);
  };
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    if (event.shiftKey && secondary) submitOther(event);
    else submit(event);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={description}
      dirty={dirty}
      discard={discard}
      width={width}
    >
      <form noValidate onSubmit={submit} onKeyDown={press}>
        <div className="flex flex-col gap-4">{children}</div>
        <DialogActions>
          {secondary ? (
            <Button
              variant="quiet"
              aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
              title={`${secondary.label} (Ctrl+Shift+Enter)`}
              className="mr-auto max-md:order-1 max-md:basis-full"
              onClick={submitOther}
            >
              {secondary.label}
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={saving} busyLabel="Salvando...">
            Salvar
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
