import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/messages/public-page-messages';
import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { SiteLinkProps } from '../views/site-link.ts';

/** What the build makes of a page's style and first script: written into the page, so that nothing has to be fetched first. */
export interface DocumentAssets {
  readonly css: string;
  /** Before the first paint: the fixed theme, and whether somebody is signed in. */
  readonly headScript: string;
}

interface DrawnDocumentProps {
  readonly title: string;
  readonly assets: DocumentAssets;
  /** What the page's scripts read at the root element. */
  readonly data?: { readonly [name: `data-${string}`]: string };
  /** What search engines, chats and feed readers are told. */
  readonly head: ReactNode;
  readonly children: ReactNode;
}

const FONT = /url\(["']?([^"')]+\.woff2)["']?\)/;

/** A whole page. In its head the words stand first, for readers who stop early, then the style. */
export function DrawnDocument({ title, assets, data, head, children }: DrawnDocumentProps) {
  const font = FONT.exec(assets.css)?.[1];
  return (
    <html lang="pt-BR" {...data}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{title}</title>
        {head}
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e0f12" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        {font ? <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" /> : null}
        <script>{assets.headScript}</script>
        <style>{assets.css}</style>
      </head>
      <body>{children}</body>
    </html>
  );
}

/** @param document a `DrawnDocument`. */
export function drawDocument(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}

/** The page in the words of schema.org, for search engines; nothing in it may end the script element. */
export function StructuredData({ value }: { readonly value: object }) {
  return (
    <script type="application/ld+json">
      {JSON.stringify({ '@context': 'https://schema.org', ...value }).replaceAll('<', '\\u003c')}
    </script>
  );
}

interface PagePreviewProps {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  /** Address of a PNG, 1200 × 630. */
  readonly picture: string;
  readonly pictureAlt: string;
}

/** What chats and networks show of a page. */
export function PagePreview({ title, description, address, picture, pictureAlt }: PagePreviewProps) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={TEXT.siteName} />
      <meta property="og:locale" content="pt_BR" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={pictureAlt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** A link of the site, as a drawn page has it. */
export function PlainLink({ to, from, ...look }: SiteLinkProps) {
  return <a href={from === undefined ? to : `${to}?from=${encodeURIComponent(from)}`} {...look} />;
}
