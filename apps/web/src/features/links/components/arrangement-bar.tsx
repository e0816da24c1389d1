import { Check, ChevronsUpDown, ListFilter, X } from 'lucide-react';
import { type Ref, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { fieldControlClassName } from '../../../shared/ui/fields/field-control.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { type Arrangement, LINK_ORDERS, type LinkOrder } from '../model/arrange-links.ts';

const ORDER_WORDS: Readonly<Record<Exclude<LinkOrder, 'manual'>, string>> = {
  newest: 'Mais novos',
  oldest: 'Mais antigos',
  title: 'Título, A–Z',
  site: 'Site',
};

interface ArrangementBarProps {
  readonly arrangement: Arrangement;
  /** What the order is called that the category has of its own, or can have; null where it has none. */
  readonly ownOrder: string | null;
  readonly onOrder: (order: LinkOrder) => void;
  readonly onFilter: (filter: string) => void;
  readonly fieldRef: Ref<HTMLInputElement>;
}

/** Filters a category's links as one types, and orders them. Escape empties the field, then leaves it. */
export function ArrangementBar(props: ArrangementBarProps) {
  const { arrangement, ownOrder, onOrder, onFilter, fieldRef } = props;
  const nameOf = (order: LinkOrder) => (order === 'manual' ? (ownOrder ?? '') : ORDER_WORDS[order]);
  const orders: readonly LinkOrder[] = ownOrder === null ? LINK_ORDERS : ['manual', ...LINK_ORDERS];
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    // As wide as the tools below it, wherever the two wrap to.
    <div className="flex w-full items-center gap-2">
      <div className="relative min-w-0 flex-1">
        <ListFilter
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-ink-faint"
        />
        <input
          ref={fieldRef}
          type="text"
          aria-label="Filtrar os links desta categoria"
          aria-keyshortcuts="f"
          placeholder="Filtrar"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          value={arrangement.filter}
          onChange={({ target }) => onFilter(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            if (arrangement.filter === '') event.currentTarget.blur();
            else onFilter('');
          }}
          className={joinClassNames(fieldControlClassName, 'h-8 px-8.5 pointer-coarse:h-11')}
        />
        {arrangement.filter === '' ? null : (
          <IconButton
            size="small"
            label="Limpar filtro"
            onClick={({ currentTarget }) => {
              // It goes with the text.
              currentTarget.parentElement?.querySelector('input')?.focus();
              onFilter('');
            }}
            className="absolute inset-y-0 right-0.5 my-auto"
          >
            <X aria-hidden />
          </IconButton>
        )}
      </div>
      <Button
        variant="secondary"
        aria-label={`Ordem: ${nameOf(arrangement.order)}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        className="shrink-0"
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {nameOf(arrangement.order)}
        <ChevronsUpDown aria-hidden className="size-3.5 text-ink-faint" />
      </Button>
      <AnchoredMenu anchor={anchor} label="Ordem dos links" onClose={() => setAnchor(null)}>
        {orders.map((order) => (
          <MenuItem
            key={order}
            aside={order === arrangement.order ? <Check aria-label="em uso" /> : null}
            onSelect={() => onOrder(order)}
          >
            {nameOf(order)}
          </MenuItem>
        ))}
      </AnchoredMenu>
    </div>
  );
}
