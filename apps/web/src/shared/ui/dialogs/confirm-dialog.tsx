import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { backdropClassName, dialogPopupClassName } from '../menus/floating-class-names.ts';
import { DialogActions } from './dialog-actions.tsx';
import { finalFocusOf } from './final-focus.ts';
import { useBackDismisses } from './use-back-dismisses.ts';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  /** Further words between description and buttons: what would be lost. */
  readonly children?: ReactNode;
  readonly cancelLabel?: string;
  readonly confirmLabel: string;
  readonly tone?: 'danger' | 'primary';
  readonly busy?: boolean;
  readonly busyLabel?: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  /** Asked when it closes: where the keyboard goes; true is where it came from. */
  readonly finalFocus?: () => HTMLElement | true | null;
}

/** A question with two answers. Focus starts on the harmless one; a click outside does not answer it. */
export function ConfirmDialog({
  open,
  title,
  description,
  children,
  cancelLabel = 'Cancelar',
  confirmLabel,
  tone = 'danger',
  busy = false,
  busyLabel,
  onCancel,
  onConfirm,
  finalFocus = () => true,
}: ConfirmDialogProps) {
  useBackDismisses(open, onCancel);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onCancel())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className={backdropClassName} />
        <AlertDialog.Popup
          finalFocus={finalFocusOf(finalFocus)}
          className={`${dialogPopupClassName} md:max-w-dialog`}
        >
          <div className="p-5">
            <AlertDialog.Title className="text-lg font-semibold text-ink">{title}</AlertDialog.Title>
            {description ? (
              <AlertDialog.Description className="mt-1.5 text-base text-ink-soft">
                {description}
              </AlertDialog.Description>
            ) : null}
            {children}
            <DialogActions>
              <AlertDialog.Close render={<Button>{cancelLabel}</Button>} />
              <Button variant={tone} busy={busy} busyLabel={busyLabel} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </DialogActions>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
