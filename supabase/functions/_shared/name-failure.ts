/** What a failure is called, for the log: the provider's sentences may repeat what a person typed. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { type } = error as { readonly type?: unknown };
  return typeof type === 'string' ? type : error.name;
}
