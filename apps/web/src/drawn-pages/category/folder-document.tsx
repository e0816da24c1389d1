import { formatDate } from '@linkoteca/domain/dates';
import {
  countLinks,
  describePublicFolder,
  describePublicTitle,
  nameOwner,
  PUBLIC_PAGE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/public-page-messages';
import {
  type SharedFolder,
  type SharedPageSite,
  sharedFolderPath,
  sharedPath,
} from '@linkoteca/domain/sharing';
import { PageBar } from '../../views/page-bar.tsx';
import { FootLinks, Invitation } from '../../views/page-foot.tsx';
import { SharedHead } from '../../views/shared-head.tsx';
import {
  type DocumentAssets,
  DrawnDocument,
  PagePreview,
  PlainLink,
  StructuredData,
} from '../drawn-document.tsx';
import { ZONE } from './link-items.tsx';
import { HEAD_LOOK } from './page-content.tsx';

interface FolderDocumentProps {
  readonly folder: SharedFolder;
  readonly site: SharedPageSite;
  readonly assets: DocumentAssets;
}

/** The whole page of a public folder: its public categories, by name. */
export function FolderDocument({ folder, site, assets }: FolderDocumentProps) {
  const categories = folder.categories.toSorted((one, other) => one.name.localeCompare(other.name, 'pt-BR'));
  return (
    <DrawnDocument
      title={describePublicTitle(folder.name)}
      assets={assets}
      head={<FolderMetadata folder={folder} site={site} />}
    >
      <div className="flex min-h-dvh flex-col bg-paper">
        <PageBar link={PlainLink} readers={['visitor', 'member']} />
        <main className="mx-auto w-full max-w-page flex-1 px-4 py-6 md:px-8 md:py-10">
          <SharedHead
            name={folder.name}
            description={null}
            owner={folder.owner_name}
            linkCount={countAll(folder)}
            updatedAt={lastChange(folder)}
            timeZone={ZONE}
            look={HEAD_LOOK}
            actions={null}
          />
          <ul aria-label={TEXT.categories} className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
            {categories.map((category) => (
              <li
                key={category.id}
                className="relative flex min-w-0 flex-col gap-1 rounded-lg border border-line bg-surface p-4 transition-colors hover:border-edge-soft"
              >
                <h2 className="text-lg font-semibold text-ink">
                  <a
                    href={sharedPath(category)}
                    dir="auto"
                    className="wrap-anywhere after:absolute after:inset-0"
                  >
                    {category.name}
                  </a>
                </h2>
                {category.description ? (
                  <p dir="auto" className="line-clamp-3 text-base text-ink-soft">
                    {category.description}
                  </p>
                ) : null}
                <p className="mt-auto pt-1 text-sm text-ink-faint tabular-nums">
                  {`${countLinks(category.link_count)} · ${formatDate(category.updated_at, ZONE)}`}
                </p>
              </li>
            ))}
          </ul>
        </main>
        <footer data-print="hide" className="mx-auto w-full max-w-page px-4 pb-8 md:px-8">
          <Invitation
            link={PlainLink}
            from="/dashboard"
            className="flex-col items-start bg-sunken md:flex-row md:items-center md:justify-between md:p-6"
          />
          <FootLinks link={PlainLink} className="mt-6" />
        </footer>
      </div>
    </DrawnDocument>
  );
}

/** What search engines and chats are told. */
function FolderMetadata({ folder, site: { origin } }: Pick<FolderDocumentProps, 'folder' | 'site'>) {
  const address = `${origin}${sharedFolderPath(folder)}`;
  const description = describePublicFolder(folder);
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <PagePreview
        title={folder.name}
        description={description}
        address={address}
        picture={`${address}/image.png?v=${Date.parse(lastChange(folder))}-${countAll(folder)}`}
        pictureAlt={folder.name}
      />
      <StructuredData
        value={{
          '@type': 'CollectionPage',
          name: folder.name,
          description,
          url: address,
          inLanguage: 'pt-BR',
          dateModified: lastChange(folder),
          author: { '@type': 'Person', name: nameOwner(folder.owner_name) },
          hasPart: folder.categories.map((category) => ({
            '@type': 'CollectionPage',
            name: category.name,
            url: `${origin}${sharedPath(category)}`,
          })),
        }}
      />
    </>
  );
}

function countAll({ categories }: SharedFolder): number {
  return categories.reduce((sum, { link_count }) => sum + link_count, 0);
}

/** ISO 8601, as the database writes them: all in one zone. */
function lastChange({ categories }: SharedFolder): string {
  return (
    categories
      .map(({ updated_at }) => updated_at)
      .toSorted()
      .at(-1) ?? ''
  );
}
