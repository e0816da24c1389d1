import { describeArrival } from '@linkoteca/domain/messages/arrival-messages';
import { normalizeUrl, readHost } from '@linkoteca/domain/urls';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';

/** What was pasted or shared before there was an account is not lost: it is said so while the form asks for other things. */
export function WaitingLink({ from = '' }: { readonly from: string | undefined }) {
  if (!from.startsWith('/share-target?')) return null;
  const shared = new URLSearchParams(from.slice(from.indexOf('?')));
  const host = readHost(normalizeUrl(shared.get('url') ?? shared.get('text') ?? '') ?? '');
  return (
    <div className="mb-5">
      <Notice tone="success">{describeArrival(host)}</Notice>
    </div>
  );
}
