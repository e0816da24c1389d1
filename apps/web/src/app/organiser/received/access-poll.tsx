import { useAccessPoll } from '../../../features/categories/api/use-access-poll.ts';

/** Draws nothing: looks whether the received category on the screen may still be read. Its code comes where somebody receives one. */
export function AccessPoll({ categoryId }: { readonly categoryId: string }) {
  useAccessPoll(categoryId);
  return null;
}
