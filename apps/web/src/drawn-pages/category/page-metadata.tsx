import { describePublicPage, nameOwner } from '@linkoteca/domain/messages/public-page-messages';
import {
  type SharedPage,
  type SharedPageSite,
  type SharedView,
  sharedPageCursor,
  sharedPath,
} from '@linkoteca/domain/sharing';
import { PagePreview, StructuredData } from '../drawn-document.tsx';
import { pageHref } from './page-href.ts';

interface PageMetadataProps {
  readonly page: SharedPage;
  readonly view: SharedView;
  readonly site: SharedPageSite;
}

/** What search engines, chats and feed readers are told. */
export function PageMetadata({ page, view, site }: PageMetadataProps) {
  const { category, before, hasOlder, links } = page;
  const address = `${site.origin}${sharedPath(category)}`;
  const description = describePublicPage(category);
  const last = links.at(-1);
  return (
    <>
      <meta name="description" content={description} />
      {/* One address a page, whatever name it was asked by and however it is drawn. */}
      <link rel="canonical" href={`${site.origin}${pageHref(category, { before })}`} />
      {hasOlder && last ? (
        <link rel="next" href={pageHref(category, { view, before: sharedPageCursor(last) })} />
      ) : null}
      <PagePreview
        title={category.name}
        description={description}
        address={address}
        // Chats keep pictures for ever by their address: another name or count is another picture.
        picture={`${address}/image.png?v=${Date.parse(category.updated_at)}-${category.link_count}`}
        pictureAlt={category.name}
      />
      <Feed type="application/rss+xml" title={`${category.name} (RSS)`} href={`${address}/feed.xml`} />
      <Feed type="application/atom+xml" title={`${category.name} (Atom)`} href={`${address}/atom.xml`} />
      <Feed type="application/feed+json" title={`${category.name} (JSON)`} href={`${address}/feed.json`} />
      <StructuredData value={describeCollection(page, site)} />
    </>
  );
}

function Feed(props: { readonly type: string; readonly title: string; readonly href: string }) {
  return <link rel="alternate" {...props} />;
}

function describeCollection({ category, links }: SharedPage, { origin }: SharedPageSite) {
  return {
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
}

/** Enough for a search engine to see what is collected here; the page itself has them all. */
const LISTED = 10;
