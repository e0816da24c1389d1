import { ConfirmDialog } from './confirm-dialog.tsx';

export interface DiscardWords {
  readonly title?: string;
  readonly description?: string;
}

interface DiscardConfirmationProps extends DiscardWords {
  readonly open: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asked before typed text, or what else was changed, is thrown away. */
export function DiscardConfirmation({
  open,
  title = 'Descartar o que você digitou?',
  description = 'O texto ainda não foi salvo.',
  onKeep,
  onDiscard,
}: DiscardConfirmationProps) {
  return (
    <ConfirmDialog
      open={open}
      title={title}
      description={description}
      cancelLabel="Continuar editando"
      confirmLabel="Descartar"
      onCancel={onKeep}
      onConfirm={onDiscard}
    />
  );
}
