import { isUnderLayer } from './use-shortcut.ts';

/**
 * What a press on a button makes of the drawer or menu that it opens and closes: only what is seen can be closed. Who presses again while
 * its code is on its way means the same as before.
 */
export function toggleSeen(open: boolean): boolean {
  return !(open && isUnderLayer());
}
