import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../../shared/lib/use-document-title.ts';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { usePageRecord } from '../model/use-page-record.ts';

interface AccessScreenProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly description: ReactNode;
  readonly action: ReactNode;
}

/** Stands in place of a category that is not shown, and says why; search engines keep away. */
export function AccessScreen(props: AccessScreenProps) {
  useDocumentTitle(props.title);
  usePageRecord(null);
  return <EmptyState heading={1} {...props} />;
}
