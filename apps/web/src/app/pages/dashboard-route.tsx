import { useSearch } from '@tanstack/react-router';
import { CategoryPage } from '../organiser/category-page.tsx';
import { DashboardPage } from '../organiser/dashboard-page.tsx';

/** /dashboard; with ?categoryId= it shows that category. */
export function DashboardRoute() {
  const { categoryId } = useSearch({ from: '/shell/dashboard' });
  return categoryId ? <CategoryPage key={categoryId} categoryId={categoryId} /> : <DashboardPage />;
}
