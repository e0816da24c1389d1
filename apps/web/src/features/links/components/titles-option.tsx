import { ADDING_MESSAGES } from '@linkoteca/domain/adding-messages';
import type { usePastedList } from '../model/use-pasted-list.ts';

interface TitlesOptionProps {
  readonly list: ReturnType<typeof usePastedList>;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Whether the pages are asked for their titles, and how far that is. */
export function TitlesOption({ list: { titles, untitled }, on, onChange }: TitlesOptionProps) {
  if (untitled === 0) return null;
  return (
    <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 text-sm text-ink-soft">
      <label className="flex cursor-pointer items-center gap-2 py-1 pointer-coarse:py-2.5">
        <input
          type="checkbox"
          checked={on}
          className="size-4 accent-accent"
          onChange={(event) => onChange(event.target.checked)}
        />
        Buscar títulos nas páginas
      </label>
      <span role="status" className="text-ink-faint tabular-nums">
        {titles.stopped ? ADDING_MESSAGES.tooManyTitles : null}
        {titles.waiting > 0
          ? `${ADDING_MESSAGES.searchingTitle} ${untitled - titles.waiting} de ${untitled}`
          : null}
      </span>
    </div>
  );
}
