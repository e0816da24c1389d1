import type { ReactNode } from 'react';

interface StatCardProps {
  readonly label: string;
  readonly value: string;
  readonly icon?: ReactNode;
}

/** One figure with its name. */
export function StatCard({ label, value, icon }: StatCardProps) {
  return (
    <div className="admin-card admin-stat">
      <dt>
        {icon}
        {label}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
