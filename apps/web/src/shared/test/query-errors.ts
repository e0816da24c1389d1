import { getConfig } from '@testing-library/react';

/** What the library itself says of a query that finds nothing, with the document printed below. */
const { getElementError } = getConfig();

/**
 * The same, but without the document while the query goes on waiting: it looks at every change, and printing all that is
 * there each time takes longer than the app does. When it gives up, its error comes here once more and is printed.
 */
export function describeMissing(message: string | null, container: Element): Error {
  if (Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') !== true)
    return getElementError(message, container);
  const error = new Error(message ?? '');
  // By this name the library knows its own errors, and points at the line of the test.
  error.name = 'TestingLibraryElementError';
  return error;
}
