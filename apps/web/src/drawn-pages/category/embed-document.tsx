import {
  countLinks,
  describePublicTitle,
  nameOwner,
  PUBLIC_PAGE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/public-page-messages';
import { describeOwner } from '@linkoteca/domain/messages/sharing-messages';
import { type SharedPage, type SharedPageSite, sharedPath } from '@linkoteca/domain/sharing';
import { type DocumentAssets, DrawnDocument } from '../drawn-document.tsx';
import { LinkRow } from './link-items.tsx';

interface EmbedDocumentProps {
  readonly page: SharedPage;
  readonly site: SharedPageSite;
  readonly assets: DocumentAssets;
}

/** The category inside another site's frame: a heading, the newest links, the way to the page. No script of its own. */
export function EmbedDocument({ page: { category, links }, site, assets }: EmbedDocumentProps) {
  const address = `${site.origin}${sharedPath(category)}`;
  return (
    <DrawnDocument
      title={describePublicTitle(category.name)}
      assets={assets}
      head={<link rel="canonical" href={address} />}
    >
      <main className="p-3">
        <div className="mb-3 flex items-center justify-between gap-3">
          <div className="min-w-0">
            <h1 dir="auto" className="truncate text-lg font-semibold text-ink">
              {category.name}
            </h1>
            <p className="truncate text-xs text-ink-faint">
              <bdi>{describeOwner(nameOwner(category.owner_name))}</bdi> · {countLinks(category.link_count)}
            </p>
          </div>
          <a
            href={address}
            target="_blank"
            rel="noopener"
            className="shrink-0 rounded text-sm font-medium text-accent-text hover:underline"
          >
            {TEXT.openPage}
          </a>
        </div>
        {links.length === 0 ? (
          <p className="py-8 text-center text-base text-ink-soft">{TEXT.empty}</p>
        ) : (
          <ul className="overflow-hidden rounded-lg border border-line bg-surface">
            {links.map((link) => (
              <LinkRow key={link.id} link={link} />
            ))}
          </ul>
        )}
      </main>
    </DrawnDocument>
  );
}
