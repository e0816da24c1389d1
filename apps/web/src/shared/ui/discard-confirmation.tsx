import { ConfirmDialog } from './confirm-dialog.tsx';

interface DiscardConfirmationProps {
  readonly open: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asked before typed text is thrown away. */
export function DiscardConfirmation({ open, onKeep, onDiscard }: DiscardConfirmationProps) {
  return (
    <ConfirmDialog
      open={open}
      title="Descartar o que você digitou?"
      description="O texto ainda não foi salvo."
      cancelLabel="Continuar editando"
      confirmLabel="Descartar"
      onCancel={onKeep}
      onConfirm={onDiscard}
    />
  );
}
