import type { SearchResult } from '../../../shared/lib/rows.ts';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import { excerptMatch } from '../model/excerpt-match.ts';
import { Highlight } from './highlight.tsx';
import { SearchOption, type SearchOptionProps } from './search-option.tsx';

interface LinkOptionProps extends SearchOptionProps {
  readonly result: SearchResult;
  /** Where it lies. */
  readonly place: string;
  /** Who shares it. */
  readonly owner?: string;
  readonly term: string;
  readonly onVisit: () => void;
}

/** A found link: title, place, address, and its description around the match. */
export function LinkOption({ result, place, owner, term, ...option }: LinkOptionProps) {
  return (
    <SearchOption {...option}>
      <span className="mt-0.5 shrink-0">
        <LinkFace url={result.url} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 truncate font-medium">
            <Highlight text={result.title} term={term} />
          </span>
          <span className="max-w-2/5 shrink-0 truncate text-xs text-ink-faint">{place}</span>
        </span>
        <span className="flex items-baseline gap-3 text-xs text-ink-faint">
          <span className="min-w-0 flex-1 truncate">
            <Highlight text={result.url} term={term} />
          </span>
          {owner === undefined ? null : <span className="max-w-2/5 shrink-0 truncate">{owner}</span>}
        </span>
        {result.description ? (
          <span className="mt-0.5 line-clamp-1 text-sm text-ink-soft">
            <Highlight text={excerptMatch(result.description, term)} term={term} />
          </span>
        ) : null}
      </span>
    </SearchOption>
  );
}
