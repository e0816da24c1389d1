import { useRef, useState } from 'react';
import { EditConflict } from '../writes/edit-conflict.ts';

export interface EditedVersion<Row> {
  /** The version that the next save is made against; null for something new. */
  readonly base: () => Row | null;
  /** The version that somebody saved meanwhile, while the person is being asked about it. */
  readonly conflict: Row | null;
  /** Takes a failed save: true when it was a conflict, which is then asked about. */
  readonly takeConflict: (error: unknown) => boolean;
  /** The person has answered, or goes back to editing: the next save is made against what they have seen. */
  readonly leaveConflict: () => void;
  /** It could not be asked about: the next save meets it anew. */
  readonly forgetConflict: () => void;
}

/** Follows which version of a row a form edits. */
export function useEditedVersion<Row extends object>(opened: Row | null): EditedVersion<Row> {
  // A ref: whoever keeps their version saves again in the same press.
  const base = useRef(opened);
  const before = useRef(opened);
  const [conflict, setConflict] = useState<Row | null>(null);
  return {
    base: () => base.current,
    conflict,
    takeConflict: (error) => {
      if (!(error instanceof EditConflict)) return false;
      before.current = base.current;
      base.current = error.current;
      setConflict(error.current);
      return true;
    },
    leaveConflict: () => setConflict(null),
    forgetConflict: () => {
      base.current = before.current;
      setConflict(null);
    },
  };
}
