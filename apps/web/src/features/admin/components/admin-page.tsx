import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';

interface AdminPageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** At the title's right. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Title and content of a page of the admin area. */
export function AdminPage({ title, lead, aside, children }: AdminPageProps) {
  useDocumentTitle(title);
  return (
    <div className="admin-page">
      <header>
        <div>
          <h1>{title}</h1>
          {lead ? <p className="admin-soft">{lead}</p> : null}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}
