import { SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import { useEffect } from 'react';
import { usePageRecord } from '../../features/sharing/model/use-page-record.ts';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { LimitedAccessScreen } from '../organiser/limited-access-screen.tsx';
import { useReceivedLimitToast } from '../organiser/use-received-limit-toast.ts';

/** A category that one was invited to, and that the free plan does not open: only one share is. */
export function SharedLimit({ categoryId }: { readonly categoryId: string }) {
  const tell = useReceivedLimitToast();
  useDocumentTitle(SHARING_MESSAGES.limitedAccess);
  usePageRecord(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, when the screen appears
  useEffect(() => tell(), []);
  return <LimitedAccessScreen categoryId={categoryId} />;
}
