import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { useRef } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DeleteConfirmationProps {
  readonly open: boolean;
  /** What kind of thing goes: 'Pasta', 'Categoria' or 'Link'. */
  readonly itemType: string;
  readonly itemName: string;
  /** What goes with it, in words. */
  readonly consequence?: string | undefined;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  /** Where the keyboard goes when what it was on is gone; the page itself when there is nothing either. */
  readonly focusAfterDeletion: () => HTMLElement | null;
}

/** Asked before anything is deleted. */
export function DeleteConfirmation({
  open,
  itemType,
  itemName,
  consequence,
  onCancel,
  onConfirm,
  focusAfterDeletion,
}: DeleteConfirmationProps) {
  const confirmed = useRef(false);
  return (
    <ConfirmDialog
      open={open}
      title="Confirmar exclusão"
      description="Tem certeza que deseja excluir?"
      confirmLabel="Excluir"
      onCancel={onCancel}
      onConfirm={() => {
        confirmed.current = true;
        onConfirm();
      }}
      finalFocus={() =>
        confirmed.current ? (focusAfterDeletion() ?? document.getElementById('page')) : true
      }
    >
      <p className="mt-4 rounded bg-sunken px-3 py-2.5 text-base break-words">
        <span className="text-ink-soft">{itemType}: </span>
        <span className="font-medium text-ink">{itemName}</span>
      </p>
      {consequence ? <p className="mt-3 text-base text-ink">{consequence}</p> : null}
      <p className="mt-3 text-sm text-ink-soft">Esta ação não poderá ser desfeita.</p>
      <p className="mt-1 text-sm text-ink-soft">{BIN_MESSAGES.keeps}</p>
    </ConfirmDialog>
  );
}
