import type { OwnWrites } from '../../shared/lib/own-writes.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';

/**
 * Holds back what is heard of rows that this tab is just writing: what is shown ahead of the service would flicker, and
 * a refusal would put an old value over a new one. It goes on, in order, when the write has settled.
 */
export function holdUnderWay(own: OwnWrites, goOn: (changes: readonly TableChange[]) => void) {
  let held: readonly TableChange[] = [];
  const sift = (changes: readonly TableChange[]) => {
    if (changes.length === 0) return;
    const isHeld = ({ table, id }: TableChange) => own.isUnderWay(table, id);
    held = changes.filter(isHeld);
    const ready = held.length === 0 ? changes : changes.filter((change) => !isHeld(change));
    if (ready.length > 0) goOn(ready);
  };
  const unsubscribe = own.onSettled(() => {
    if (held.length > 0) sift(held);
  });
  return {
    add: (changes: readonly TableChange[]) => sift([...held, ...changes]),
    stop: () => {
      held = [];
      unsubscribe();
    },
  };
}
