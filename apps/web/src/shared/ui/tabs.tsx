import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface Tab<Value> {
  readonly value: Value;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps<Value> {
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** In a column beside their panels, where a page is wide enough for both. */
  readonly beside?: boolean;
}

const ABOVE = {
  root: '',
  list: 'relative flex flex-wrap gap-x-0.5 border-b border-line',
  tab: 'px-2 text-sm sm:px-3 sm:text-base',
  indicator:
    'bottom-(--active-tab-bottom) h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) transition-[translate,width]',
  panel: 'pt-5',
} as const;

const BESIDE = {
  root: 'flex items-start gap-8',
  list: 'flex w-40 shrink-0 flex-col gap-0.5',
  tab: 'px-3 text-left text-base hover:bg-hover data-active:bg-accent-soft data-active:text-accent-text',
  // The tint says it.
  indicator: 'hidden',
  panel: 'min-w-0 flex-1',
} as const;

/** A row of tabs over their panels. All stay mounted: what was typed in one survives a look at another. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  beside = false,
}: TabsProps<Value>) {
  const classNames = beside ? BESIDE : ABOVE;
  return (
    <Base.Root
      value={value}
      orientation={beside ? 'vertical' : 'horizontal'}
      className={classNames.root}
      onValueChange={(next: Value) => onChange(next)}
    >
      <Base.List aria-label={label} className={classNames.list}>
        {/* In a second row where a phone has no room: beyond the edge a tab would be found by nobody. */}
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className={`h-9 shrink-0 rounded-sm font-medium text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 data-active:text-ink pointer-coarse:h-11 ${classNames.tab}`}
          >
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator
          className={`pointer-events-none absolute left-0 bg-accent ease-out ${classNames.indicator}`}
        />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} keepMounted className={`rounded ${classNames.panel}`}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
