import type { QueryClient } from '@tanstack/react-query';

/** Whose screens are kept true, and where they are cached. */
export interface LiveScope {
  readonly queryClient: QueryClient;
  readonly userId: string;
  /** Lower case; '' for a person without one, who receives nothing. */
  readonly email: string;
}
