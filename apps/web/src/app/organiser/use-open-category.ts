import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ShownLink } from '../../features/links/model/use-shown-link.ts';
import { afterPaint } from '../../shared/lib/browser/after-paint.ts';
import { createId } from '../../shared/lib/writes/create-id.ts';

/** The id of the category on the screen, by path or by the dashboard's parameter; null on every other page. */
export function useOpenCategoryId(): string | null {
  const { categoryId } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return categoryId ?? search.categoryId ?? null;
}

/**
 * Goes to a category, and there to one of its links if that is what was chosen. The frame of the press is painted first:
 * drawing a screen of links takes a slow phone several frames.
 */
export function useOpenCategory(): (categoryId: string, linkId?: string | null) => void {
  const navigate = useNavigate();
  const openId = useOpenCategoryId();
  return (categoryId, linkId = null) => {
    const place = { to: '/category/$categoryId', params: { categoryId } } as const;
    afterPaint(() => {
      if (linkId === null) void navigate(place);
      // Not in the address: that is the category's, to be kept and passed on.
      else
        void navigate({
          ...place,
          replace: categoryId === openId,
          state: { shownLink: { id: linkId, choice: createId() } },
        });
    });
  };
}

/** The link to show in the category on the screen. */
export function useShownLinkChoice(): ShownLink | null {
  return useLocation({ select: ({ state }) => state.shownLink ?? null });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Which link of the category was chosen. */
    shownLink?: ShownLink;
  }
}
