import { BIN_LABEL } from '@linkoteca/domain/messages/bin-labels';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';

interface BinLinkProps {
  readonly collapsed: boolean;
  readonly onNavigate: () => void;
}

/** The way to the bin at the bottom of the sidebar; its icon alone while that is collapsed. */
export function BinLink({ collapsed, onNavigate }: BinLinkProps) {
  return (
    <div className={joinClassNames('shrink-0', collapsed ? 'flex justify-center py-2' : 'p-2')}>
      <Link
        to="/lixeira"
        onClick={onNavigate}
        title={collapsed ? BIN_LABEL : undefined}
        aria-label={collapsed ? BIN_LABEL : undefined}
        className={joinClassNames(
          'flex items-center gap-2.5 rounded text-base text-ink-soft hover:bg-hover hover:text-ink [&_svg]:size-4',
          'aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-text',
          collapsed
            ? 'size-8 justify-center pointer-coarse:size-11'
            : 'h-8 px-3 focus-visible:-outline-offset-2 pointer-coarse:h-11',
        )}
      >
        <Trash2 aria-hidden />
        {collapsed ? null : BIN_LABEL}
      </Link>
    </div>
  );
}
