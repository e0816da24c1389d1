import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { DashboardPage } from '../organiser/dashboard-page.tsx';

const CategoryPage = lazy(() =>
  import('../organiser/category-page.tsx').then(({ CategoryPage }) => ({ default: CategoryPage })),
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
