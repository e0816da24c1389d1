const keyOf = (categoryId: string) => `linkoteca-page-proof-${categoryId}`;

/** The proof of a page's password that this tab has been given. Where nothing can be kept there is none after a reload. */
function readPageProof(categoryId: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(categoryId));
  } catch {
    return null;
  }
}

/** Keeps the proof as long as the tab lives; the database ends it sooner (`private.page_proofs`). */
export function keepPageProof(categoryId: string, proof: string): void {
  try {
    sessionStorage.setItem(keyOf(categoryId), proof);
  } catch {
    // Private windows may refuse: the password is asked for again.
  }
}

/** Sends the proof along with every request about a page. */
export function sendPageProof(
  categoryId: string,
  request: typeof fetch = (input, init) => fetch(input, init),
): typeof fetch {
  return (input, init) => {
    const proof = readPageProof(categoryId);
    if (proof === null) return request(input, init);
    const headers = new Headers(init?.headers);
    headers.set('x-page-proof', proof);
    return request(input, { ...init, headers });
  };
}
