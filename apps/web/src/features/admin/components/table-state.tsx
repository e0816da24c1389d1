import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { Spinner } from '../../../shared/ui/feedback/spinner.tsx';

interface TableStateProps {
  readonly query: {
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  /** What to say of a table without rows; null where there are some. */
  readonly empty: string | null;
}

/** Below a table's head while there are no rows: waiting, nothing found, or nothing answered and a way to ask again. */
export function TableState({ query, empty }: TableStateProps) {
  if (query.isPending)
    return (
      <div className="admin-waiting">
        <Spinner />
      </div>
    );
  if (empty === null) return null;
  const action = query.isError ? (
    <Button onClick={() => void query.refetch()}>Tentar de novo</Button>
  ) : undefined;
  return <EmptyState title={empty} action={action} />;
}
