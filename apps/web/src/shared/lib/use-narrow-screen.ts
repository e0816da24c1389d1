import { useMediaQuery } from './use-media-query.ts';

/** True under 768 px: the sidebar is a drawer and dialogs are sheets. */
export function useNarrowScreen(): boolean {
  return useMediaQuery('(width < 48rem)');
}
