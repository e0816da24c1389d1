import { sharedPath } from '@linkoteca/domain/shared-address';
import { sharedEmbedSnippet } from '@linkoteca/domain/shared-embed';
import { SHARING_DIALOG_MESSAGES } from '@linkoteca/domain/sharing-dialog-messages';
import { type SharingMode, sharedLink } from '@linkoteca/domain/sharing-mode';
import { SHARING_WORDS } from '@linkoteca/domain/sharing-words';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { CopyField } from './copy-field.tsx';

interface ShareAddressesProps {
  readonly category: { readonly id: string; readonly name: string };
  readonly mode: Exclude<SharingMode, 'private'>;
  /** False while nobody but the owner gets anywhere by it. */
  readonly live: boolean;
}

/** The link to hand on; for public categories, quietly, the readable address and, where the host draws them, the markup for other sites. */
export function ShareAddresses({ category, mode, live }: ShareAddressesProps) {
  const words = SHARING_DIALOG_MESSAGES;
  const { origin } = window.location;
  const { publicPagesDrawn } = useBackend().config;
  const meaning = mode === 'public' ? words.linkPublic : words.linkRestricted;
  return (
    <div className="flex flex-col gap-3">
      <CopyField
        label={words.linkField}
        value={sharedLink(origin, category.id)}
        action={SHARING_WORDS.copy}
        hint={live ? meaning : words.linkAfterSave}
      />
      {mode === 'public' ? (
        <details>
          <summary className="cursor-pointer rounded py-1.5 text-sm text-ink-soft hover:text-ink">
            {publicPagesDrawn ? words.extras : words.readable}
          </summary>
          <div className="mt-2 flex flex-col gap-3">
            <CopyField
              label={words.readable}
              value={`${origin}${sharedPath(category)}`}
              action="Copiar endereço"
            />
            {publicPagesDrawn ? (
              <CopyField
                label={words.embed}
                value={sharedEmbedSnippet(origin, category)}
                action={words.copyEmbed}
              />
            ) : null}
          </div>
        </details>
      ) : null}
    </div>
  );
}
