import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';

interface FormDialogProps {
  readonly open: boolean;
  readonly title: string;
  /** True while typed text is unsaved: Esc and the backdrop then ask first; Cancelar does not. */
  readonly dirty: boolean;
  readonly saving: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (event: FormEvent) => unknown;
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
}

/** A dialog that is one form, with Cancelar and Salvar. Enter saves; while it saves, a second Enter does nothing. */
export function FormDialog({
  open,
  title,
  dirty,
  saving,
  onClose,
  onSubmit,
  width = 'narrow',
  children,
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving) onSubmit(event);
  };
  return (
    <Dialog open={open} onClose={onClose} title={title} dirty={dirty} width={width}>
      <form noValidate onSubmit={submit}>
        <div className="flex flex-col gap-4">{children}</div>
        <DialogActions>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={saving} busyLabel="Salvando...">
            Salvar
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
