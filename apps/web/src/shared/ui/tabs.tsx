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
}

/** A row of tabs over their panels. All stay mounted: what was typed in one survives a look at another. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List aria-label={label} className="relative flex gap-0.5 overflow-x-auto border-b border-line">
        {/* Narrower on a phone, where a fourth tab beyond the edge would be found by nobody. */}
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="h-9 shrink-0 rounded-sm px-2 text-sm font-medium text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 data-active:text-ink sm:px-3 sm:text-base pointer-coarse:h-11"
          >
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="pointer-events-none absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) bg-accent transition-[translate,width] ease-out" />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} keepMounted className="rounded pt-5">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
