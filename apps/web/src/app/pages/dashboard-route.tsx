import { useRouter, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { DashboardPage } from '../organiser/dashboard-page.tsx';
import { keepArrival, takeArrival } from './kept-arrival.ts';

const CategoryPage = lazyPart(
  () => import('../organiser/category-page.tsx'),
  (module) => module.CategoryPage,
);

/** /dashboard; with ?categoryId= it shows that category. */
export function DashboardRoute() {
  const { categoryId } = useSearch({ from: '/shell/dashboard' });
  useOfferArrival();
  if (!categoryId) return <DashboardPage />;
  return (
    <Suspense>
      <CategoryPage key={categoryId} categoryId={categoryId} />
    </Suspense>
  );
}

/** Goes on with what was shared while nobody was signed in. */
function useOfferArrival(): void {
  const { history } = useRouter();
  useEffect(() => {
    const arrival = takeArrival();
    if (arrival === null) return;
    const { href, isShared } = arrival;
    if (isShared) keepArrival(href, true);
    // In front: what a page wrote may end in a fragment.
    history.replace(isShared ? href : href.replace('?', '?asks=1&'));
  }, [history]);
}
