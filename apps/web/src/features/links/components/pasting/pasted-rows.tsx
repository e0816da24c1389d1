import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleAlert } from 'lucide-react';
import { useRef } from 'react';
import { rootFontSize } from '../../../../shared/lib/browser/root-font-size.ts';
import { LinkFace } from '../../../../shared/ui/link-face.tsx';
import { ADDING_MESSAGES, describePlace } from '../../model/adding-messages.ts';
import type { PastedEntry } from '../../model/pasting/pasted-entries.ts';
import type { usePastedList } from '../../model/pasting/use-pasted-list.ts';

interface PastedRowsProps {
  readonly list: ReturnType<typeof usePastedList>;
  /** Ids of the lines that can be saved. */
  readonly choosable: readonly string[];
  readonly onToggleAll: (ticked: boolean) => void;
}

const ROW_REM = 3.25;
const ROWS_IN_SIGHT = 6;

/** The lines with their ticks. Only those near the window exist: exported bookmarks are thousands. */
export function PastedRows({ list, choosable, onToggleAll }: PastedRowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { entries, chosen } = list;
  const size = ROW_REM * rootFontSize();
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size,
    initialRect: { width: 0, height: size * ROWS_IN_SIGHT },
    overscan: 8,
  });
  const allChosen = choosable.length > 0 && chosen.size === choosable.length;

  return (
    <div className="overflow-hidden rounded border border-line">
      <label className="flex h-10 cursor-pointer items-center gap-3 border-b border-line bg-sunken px-3 text-sm font-medium text-ink-soft pointer-coarse:h-11">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={allChosen}
          ref={(box) => {
            if (box) box.indeterminate = chosen.size > 0 && !allChosen;
          }}
          onChange={() => onToggleAll(!allChosen)}
        />
        Todos
      </label>
      <div
        ref={scroller}
        className="overflow-y-auto overscroll-contain"
        style={{ maxHeight: `min(${ROW_REM * ROWS_IN_SIGHT}rem, 40dvh)` }}
      >
        <ul aria-label="Links colados" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const entry = entries[index];
            return entry === undefined ? null : (
              <li
                key={entry.id}
                aria-setsize={entries.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0 border-b border-line last:border-b-0"
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                <PastedRow entry={entry} list={list} />
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

interface PastedRowProps {
  readonly entry: PastedEntry;
  readonly list: PastedRowsProps['list'];
}

function PastedRow({ entry, list }: PastedRowProps) {
  const { link } = entry;
  const name = list.nameOf(entry);
  if (link.kind === 'unreadable') {
    return (
      <div className="flex h-full items-center gap-3 px-3">
        <CircleAlert aria-hidden className="mr-7 size-4 shrink-0 text-warning-text" />
        <RowText name={name} note={link.reason} />
      </div>
    );
  }
  return (
    <label className="flex h-full cursor-pointer items-center gap-3 px-3 hover:bg-hover">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={list.chosen.has(entry.id)}
        onChange={(event) => list.tick([entry.id], event.target.checked)}
      />
      <LinkFace url={link.url} />
      <RowText name={name} address={link.url} note={noteOf(entry, list)} />
    </label>
  );
}

function RowText(props: { readonly name: string; readonly address?: string; readonly note: string | null }) {
  const { name, address, note } = props;
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="truncate text-base text-ink">{name}</span>
      <span className="flex min-w-0 gap-1.5 text-xs">
        {note ? <span className="max-w-full shrink-0 truncate text-warning-text">{note}</span> : null}
        {address ? (
          <span className="min-w-0 truncate text-ink-faint">{address.replace(/^https?:\/\//i, '')}</span>
        ) : null}
      </span>
    </span>
  );
}

/** Why a line is not chosen by itself. */
function noteOf(entry: PastedEntry, list: PastedRowsProps['list']): string | null {
  const [place] = list.placesOf(entry);
  if (place) return `Já está em ${describePlace(place.folderName, place.categoryName)}`;
  return entry.repeated ? ADDING_MESSAGES.repeated : null;
}
