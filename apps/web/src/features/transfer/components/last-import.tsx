import { formatMoment } from '@linkoteca/domain/format-moment';
import { describeLastImport } from '@linkoteca/domain/transfer-messages';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useLastImport } from '../api/use-last-import.ts';
import { UndoImport } from './undo-import.tsx';

/** The last import of the day, with the way back: also after the page was left, and where it stopped half-way. */
export function LastImport() {
  const { data } = useLastImport();
  if (!data) return null;
  return (
    <Notice action={<UndoImport importId={data.id} />}>
      {describeLastImport(data.made, formatMoment(data.startedAt, new Date()))}
    </Notice>
  );
}
