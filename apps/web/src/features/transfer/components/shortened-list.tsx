import { formatNumber } from '@linkoteca/domain/format-number';
import type { ShortenedName } from '@linkoteca/domain/name-import-place';
import { TRANSFER_MESSAGES } from '@linkoteca/domain/transfer-messages';

/** As many as anybody reads; the figure in the head counts all. */
const SHOWN = 100;

/** Which names of a file are too long, and what they become. */
export function ShortenedList({ shortened }: { readonly shortened: readonly ShortenedName[] }) {
  if (shortened.length === 0) return null;
  return (
    <details className="rounded border border-line px-3 py-2 text-base">
      <summary className="cursor-pointer">
        {TRANSFER_MESSAGES.import.shortenedTitle}: {formatNumber(shortened.length)}
      </summary>
      <p className="mt-2 text-sm text-ink-soft">{TRANSFER_MESSAGES.import.shortenedReason}</p>
      <ul className="mt-1 flex max-h-48 flex-col gap-1.5 overflow-y-auto text-sm">
        {shortened.slice(0, SHOWN).map(({ folder, from, to }) => (
          <li key={`${folder ?? ''}\n${to}`} className="break-words">
            <span className="font-medium">{folder === null ? to : `${folder} › ${to}`}</span>
            <span className="block text-ink-soft">{from}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
