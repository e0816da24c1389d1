import { formatDate } from '@linkoteca/domain/dates';
import type { ReactNode } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';

interface LinkInfoDialogProps {
  readonly open: boolean;
  readonly link: Link;
  readonly categoryName: string;
  readonly tags: readonly string[];
  readonly onClose: () => void;
}

/** Everything that is stored of a link. */
export function LinkInfoDialog({ open, link, categoryName, tags, onClose }: LinkInfoDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Informações do link">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 text-base">
        <Fact name="ID">
          <span className="font-mono text-sm">{link.id.slice(0, 8)}</span>
        </Fact>
        <Fact name="Título">{link.title}</Fact>
        <Fact name="URL">
          <a
            href={link.url}
            target="_blank"
            rel="noopener noreferrer"
            className="break-all text-accent-text underline underline-offset-2"
          >
            {link.url}
          </a>
        </Fact>
        <Fact name="Categoria">{categoryName}</Fact>
        {tags.length > 0 ? <Fact name="Tags">{tags.join(', ')}</Fact> : null}
        {link.description ? (
          <Fact name="Descrição">
            <span className="whitespace-pre-line">{link.description}</span>
          </Fact>
        ) : null}
        {link.added_by_name ? <Fact name="Adicionado por">{link.added_by_name}</Fact> : null}
        <Fact name="Criado em">
          <time dateTime={link.created_at}>{formatDate(link.created_at)}</time>
        </Fact>
        <Fact name="Atualizado em">
          <time dateTime={link.updated_at}>{formatDate(link.updated_at)}</time>
        </Fact>
      </dl>
    </Dialog>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 break-words text-ink">{children}</dd>
    </>
  );
}
