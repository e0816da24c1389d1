import type { SyntheticEvent } from 'react';
import { useMemo } from 'react';
import { usePrefetchCategory } from './use-prefetch-category.ts';

/** Handlers for the element around any number of rows and cards that say `data-category={id}`. */
export function useCategoryIntent() {
  const prefetch = usePrefetchCategory();
  return useMemo(() => {
    const rest = (event: SyntheticEvent) => prefetch(categoryAt(event));
    return {
      onPointerOver: rest,
      onPointerLeave: () => prefetch(null),
      onFocus: rest,
      onBlur: () => prefetch(null),
      // A finger that is down opens the category in a tenth of a second: no time to lose.
      onTouchStart: (event: SyntheticEvent) => prefetch(categoryAt(event), 0),
    };
  }, [prefetch]);
}

function categoryAt({ target }: SyntheticEvent): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest<HTMLElement>('[data-category]')?.dataset['category'] ?? null;
}
