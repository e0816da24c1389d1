import { TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { tagKey } from '@linkoteca/domain/tags';
import { ListFilter, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { fieldControlClassName } from '../../../shared/ui/fields/field-control.ts';
import { RenameField } from '../../../shared/ui/fields/rename-field.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { byName, byUse, type Tag } from '../model/tag-rows.ts';
import { TagMenu } from './tag-menu.tsx';
import { TagRow } from './tag-row.tsx';

interface TagListProps {
  readonly tags: readonly Tag[];
  /** Asks which tag this one becomes. */
  readonly onMerge: (tag: Tag) => void;
  /** @returns false where it has another name still. */
  readonly onRename: (tag: Tag, name: string) => Promise<boolean>;
  readonly onPaint: (tag: Tag, color: string | null) => void;
  readonly onDelete: (tag: Tag) => void;
}

/** Rows drawn at first, and as many more at each press. */
const AT_ONCE = 200;

/** A person's tags, filtered as one types and ordered by name or by use. Arrows go from row to row. */
export function TagList({ tags, onMerge, onRename, onPaint, onDelete }: TagListProps) {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useStoredChoice('linkoteca-tag-order', ['name', 'use']);
  const [most, setMost] = useState(AT_ONCE);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ readonly anchor: Element | null; readonly tag: Tag } | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const fitting = tags
    .filter(({ name }) => tagKey(name).includes(tagKey(filter)))
    .toSorted(order === 'name' ? byName : byUse);
  const shown = fitting.slice(0, most);
  const remove = (tag: Tag) => {
    const at = shown.findIndex(({ id }) => id === tag.id);
    // The row goes at once: the keyboard goes to the one after, else before.
    focusRow(list.current, at + 1 < shown.length ? at + 1 : at - 1);
    onDelete(tag);
  };

  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <div className="relative min-w-0 flex-1 md:w-56 md:flex-none">
          <ListFilter
            aria-hidden
            className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-ink-faint"
          />
          <input
            type="text"
            aria-label={TAG_MESSAGES.filter}
            placeholder={TAG_MESSAGES.filter}
            autoComplete="off"
            spellCheck={false}
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') focusRow(list.current, 0);
              else if (event.key === 'Escape' && filter !== '') setFilter('');
              else return;
              event.preventDefault();
            }}
            className={joinClassNames(fieldControlClassName, 'h-8 px-8.5 pointer-coarse:h-11')}
          />
          {filter === '' ? null : (
            <IconButton
              size="small"
              label={TAG_MESSAGES.clearFilter}
              onClick={({ currentTarget }) => {
                // It goes with the text.
                currentTarget.parentElement?.querySelector('input')?.focus();
                setFilter('');
              }}
              className="absolute inset-y-0 right-0.5 my-auto"
            >
              <X aria-hidden />
            </IconButton>
          )}
        </div>
        <Button
          variant="secondary"
          aria-label={`${TAG_MESSAGES.orderLabel}: ${TAG_MESSAGES.order[order]}`}
          onClick={() => setOrder(order === 'name' ? 'use' : 'name')}
        >
          {TAG_MESSAGES.order[order]}
        </Button>
      </div>
      {shown.length === 0 ? (
        <p role="status" className="mt-6 text-center text-base text-ink-soft">
          {TAG_MESSAGES.nothingFits}
        </p>
      ) : (
        <ul
          ref={list}
          aria-label={TAG_MESSAGES.list}
          onKeyDown={walkRows}
          className="mt-3 overflow-clip rounded-lg border border-line bg-surface"
        >
          {shown.map((tag) => (
            <TagRow
              key={tag.id}
              tag={tag}
              menuOpen={menu?.anchor != null && menu.tag.id === tag.id}
              onMenu={(anchor) => setMenu({ anchor, tag })}
              onRename={() => setRenaming(tag.id)}
              onDelete={() => remove(tag)}
              nameField={
                renaming === tag.id ? (
                  <RenameField
                    name={tag.name}
                    label={TAG_MESSAGES.renameLabel}
                    onSave={(name) => onRename(tag, name)}
                    onEnd={(refocus) => {
                      setRenaming(null);
                      // After the render: the name takes the field's place then.
                      if (refocus) requestAnimationFrame(() => focusTag(list.current, tag.id));
                    }}
                  />
                ) : null
              }
            />
          ))}
        </ul>
      )}
      {fitting.length > most ? (
        <Button className="mx-auto mt-3 flex" onClick={() => setMost(most + AT_ONCE)}>
          Mostrar mais
        </Button>
      ) : null}
      {menu ? (
        <TagMenu
          {...menu}
          onMerge={tags.length > 1 ? () => onMerge(menu.tag) : null}
          onRename={() => setRenaming(menu.tag.id)}
          onPaint={(color) => onPaint(menu.tag, color)}
          onDelete={() => remove(menu.tag)}
          onClose={() => setMenu((last) => last && { ...last, anchor: null })}
        />
      ) : null}
    </>
  );
}

function rowsOf(list: Element | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-tag-row]') ?? [])];
}

/** The name of a row; where there is none, the page, so that the keyboard is not lost with the row it was on. */
function focusRow(list: Element | null, at: number): void {
  (rowsOf(list)[at]?.querySelector<HTMLElement>('a') ?? document.getElementById('page'))?.focus();
}

/** By its id: another name may have another place. */
function focusTag(list: Element | null, id: string): void {
  focusRow(
    list,
    rowsOf(list).findIndex((row) => row.dataset['tagRow'] === id),
  );
}

function walkRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const rows = rowsOf(event.currentTarget);
  const at = rows.findIndex((row) => event.target instanceof Element && row.contains(event.target));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at === -1 || to === undefined || rows[to] === undefined) return;
  event.preventDefault();
  focusRow(event.currentTarget, to);
}
