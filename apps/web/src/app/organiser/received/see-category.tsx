import { useSeeCategory } from '../../../features/categories/api/folder-news.ts';

/** Draws nothing: remembers that the person looks at the category of a shared folder on the screen. */
export function SeeCategory({ categoryId }: { readonly categoryId: string }) {
  useSeeCategory(categoryId);
  return null;
}
