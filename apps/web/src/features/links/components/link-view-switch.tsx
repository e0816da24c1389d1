import { LayoutGrid, Rows3 } from 'lucide-react';
import { ToggleGroup } from '../../../shared/ui/fields/toggle-group.tsx';
import type { LinkView } from '../model/link-view.ts';

interface LinkViewSwitchProps {
  readonly view: LinkView;
  readonly onView: (view: LinkView) => void;
}

// Drawn here: all icons of the library that anything uses are in the file that every page fetches first.
const picture = (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinejoin="round"
  >
    <path d="M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2ZM6 21l9-9 6 5M11 9a2 2 0 1 1-4 0a2 2 0 1 1 4 0Z" />
  </svg>
);

/** Cards, rows or covers. */
export function LinkViewSwitch({ view, onView }: LinkViewSwitchProps) {
  return (
    <ToggleGroup
      label="Visualização"
      value={view}
      onChange={onView}
      options={[
        { value: 'grid', label: 'Cartões', icon: <LayoutGrid aria-hidden /> },
        { value: 'list', label: 'Lista', icon: <Rows3 aria-hidden /> },
        { value: 'covers', label: 'Capas', icon: picture },
      ]}
    />
  );
}
