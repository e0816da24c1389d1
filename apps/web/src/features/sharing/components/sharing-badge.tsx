import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import type { SharingMode } from '@linkoteca/domain/sharing';
import { Globe, Lock } from 'lucide-react';
import { Badge } from '../../../shared/ui/badge.tsx';

/** How a category is shared, beside its name; nothing for a private one. */
export function SharingBadge({ mode }: { readonly mode: SharingMode }) {
  if (mode === 'private') return null;
  return mode === 'public' ? (
    <Badge>
      <Globe aria-hidden />
      {SHARING_WORDS.publicBadge}
    </Badge>
  ) : (
    <Badge>
      <Lock aria-hidden />
      {SHARING_WORDS.restrictedBadge}
    </Badge>
  );
}
