import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { type KeyboardEvent, useRef } from 'react';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { BinEntry } from '../model/bin-entry.ts';
import { BinRow } from './bin-row.tsx';

interface BinListProps {
  readonly entries: readonly BinEntry[];
  readonly now: Date;
  /** How full the plan is, where it has no room for what would come back. */
  readonly lockOf: (entry: BinEntry) => string | null;
  /** It leaves the list at once. */
  readonly onRestore: (entry: BinEntry) => void;
  readonly onDelete: (entry: BinEntry) => void;
}

const frame = 'overflow-clip rounded-lg border border-line bg-surface';

/** The rows of the bin. Arrows, Home and End go from one to the next, Tab to the other way out of a row. */
export function BinList({ entries, now, lockOf, onRestore, onDelete }: BinListProps) {
  const list = useRef<HTMLUListElement>(null);
  return (
    <ul ref={list} aria-label={BIN_MESSAGES.list} onKeyDown={walkRows} className={frame}>
      {entries.map((entry, at) => (
        <BinRow
          key={entry.id}
          entry={entry}
          now={now}
          lock={lockOf(entry)}
          onRestore={() => {
            focusRow(list.current, at + 1 < entries.length ? at + 1 : at - 1);
            onRestore(entry);
          }}
          onDelete={() => onDelete(entry)}
        />
      ))}
    </ul>
  );
}

/** The first button of a row; where there is none, the page, so that the keyboard is not lost with the row it was on. */
function focusRow(list: HTMLElement | null, at: number): void {
  const row = list?.querySelectorAll<HTMLElement>('[data-bin-row]')[at];
  (row?.querySelector('button') ?? document.getElementById('page'))?.focus();
}

function walkRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll('[data-bin-row]')];
  const at = rows.findIndex((row) => event.target instanceof Element && row.contains(event.target));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at === -1 || to === undefined || rows[to] === undefined) return;
  event.preventDefault();
  focusRow(event.currentTarget, to);
}

const PLACES = ['a', 'b', 'c', 'd'] as const;

/** The shape of the rows that come. */
export function BinSkeleton() {
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <span role="status">Carregando...</span>
      </VisuallyHidden>
      <div className={frame}>
        {PLACES.map((place) => (
          <div key={place} className="flex h-20 items-center gap-3 border-b border-line px-3 last:border-b-0">
            <Skeleton className="size-5" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="h-2.5 w-3/5" />
            </div>
            <Skeleton className="h-7 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
