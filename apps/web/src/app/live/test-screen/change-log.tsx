import { formatClock } from '@linkoteca/domain/dates';
import { newestOf, type TableChange } from '../../../shared/lib/realtime/table-change.ts';
import { describeOperation, describeTable, TEST_REALTIME_MESSAGES as WORDS } from '../realtime-messages.ts';
import type { LoggedChange } from './use-change-log.ts';

/** The changes as they arrived, the newest on top. */
export function ChangeLog({ entries }: { readonly entries: readonly LoggedChange[] }) {
  return (
    <div role="log" aria-label={WORDS.log}>
      {entries.length === 0 ? <p className="text-base text-ink-soft">{WORDS.emptyLog}</p> : null}
      <ol className="divide-y divide-line">
        {entries.map(({ key, at, change }) => (
          <li key={key} className="flex items-baseline gap-3 py-2 text-sm">
            <time dateTime={at.toISOString()} className="shrink-0 text-ink-faint tabular-nums">
              {formatClock(at)}
            </time>
            <span className="shrink-0">
              {describeTable(change.table)} · {describeOperation(change.operation)}
            </span>
            <span className="min-w-0 flex-1 truncate text-ink-soft">{nameOf(change)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What a person knows the row by; the beginning of its id where no more was told. */
function nameOf(change: TableChange): string {
  const { name, title, plan } = newestOf(change);
  const known = [name, title, plan].find((value) => typeof value === 'string' && value !== '');
  return typeof known === 'string' ? known : change.id.slice(0, 8);
}
