const keyOf = (categoryId: string) => `linkoteca-page-proof-${categoryId}`;

/** Proofs that the browser refused to keep: they last until a reload. */
const inMemory = new Map<string, string>();

/** The proof of a page's password that this tab has been given. */
function readPageProof(categoryId: string): string | null {
  const proof = inMemory.get(categoryId);
  if (proof !== undefined) return proof;
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
    inMemory.delete(categoryId);
  } catch {
    // Private windows may refuse.
    inMemory.set(categoryId, proof);
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
