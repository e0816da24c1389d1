import { describePublicTitle, PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { Logo } from '../shared/ui/logo.tsx';
import { DocumentHead } from './document-head.tsx';
import type { PageAssets } from './page-assets.ts';

interface NoticeDocumentProps {
  readonly kind: 'missing' | 'unavailable';
  readonly assets: PageAssets;
}

/** A page that says why there is none. */
export function NoticeDocument({ kind, assets }: NoticeDocumentProps) {
  const title = TEXT[kind];
  return (
    <html lang="pt-BR">
      <DocumentHead title={describePublicTitle(title)} assets={assets}>
        <meta name="robots" content="noindex" />
      </DocumentHead>
      <body>
        <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-2 px-6 py-8 text-center">
          <Logo className="mb-4" />
          <h1 className="text-xl font-semibold tracking-tight text-ink">{title}</h1>
          <p className="text-base text-ink-soft">
            {kind === 'missing' ? TEXT.missingHint : TEXT.unavailableHint}
          </p>
          {kind === 'unavailable' ? (
            // Asks for the same address once more.
            <form className="mt-4">
              <button type="submit" className={buttonClassName('secondary', 'large')}>
                {TEXT.retry}
              </button>
            </form>
          ) : null}
        </main>
      </body>
    </html>
  );
}
