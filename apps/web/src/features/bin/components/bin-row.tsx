import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { Folder, Link2, Library as Shelf, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { type BinEntry, describeEntry, describeTime, nameEntry } from '../model/bin-entry.ts';

const ICONS = { folder: Folder, category: Shelf, link: Link2 } as const;

interface BinRowProps {
  readonly entry: BinEntry;
  readonly now: Date;
  /** How full the plan is, where it has no room for what would come back. */
  readonly lock: string | null;
  readonly onRestore: () => void;
  readonly onDelete: () => void;
}

/** One deletion: what it was, where, since when and until when, and the two ways out. */
export function BinRow({ entry, now, lock, onRestore, onDelete }: BinRowProps) {
  const nameId = useId();
  const Icon = ICONS[entry.itemType];
  const name = nameEntry(entry);
  return (
    <li
      data-bin-row
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2.5 last:border-b-0"
    >
      <Icon aria-hidden className="size-5 shrink-0 stroke-[1.5] text-ink-faint" />
      <div className="min-w-0 flex-1 basis-52">
        <p id={nameId} title={name} className="truncate text-base font-medium text-ink">
          {name}
        </p>
        <p className="truncate text-sm text-ink-soft" title={describeEntry(entry)}>
          {describeEntry(entry)}
        </p>
        <p className="text-sm text-ink-faint">
          <time dateTime={entry.deletedAt.toISOString()}>{describeTime(entry, now)}</time>
        </p>
      </div>
      <div className="flex items-center gap-1 max-md:w-full max-md:pl-8">
        <Button
          size="small"
          className="max-md:flex-1"
          aria-describedby={nameId}
          lock={lock}
          onClick={onRestore}
        >
          {BIN_MESSAGES.restore}
        </Button>
        <IconButton label={BIN_MESSAGES.forGood} aria-describedby={nameId} onClick={onDelete}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}
