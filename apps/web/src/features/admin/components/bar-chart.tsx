import type { KeyboardEvent } from 'react';
import { useId, useState } from 'react';

export interface ChartEntry {
  readonly label: string;
  readonly value: number;
}

interface BarChartProps {
  readonly title: string;
  readonly entries: readonly ChartEntry[];
  /** A value in words. */
  readonly format: (value: number) => string;
  /** What stands beside the title: the sum, or the latest. */
  readonly summary: string;
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Bars over time, oldest first. One stop for the keyboard, arrows go from bar to bar and each says its value; the same
 * figures stand below as a table.
 */
export function BarChart({ title, entries, format, summary }: BarChartProps) {
  const id = useId();
  const last = entries.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen === null || chosen > last ? last : chosen;
  const highest = Math.max(1, ...entries.map(({ value }) => value));
  const shown = entries[at];

  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    setChosen(step(at, last));
  };

  return (
    <section className="admin-card admin-chart" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <strong>{summary}</strong>
      </header>
      <p className="admin-soft admin-readout">{shown ? `${shown.label}: ${format(shown.value)}` : ' '}</p>
      <div className="admin-plot">
        <span className="admin-axis" aria-hidden>
          <span>{format(highest)}</span>
          <span>{format(0)}</span>
        </span>
        <div
          role="listbox"
          tabIndex={0}
          aria-label={`${title}, gráfico de barras`}
          aria-orientation="horizontal"
          aria-activedescendant={shown ? `${id}-${at}` : undefined}
          className="admin-bars"
          onKeyDown={move}
        >
          {entries.map(({ label, value }, index) => (
            <div
              key={label}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              aria-label={`${label}: ${format(value)}`}
              tabIndex={-1}
              onPointerEnter={() => setChosen(index)}
              onPointerDown={() => setChosen(index)}
            >
              <span style={{ height: `${(value / highest) * 100}%` }} />
            </div>
          ))}
        </div>
      </div>
      <p className="admin-soft admin-range" aria-hidden>
        <span>{entries[0]?.label}</span>
        <span>{entries[last]?.label}</span>
      </p>
      <ChartTable title={title} entries={entries} format={format} />
    </section>
  );
}

/** The chart's figures as a table, closed at first. */
function ChartTable({ title, entries, format }: Pick<BarChartProps, 'title' | 'entries' | 'format'>) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Ver como tabela</summary>
      {open ? (
        <table className="admin-table admin-table-plain">
          <thead>
            <tr>
              <th scope="col">Período</th>
              <th scope="col" className="admin-number">
                {title}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.toReversed().map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="admin-number">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </details>
  );
}
