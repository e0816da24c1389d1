import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { MissingCodeError } from '../shared/lib/missing-code-error.ts';

/**
 * A route's component that comes when it is needed. The router reloads the page by itself when a script is missing;
 * that would throw away what somebody types, and shows nothing at all without network. So it is told another error.
 */
export function lazyPage<Module extends Record<Name, ComponentType>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new MissingCodeError(error);
      }),
    name,
  );
}
