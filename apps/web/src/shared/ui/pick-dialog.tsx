import { useRef } from 'react';
import { Dialog, type DialogProps } from './dialog.tsx';
import { PickList, type PickListProps } from './pick-list.tsx';

type PickDialogProps = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'finalFocus'> &
  Omit<PickListProps, 'list'> & {
    /** Stands below the title in one line: what the choice is for. */
    readonly description?: string | undefined;
  };

/** A dialog that asks to pick one of a list. Under a thumb the field waits for its press: the keyboard would hide the list. */
export function PickDialog({ open, onClose, title, finalFocus, description, ...list }: PickDialogProps) {
  const rows = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={description ? <span className="line-clamp-1">{description}</span> : undefined}
      initialFocus={() => (window.matchMedia('(pointer: coarse)').matches ? rows.current : true)}
      {...(finalFocus ? { finalFocus } : {})}
    >
      <PickList {...list} list={rows} />
    </Dialog>
  );
}
