import { sharedPath } from '@linkoteca/domain/shared-address';
import { useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSharedCategory, type ViewedCategory } from '../../features/sharing/api/read-shared-category.ts';
import { useSharedChanges } from '../../features/sharing/api/use-shared-changes.ts';
import { SharedHeader } from '../../features/sharing/components/shared-header.tsx';
import { judgeViewing } from '../../features/sharing/model/judge-viewing.ts';
import { usePageRecord } from '../../features/sharing/model/use-page-record.ts';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { DeniedScreen, MissingScreen } from './access-screens.tsx';
import { SharedActions } from './shared-actions.tsx';
import { SharedLimit } from './shared-limit.tsx';
import { SharedLinks, useLinkView } from './shared-links.tsx';
import { SharedSkeleton } from './shared-skeleton.tsx';
import { useLeaveShared } from './use-leave-shared.ts';

interface SharedPageProps {
  readonly categoryId: string;
  /** It was on the screen, elsewhere, until access ended. */
  readonly cameRevoked: boolean;
  readonly cameToCopy: boolean;
}

/** A shared category, or why it is not shown: checked at once, again when something changes, and every 3 s. */
export function SharedPage({ categoryId, cameRevoked, cameToCopy }: SharedPageProps) {
  const { address } = useParams({ from: '/shared/$address' });
  const { data, isLoadingError } = useSharedCategory(categoryId);
  useSharedChanges(categoryId);
  const wasGranted = useRef(cameRevoked);
  const viewing = judgeViewing({ category: data, failed: isLoadingError, wasGranted: wasGranted.current });
  if (viewing.state === 'granted') wasGranted.current = true;
  useLeaveShared(viewing.state);

  switch (viewing.state) {
    case 'granted':
      return <Granted categoryId={categoryId} category={viewing.category} cameToCopy={cameToCopy} />;
    case 'limited':
      return <SharedLimit categoryId={categoryId} />;
    case 'missing':
      return <MissingScreen categoryId={categoryId} />;
    case 'denied':
      return <DeniedScreen categoryId={categoryId} from={`/shared/${encodeURIComponent(address)}`} />;
    default:
      return <SharedSkeleton />;
  }
}

interface GrantedProps {
  readonly categoryId: string;
  readonly category: ViewedCategory;
  readonly cameToCopy: boolean;
}

function Granted({ categoryId, category, cameToCopy }: GrantedProps) {
  const [view, setView] = useLinkView();
  const { name, linkCount, standing } = category;
  useDocumentTitle(name);
  usePageRecord(standing === 'public' ? sharedPath({ id: categoryId, name }) : null);
  return (
    <>
      <SharedHeader
        category={category}
        actions={
          <SharedActions
            category={{ id: categoryId, name }}
            isOwn={standing === 'owner'}
            cameToCopy={cameToCopy}
            view={view}
            onView={setView}
          />
        }
      />
      <div className="mt-5">
        <SharedLinks category={{ id: categoryId, name, linkCount }} view={view} />
      </div>
    </>
  );
}
