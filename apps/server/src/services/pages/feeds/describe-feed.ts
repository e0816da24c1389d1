import { describePublicPage, nameOwner } from '@linkoteca/domain/messages/public-page-messages';
import { type SharedLink, type SharedPage, sharedPath } from '@linkoteca/domain/sharing';

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
  readonly links: readonly FeedLink[];
};

export type FeedLink = Pick<SharedLink, 'id' | 'url' | 'title' | 'description'> & {
  readonly published: Date;
  readonly updated: Date;
};

/** @param origin of the site, without a slash at its end. */
export function describeFeed({ category, links }: SharedPage, origin: string): FeedDescription {
  const entries = links.map(({ created_at, updated_at, ...link }) => ({
    ...link,
    published: readMoment(created_at),
    updated: readMoment(updated_at),
  }));
  const moments = [readMoment(category.updated_at), ...entries.map(({ updated }) => updated)];
  return {
    id: category.id,
    title: category.name,
    description: describePublicPage(category),
    author: nameOwner(category.owner_name),
    address: `${origin}${sharedPath(category)}`,
    updated: new Date(Math.max(...moments.map(Number))),
    links: entries,
  };
}

/** Postgres knows moments that JavaScript does not ('-infinity', the year 294276): one odd date must not cost the whole feed. */
function readMoment(text: string): Date {
  return new Date(Date.parse(text) || 0);
}
