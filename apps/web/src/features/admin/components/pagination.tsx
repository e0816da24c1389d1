import { formatNumber } from '@linkoteca/domain/formats';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { GAP, listPageNumbers } from '../model/list-page-numbers.ts';

interface PaginationProps {
  /** Read aloud: what is paged through. */
  readonly label: string;
  /** From 1. */
  readonly page: number;
  readonly total: number;
  readonly pageSize: number;
  readonly onChange: (page: number) => void;
}

/** Previous, page numbers, next: disabled at the first and at the last page. Absent while one page holds all. */
export function Pagination({ label, page, total, pageSize, onChange }: PaginationProps) {
  const count = Math.max(1, Math.ceil(total / pageSize));
  const current = Math.min(page, count);
  if (total === 0) return null;
  return (
    <nav aria-label={label} className="admin-pagination">
      <button
        type="button"
        aria-label="Página anterior"
        disabled={current <= 1}
        onClick={() => onChange(current - 1)}
      >
        <ChevronLeft aria-hidden />
      </button>
      {listPageNumbers(current, count).map((each, index) =>
        each === GAP ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap is nothing but its place
          <span key={`gap-${index}`} aria-hidden>
            …
          </span>
        ) : (
          <button
            key={each}
            type="button"
            aria-label={`Página ${each}`}
            aria-current={each === current ? 'page' : undefined}
            onClick={() => onChange(each)}
          >
            {formatNumber(each)}
          </button>
        ),
      )}
      <button
        type="button"
        aria-label="Próxima página"
        disabled={current >= count}
        onClick={() => onChange(current + 1)}
      >
        <ChevronRight aria-hidden />
      </button>
    </nav>
  );
}
