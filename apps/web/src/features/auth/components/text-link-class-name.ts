/** Class names of a link inside or beside text. */
export const textLinkClassName =
  'rounded-sm font-medium text-accent-text underline decoration-edge-soft underline-offset-3 hover:decoration-accent';
