import { Lock } from 'lucide-react';

/** What a locked control says: read aloud after its name, and shown as its tooltip. Nothing where there is no lock. */
export function lockProps(lock: string | null) {
  return lock === null ? {} : { 'aria-description': lock, title: lock };
}

/** Stands on a control that the plan does not have, or has no room for: seen before it is pressed. Its words are the control's. */
export function PlanLockMark() {
  return <Lock aria-hidden className="size-3!" />;
}
