import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { describeRoomierPlan } from '@linkoteca/domain/messages/room-messages';
import { FieldAction } from '../../../../shared/ui/fields/field-action.tsx';
import { describeLeftOut, describeRoom } from '../../model/adding-messages.ts';

interface RoomNoteProps {
  /** Links the plan has room for; null is unlimited. */
  readonly remaining: number | null;
  /** The plan's limit; null is unlimited. */
  readonly max: number | null;
  /** New links that stay unticked because they do not fit. */
  readonly leftOut: number;
  /** How many more are chosen than fit. */
  readonly excess: number;
  /** Why nothing is saved yet. */
  readonly problem: string | null;
  /** To the plans; null where there is no such way. */
  readonly onSeePlans: (() => void) | null;
}

/** How much of a pasted list the plan takes, what stays out, and what the next plan holds. */
export function RoomNote({ remaining, max, leftOut, excess, problem, onSeePlans }: RoomNoteProps) {
  const room = describeRoom(remaining);
  if (room === null && problem === null) return null;
  const said = remaining === 0 && leftOut > 0;
  const tight = max !== null && (leftOut > 0 || excess > 0 || remaining === 0);
  return (
    <div className="flex flex-wrap items-baseline gap-x-1.5 text-sm text-ink-soft">
      {said ? null : <span>{room}</span>}
      <span role="status" className="font-medium text-warning-text empty:hidden">
        {max !== null && leftOut > 0 ? describeLeftOut(leftOut, max) : null}
      </span>
      {problem ? (
        <span role="alert" className="font-medium text-danger-text">
          {problem}
        </span>
      ) : null}
      {tight ? <span>{describeRoomierPlan('maxLinks', max)}</span> : null}
      {tight && onSeePlans ? <FieldAction onPress={onSeePlans}>{PLAN_MESSAGES.seePlans}</FieldAction> : null}
    </div>
  );
}
