import { useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { DashboardPage } from '../organiser/dashboard-page.tsx';

const CategoryPage = lazyPart(
  () => import('../organiser/category-page.tsx'),
  (module) => module.CategoryPage,
);

/** /dashboard; with ?categoryId= it shows that category. */
export function DashboardRoute() {
  const { categoryId } = useSearch({ from: '/shell/dashboard' });
  if (!categoryId) return <DashboardPage />;
  return (
    <Suspense>
      <CategoryPage key={categoryId} categoryId={categoryId} />
    </Suspense>
  );
}
