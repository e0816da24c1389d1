import { useNavigate, useRouter } from '@tanstack/react-router';
import { useOpenCategoryId } from './use-open-category.ts';

/**
 * Goes to the dashboard when the category on the screen is one of those that are going.
 * @returns the way back, for when they return: it opens the category again if the person is still where they were
 * sent, and does nothing where none was left.
 */
export function useLeaveCategory(): (ids: readonly string[]) => () => void {
  const openCategoryId = useOpenCategoryId();
  const navigate = useNavigate();
  const router = useRouter();
  return (ids) => {
    const categoryId = ids.find((id) => id === openCategoryId);
    if (categoryId === undefined) return () => undefined;
    void navigate({ to: '/dashboard' });
    return () => {
      const { pathname, search } = router.state.location;
      if (pathname !== '/dashboard' || search.categoryId !== undefined) return;
      void navigate({ to: '/category/$categoryId', params: { categoryId } });
    };
  };
}
