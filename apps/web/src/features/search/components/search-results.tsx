import type { SearchResult } from '@linkoteca/domain/entities';
import { SEARCH_MESSAGES } from '@linkoteca/domain/link-messages';
import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { Favicon } from '../../../shared/ui/favicon.tsx';
import { excerptMatch } from '../model/excerpt-match.ts';
import { Highlight } from './highlight.tsx';

interface SearchResultsProps {
  readonly id: string;
  readonly optionId: (index: number) => string;
  /** null before the first answer. */
  readonly results: readonly SearchResult[] | null;
  readonly loading: boolean;
  readonly term: string;
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onChoose: (index: number) => void;
}

/** The dropdown below the search field. */
export function SearchResults(props: SearchResultsProps) {
  const { id, optionId, results, loading, term, active, onActive, onChoose } = props;
  return (
    <div className="absolute inset-x-0 top-full z-20 mt-1.5 overflow-hidden rounded-lg border border-line bg-surface shadow-float max-md:fixed max-md:inset-x-2 max-md:top-(--mobile-header-offset) max-md:mt-0">
      <p className="flex h-9 items-center justify-between px-3.5 text-sm font-medium text-ink-soft">
        {SEARCH_MESSAGES.heading}
        {loading ? (
          <span role="status" className="text-ink-faint">
            <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" />
            <span className="sr-only">Buscando...</span>
          </span>
        ) : null}
      </p>
      {results?.length === 0 && !loading ? (
        <p role="status" className="px-3.5 pt-2 pb-5 text-base text-ink-soft">
          {SEARCH_MESSAGES.empty}
        </p>
      ) : null}
      <div
        id={id}
        role="listbox"
        aria-label={SEARCH_MESSAGES.heading}
        className={joinClassNames(
          'max-h-[min(30rem,70dvh)] overflow-y-auto overscroll-contain transition-opacity',
          results && results.length > 0 && 'border-t border-line p-1',
          loading && 'opacity-60',
        )}
      >
        {results?.map((result, index) => (
          <ResultOption
            key={result.id}
            id={optionId(index)}
            result={result}
            term={term}
            active={index === active}
            onActive={() => onActive(index)}
            onChoose={() => onChoose(index)}
          />
        ))}
      </div>
    </div>
  );
}

interface ResultOptionProps {
  readonly id: string;
  readonly result: SearchResult;
  readonly term: string;
  readonly active: boolean;
  readonly onActive: () => void;
  readonly onChoose: () => void;
}

function ResultOption({ id, result, term, active, onActive, onChoose }: ResultOptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox takes the keys and points here with aria-activedescendant
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the combobox
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={active}
      className={joinClassNames('flex cursor-pointer gap-3 rounded px-2.5 py-2', active && 'bg-hover')}
      onPointerMove={active ? undefined : onActive}
      // Keeps focus in the field, so that the dropdown is still there when the press ends.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="mt-0.5 shrink-0">
        <Favicon url={result.url} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 truncate font-medium">
            <Highlight text={result.title} term={term} />
          </span>
          <span className="max-w-2/5 shrink-0 truncate text-xs text-ink-faint">
            {result.category_name ?? SEARCH_MESSAGES.unknownCategory}
          </span>
        </span>
        <span className="block truncate text-xs text-ink-faint">
          <Highlight text={result.url} term={term} />
        </span>
        {result.description ? (
          <span className="mt-0.5 line-clamp-1 text-sm text-ink-soft">
            <Highlight text={excerptMatch(result.description, term)} term={term} />
          </span>
        ) : null}
      </span>
    </div>
  );
}
