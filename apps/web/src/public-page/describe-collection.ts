import { describePublicPage, nameOwner } from '@linkoteca/domain/public-page-messages';
import { sharedPath } from '@linkoteca/domain/shared-address';
import type { SharedPage, SharedPageSite } from '@linkoteca/domain/shared-page';

/** The page in the words of schema.org, for search engines; safe inside a script element. */
export function describeCollection({ category, links }: SharedPage, { origin }: SharedPageSite): string {
  const collection = {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name: category.name,
    description: describePublicPage(category),
    url: `${origin}${sharedPath(category)}`,
    inLanguage: 'pt-BR',
    dateModified: category.updated_at,
    author: { '@type': 'Person', name: nameOwner(category.owner_name) },
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: category.link_count,
      itemListElement: links.slice(0, LISTED).map(({ title, url }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: title,
        url,
      })),
    },
  };
  return JSON.stringify(collection).replaceAll('<', '\\u003c');
}

/** Enough for a search engine to see what is collected here; the page itself has them all. */
const LISTED = 10;
