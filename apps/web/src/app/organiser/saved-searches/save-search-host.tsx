import { Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import type { SaveSearchProps } from './save-search.tsx';

const SaveSearch = lazyPart(
  () => import('./save-search.tsx'),
  (module) => module.SaveSearch,
);

/** 'Guardar busca', once its code is there: results do not wait for it. */
export function SaveSearchHost(props: SaveSearchProps) {
  return (
    <Suspense>
      <SaveSearch {...props} />
    </Suspense>
  );
}
