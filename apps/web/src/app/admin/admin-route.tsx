import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';

/** Stands between the router's table and the area: what the area is made of is not listed in everybody's first download. */
export const AdminRoute = lazyPart(
  () => import('./admin-area.tsx'),
  (module) => module.AdminArea,
);
