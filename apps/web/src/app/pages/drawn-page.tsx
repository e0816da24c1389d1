import { DRAWN_PAGE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ErrorScreen } from '../../shared/ui/feedback/error-screen.tsx';
import { FullScreenSpinner } from '../../shared/ui/feedback/full-screen-spinner.tsx';

interface DrawnPageProps {
  /** What stands here where the server has no such page; an offer to try again unless given. */
  readonly otherwise?: ReactNode;
}

/**
 * A page that the server has drawn, reached by a link of the app: the document is asked for anew. Once only: where the
 * app itself is what the server answers with (no network, or a host of plain files), asking again would never end.
 */
export function DrawnPage({ otherwise }: DrawnPageProps) {
  // Of this route: on the way to another page the location is that page's already.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const isAnswered = isDocumentOf(pathname);
  useEffect(() => {
    // Not a reload: that would leave the step back to this document, which then is no longer there.
    if (!isAnswered) window.location.replace(pathname);
  }, [isAnswered, pathname]);
  if (!isAnswered) return <FullScreenSpinner />;
  return (
    otherwise ?? <ErrorScreen {...DRAWN_PAGE_MESSAGES.missing} onRetry={() => window.location.reload()} />
  );
}

/** Whether the open document came as the answer to this very address. */
function isDocumentOf(pathname: string): boolean {
  const [opened] = performance.getEntriesByType?.('navigation') ?? [];
  return opened === undefined || new URL(opened.name, window.location.href).pathname === pathname;
}
