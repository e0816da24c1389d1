import { ADDING_MESSAGES, describePlace } from '@linkoteca/domain/adding-messages';
import { Fragment } from 'react';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { LinkPlace } from '../model/link-places.ts';

/** Places named; more would push the form off the screen. */
const NAMED = 3;

/** Says where an address is already. The way there opens beside the form, which keeps what is typed. */
export function DuplicateNotice({ places }: { readonly places: readonly LinkPlace[] }) {
  const categories = [...new Map(places.map((place) => [place.categoryId, place])).values()];
  if (categories.length === 0) return null;
  return (
    <Notice tone="warning">
      {ADDING_MESSAGES.alreadyHere}{' '}
      {categories.slice(0, NAMED).map((place, index) => (
        <Fragment key={place.categoryId}>
          {index > 0 ? ', ' : null}
          <a
            href={`/category/${place.categoryId}`}
            target="_blank"
            rel="noopener"
            title="Abrir em outra aba"
            className="font-medium underline underline-offset-2"
          >
            {describePlace(place.folderName, place.categoryName)}
          </a>
        </Fragment>
      ))}
      {categories.length > NAMED ? ` e mais ${categories.length - NAMED}` : null}.
    </Notice>
  );
}
