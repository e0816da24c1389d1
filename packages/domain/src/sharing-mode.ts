/** Who sees a category besides its owner: nobody, whoever has its address, or the people on its list. */
export type SharingMode = 'private' | 'public' | 'restricted';

/** Addresses a category takes at most; the database refuses more. */
export const MAX_INVITED = 100;

/** Public wins: a public category has no list. */
export function sharingModeOf(category: {
  readonly is_public: boolean;
  readonly is_restricted: boolean;
}): SharingMode {
  if (category.is_public) return 'public';
  return category.is_restricted ? 'restricted' : 'private';
}

/** The address that is handed on (specification, section 9): it stays the same whatever the category is called. */
export function sharedLink(origin: string, categoryId: string): string {
  return `${origin}/shared/${categoryId}`;
}
