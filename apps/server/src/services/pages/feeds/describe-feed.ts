import { describePublicPage, nameOwner } from '@linkoteca/domain/public-page-messages';
import { sharedPath } from '@linkoteca/domain/shared-address';
import type { SharedLink, SharedPage } from '@linkoteca/domain/shared-page';

/** What the three formats say of a category. */
export type FeedDescription = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** The page. */
  readonly address: string;
  /** When the category or one of the links changed last. */
  readonly updated: Date;
  readonly links: readonly SharedLink[];
};

/** @param origin of the site, without a slash at its end. */
export function describeFeed({ category, links }: SharedPage, origin: string): FeedDescription {
  const moments = [category.updated_at, ...links.map(({ updated_at }) => updated_at)].map((text) =>
    Date.parse(text),
  );
  return {
    id: category.id,
    title: category.name,
    description: describePublicPage(category),
    author: nameOwner(category.owner_name),
    address: `${origin}${sharedPath(category)}`,
    updated: new Date(Math.max(...moments)),
    links,
  };
}
