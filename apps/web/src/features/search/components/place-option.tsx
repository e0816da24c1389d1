import { pickHue } from '@linkoteca/domain/pick-hue';
import type { Place } from '../model/find-places.ts';
import { Highlight } from './highlight.tsx';
import { SearchOption, type SearchOptionProps } from './search-option.tsx';

interface PlaceOptionProps extends SearchOptionProps {
  readonly place: Place;
  readonly term: string;
}

/** A found folder or category, with the spine of its folder. */
export function PlaceOption({ place, term, ...option }: PlaceOptionProps) {
  return (
    <SearchOption {...option}>
      <span className="grid w-4 shrink-0 place-items-center">
        <span
          aria-hidden
          className="h-4 w-1 rounded-full"
          style={{ background: `var(--folder-${pickHue(place.folderId) + 1})` }}
        />
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">
        <Highlight text={place.name} term={term} />
      </span>
      <span className="max-w-2/5 shrink-0 truncate text-xs text-ink-faint">
        {place.kind === 'folder' ? 'Pasta' : `em ${place.folderName}`}
      </span>
    </SearchOption>
  );
}
