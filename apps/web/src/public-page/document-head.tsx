import type { ReactNode } from 'react';
import type { PageAssets } from './page-assets.ts';

interface DocumentHeadProps {
  readonly title: string;
  readonly assets: Pick<PageAssets, 'css' | 'headScript'>;
  readonly children?: ReactNode;
}

const FONT = /url\(["']?([^"')]+\.woff2)["']?\)/;

/** What every page's head has: the words first, for readers who stop early, then the style. */
export function DocumentHead({ title, assets, children }: DocumentHeadProps) {
  const font = FONT.exec(assets.css)?.[1];
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{title}</title>
      {children}
      <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#0e0f12" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
      {font ? <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" /> : null}
      <script>{assets.headScript}</script>
      <style>{assets.css}</style>
    </head>
  );
}
