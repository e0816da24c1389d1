import { useEffect } from 'react';

/** What search engines are told of the page: its one address where it is public, and to keep away everywhere else. */
export function usePageRecord(canonicalPath: string | null): void {
  useEffect(() => {
    const element = document.createElement(canonicalPath === null ? 'meta' : 'link');
    if (element instanceof HTMLLinkElement) {
      element.rel = 'canonical';
      element.href = `${window.location.origin}${canonicalPath}`;
    } else {
      element.setAttribute('name', 'robots');
      element.setAttribute('content', 'noindex');
    }
    document.head.append(element);
    return () => element.remove();
  }, [canonicalPath]);
}
