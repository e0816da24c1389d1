import { useParams } from '@tanstack/react-router';
import { CategoryPage } from '../organiser/category-page.tsx';

/** /category/:categoryId; each category starts with fresh state. */
export function CategoryRoute() {
  const { categoryId } = useParams({ from: '/shell/category/$categoryId' });
  return <CategoryPage key={categoryId} categoryId={categoryId} />;
}
