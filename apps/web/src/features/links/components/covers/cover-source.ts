import { createContext } from 'react';

interface CoverSource {
  readonly categoryId: string;
  /** Whose links they are, if they are the viewer's own: only then are missing covers fetched. */
  readonly ownerId: string | null;
}

/** What all covers of a list have in common; the cards get nothing but their link. */
export const CoverSourceContext = createContext<CoverSource>({ categoryId: '', ownerId: null });
