import { useLastSeen } from './use-last-seen.ts';

/** Nothing to see: keeps what is shown for times without network. */
export function LastSeen() {
  useLastSeen();
  return null;
}
