/** One category with its links. */
export function CategoryPage(_props: { readonly categoryId: string }) {
  return null;
}
