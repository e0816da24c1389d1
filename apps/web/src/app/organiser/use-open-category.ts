import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

/** The id of the category on the screen, by path or by the dashboard's parameter; null on every other page. */
export function useOpenCategoryId(): string | null {
  const { categoryId } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  return categoryId ?? search.categoryId ?? null;
}

/** Goes to a category. */
export function useOpenCategory(): (categoryId: string) => void {
  const navigate = useNavigate();
  return (categoryId) => void navigate({ to: '/category/$categoryId', params: { categoryId } });
}
