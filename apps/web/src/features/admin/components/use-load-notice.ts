import { useEffect } from 'react';
import { useAdminNotice } from './admin-notices.tsx';

/** Shows a notice each time a read has failed; what is on the screen stays, or stays empty. */
export function useLoadNotice(
  query: { readonly isError: boolean; readonly errorUpdatedAt: number },
  text: string,
): void {
  const show = useAdminNotice();
  const { isError, errorUpdatedAt } = query;
  useEffect(() => {
    if (isError && errorUpdatedAt > 0) show('danger', text);
  }, [isError, errorUpdatedAt, show, text]);
}
