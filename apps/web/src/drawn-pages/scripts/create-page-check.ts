interface PageCheckDeps {
  readonly document: Document;
  /** Asks for the page again; rejects without a network. */
  readonly request: () => Promise<Response>;
  /** The category is no longer public. */
  readonly leave: () => void;
}

/**
 * What looks whether the page still is what it shows, and exchanges its content where it is not. One request at a time: what
 * is asked meanwhile is asked once more afterwards. Errors of the network change nothing.
 */
export function createPageCheck({ document, request, leave }: PageCheckDeps): () => Promise<void> {
  let tag: string | null = null;
  let known = document.getElementById('content')?.outerHTML;
  let underWay = false;
  let askedAgain = false;

  const look = async () => {
    const response = await request();
    if (response.status === 404) return leave();
    const given = response.headers.get('etag');
    if (!response.ok || (given !== null && given === tag)) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const content = fresh.getElementById('content');
    // Something else answered, a proxy's own page perhaps: the next look will tell.
    if (content === null) return;
    tag = given;
    if (content.outerHTML === known) return;
    known = content.outerHTML;
    exchange(document, content);
    document.title = fresh.title;
  };

  return async () => {
    askedAgain = underWay;
    if (underWay) return;
    underWay = true;
    try {
      do {
        askedAgain = false;
        await look();
      } while (askedAgain);
    } catch {
      // No network: what is shown stays until somebody answers.
    } finally {
      underWay = false;
    }
  };
}

/** Puts the new content in place; whoever stood on a link stands on it again. */
function exchange(document: Document, content: HTMLElement): void {
  const focused = document.activeElement?.getAttribute('href');
  document.getElementById('content')?.replaceWith(document.adoptNode(content));
  if (!focused) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#content a')];
  links.find((link) => link.getAttribute('href') === focused)?.focus({ preventScroll: true });
}
