import { describePublicTitle } from '@linkoteca/domain/messages/public-page-messages';
import { SITE_PAGE_MARKS, type SitePageName } from '@linkoteca/domain/sharing';
import type { ReactNode } from 'react';
import { PageBar } from '../../../views/page-bar.tsx';
import { PlainLink } from '../../drawn-document.tsx';
import { type SiteAssets, SiteDocument, SiteFoot } from '../site-document.tsx';

export interface LegalSection {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface LegalDocumentProps {
  readonly name: SitePageName;
  readonly title: string;
  readonly description: string;
  /** The page in a few sentences, for people who read no further. */
  readonly summary: readonly string[];
  readonly sections: readonly LegalSection[];
  readonly assets: SiteAssets;
}

/** A page of legal text: in short, a list of its sections, and the sections, numbered. */
export function LegalDocument({ name, title, description, summary, sections, assets }: LegalDocumentProps) {
  return (
    <SiteDocument name={name} title={describePublicTitle(title)} description={description} assets={assets}>
      {/* The way back leads whoever is signed in on to their links, and shows the form if the saved sign-in is dead. */}
      <PageBar link={PlainLink} readers={['visitor', 'member']} back="/login" />
      <main id="content" className="mx-auto max-w-page gap-x-16 px-6 py-10 md:px-8 md:py-16 lg:flex">
        <nav aria-label="Nesta página" data-print="hide" className="w-64 shrink-0 max-lg:hidden">
          <ol className="sticky top-8 text-sm text-ink-soft">
            {sections.map(({ id, title: heading }, index) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block rounded-sm py-2 hover:text-ink hover:underline pointer-coarse:py-3.5"
                >
                  {index + 1}. {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <article className="legal min-w-0 max-w-prose text-lg text-ink-soft">
          <h1 className="display text-2xl text-ink">{title}</h1>
          <p className="mt-2 text-base text-ink-faint">
            Última atualização: <time dateTime="2025-05-11">11 de maio de 2025</time>
          </p>
          <div className="mt-8 rounded-lg border border-line bg-surface p-5">
            <p className="font-semibold text-ink">Em poucas palavras</p>
            <ul className="mt-2">
              {summary.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </div>
          {sections.map(({ id, title: heading, content }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className="below">
              <h2 id={`${id}-title`} className="mt-10 text-xl font-semibold text-ink">
                {index + 1}. {heading}
              </h2>
              {content}
            </section>
          ))}
        </article>
      </main>
      <SiteFoot current={name} />
    </SiteDocument>
  );
}

/** Where people write to; the installation fills it in. */
export function SupportAddress() {
  return <a href={`mailto:${SITE_PAGE_MARKS.support}`}>{SITE_PAGE_MARKS.support}</a>;
}
