import type { SearchResult } from '@linkoteca/domain/entities';
import type { KeyboardEvent } from 'react';
import { FoundLink } from './found-link.tsx';

interface FoundLinksProps {
  readonly results: readonly SearchResult[];
  readonly term: string;
  /** How many results come before these. */
  readonly offset: number;
}

/** The results of a page. Arrows, Home and End go from one to the next; Enter opens it, Tab reaches its category. */
export function FoundLinks({ results, term, offset }: FoundLinksProps) {
  return (
    <ol
      start={offset + 1}
      aria-label="Links encontrados"
      onKeyDown={walkResults}
      className="overflow-clip rounded-lg border border-line bg-surface [&>li+li]:border-t [&>li+li]:border-line"
    >
      {results.map((result) => (
        <li key={result.id}>
          <FoundLink result={result} term={term} />
        </li>
      ))}
    </ol>
  );
}

function walkResults(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-found-link]')];
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  const at = links.findIndex((link) => row?.contains(link));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  const target = to === undefined ? undefined : links[to];
  if (at === -1 || target === undefined) return;
  event.preventDefault();
  target.focus();
}
