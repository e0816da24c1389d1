import { formatNumber } from '@linkoteca/domain/formats';
import type { LeftOutLink } from '../model/arrange-import.ts';
import { LEFT_OUT_REASONS, TRANSFER_MESSAGES } from '../model/transfer-messages.ts';

/** As many as anybody reads; the figure beside each reason counts all. */
const SHOWN = 100;

/** What of a file cannot be taken, by reason: as text, never as links that could be pressed. */
export function LeftOutList({ leftOut }: { readonly leftOut: readonly LeftOutLink[] }) {
  if (leftOut.length === 0) return null;
  const groups = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  return (
    <details className="rounded border border-line px-3 py-2 text-base">
      <summary className="cursor-pointer">
        {TRANSFER_MESSAGES.import.leftOutTitle}: {formatNumber(leftOut.length)}
      </summary>
      {groups.map(([reason, links]) => (
        <div key={reason} className="mt-2">
          <p className="text-sm font-medium">
            {LEFT_OUT_REASONS[reason]}: {formatNumber(links.length)}
          </p>
          <ul className="mt-1 max-h-32 overflow-y-auto text-sm text-ink-soft">
            {links.slice(0, SHOWN).map((link, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and its lines may be alike
              <li key={index} className="truncate">
                {[link.title, link.url].filter(Boolean).join(' · ')}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  );
}
