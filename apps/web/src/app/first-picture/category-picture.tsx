import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import type { ComponentProps } from 'react';
import { CategoryHeader } from '../../features/categories/components/category-header.tsx';
import { LinkCard } from '../../features/links/components/link-items.tsx';
import { LinkToolbar } from '../../features/links/components/link-toolbar.tsx';
import { ShareMenu } from '../../features/sharing/components/share-menu.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Star } from '../../shared/ui/star.tsx';
import { CategorySkeleton } from '../organiser/category-page.tsx';

const nothing = () => undefined;

/** What stands where a link's own will: `fillCategory` writes over it, part by part. */
const ANY_LINK = {
  id: '',
  url: 'https://x/',
  title: 'x',
  description: 'x',
  created_at: '2000-01-01T12:00:00Z',
  updated_at: '',
  category_id: '',
  user_id: '',
  added_by_name: null,
};

/** The shape of a category, and a template of it for when its first links are known before the app is here. */
export function CategoryPicture() {
  return (
    <>
      <CategorySkeleton />
      <template data-known>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
          <CategoryHeader
            folderName="x"
            name="x"
            description="x"
            linkCount={0}
            note={null}
            star={
              <IconButton label={FAVORITE_MESSAGES.add} className="-mx-1.5 self-center">
                <Star filled={false} />
              </IconButton>
            }
          />
          <div className="flex flex-col gap-2 max-md:w-full md:items-end">
            <div className="h-8 pointer-coarse:h-11" />
            <LinkToolbar
              view="grid"
              onView={nothing}
              onSelect={nothing}
              onShare={nothing}
              shareMenu={<ShareMenu {...NO_SHARING} />}
              onAdd={nothing}
              covered={false}
            />
          </div>
        </div>
        <ul className="group/links mt-5 grid" data-links>
          <li>
            <LinkCard
              link={ANY_LINK}
              selecting={false}
              selected={false}
              starred={false}
              tabStop={false}
              menuOpen={false}
              renderTags={undefined}
            />
          </li>
        </ul>
      </template>
    </>
  );
}

/** The button alone is drawn; its menu never opens here. */
const NO_SHARING = {
  category: ANY_LINK,
  mode: 'private',
  lock: null,
  beginShow: nothing,
  isAllowed: nothing,
  onGate: nothing,
  onFollow: undefined,
  onMore: nothing,
} as unknown as ComponentProps<typeof ShareMenu>;
