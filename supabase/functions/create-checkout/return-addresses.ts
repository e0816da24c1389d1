/** Where the provider's pages lead back to. */
export type ReturnAddresses = {
  readonly success: string;
  readonly canceled: string;
  /** Neither bought nor given up. */
  readonly plain: string;
};

/** `?success=true` and `?canceled=true` (specification, section 4), beside the query that is there. */
export function writeReturnAddresses(page: URL): ReturnAddresses {
  const write = (outcome?: 'success' | 'canceled') => {
    const url = new URL(page);
    url.searchParams.delete('success');
    url.searchParams.delete('canceled');
    if (outcome) url.searchParams.set(outcome, 'true');
    return url.href;
  };
  return { success: write('success'), canceled: write('canceled'), plain: write() };
}
