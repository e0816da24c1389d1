import { formatBytes } from '@linkoteca/domain/format-bytes';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';

interface StorageMeterProps {
  /** Bytes. */
  readonly used: number;
  /** Bytes. */
  readonly limit: number;
}

/** Storage used of what the plan gives, in words and as a bar. */
export function StorageMeter({ used, limit }: StorageMeterProps) {
  const percent = limit > 0 ? (used / limit) * 100 : 0;
  const words = `${formatBytes(used)} / ${formatBytes(limit)}`;
  return (
    <div className="admin-storage">
      <span>{words}</span>
      <ProgressBar
        label={`Armazenamento: ${words}`}
        percent={percent}
        tone={percent >= 100 ? 'danger' : percent >= 80 ? 'warning' : 'accent'}
      />
    </div>
  );
}
