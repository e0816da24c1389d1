import { SEARCH_MESSAGES } from '@linkoteca/domain/link-messages';
import { Search, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { isTypingPlace } from '../../../shared/lib/use-shortcut.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { useQuickSearch } from '../model/use-quick-search.ts';
import { SearchResults } from './search-results.tsx';

interface QuickSearchProps {
  readonly onOpenCategory: (categoryId: string) => void;
}

/** The search of the top bar: '/' or Ctrl+K reaches it, arrows walk the results, Enter opens one, Esc leaves. */
export function QuickSearch({ onOpenCategory }: QuickSearchProps) {
  const search = useQuickSearch();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const listId = useId();
  useSearchKeys(() => {
    input.current?.focus();
    input.current?.select();
  });

  const results = search.results ?? [];
  const expanded = open && search.text.trim() !== '';
  const optionId = (index: number) => `${listId}-${index}`;
  const type = (text: string) => {
    search.setText(text);
    setOpen(true);
    setActive(-1);
  };
  const choose = (index: number) => {
    const result = results[index];
    if (result === undefined) return;
    type('');
    setOpen(false);
    input.current?.blur();
    onOpenCategory(result.category_id);
  };
  const followKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (expanded) setOpen(false);
      else if (search.text !== '') type('');
      else input.current?.blur();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Without a choice Enter takes the best result, but never one of an older term.
      if (expanded && (active >= 0 || !search.loading)) choose(Math.max(active, 0));
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      setActive(stepThrough(results.length, active, event.key === 'ArrowDown' ? 1 : -1));
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches focus leave the field and its results
    <div
      ref={root}
      role="presentation"
      className="relative"
      onBlur={(event) => {
        if (!root.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
      />
      <input
        ref={input}
        type="text"
        role="combobox"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        placeholder={SEARCH_MESSAGES.placeholder}
        aria-label="Buscar links"
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={listId}
        aria-activedescendant={expanded && active >= 0 ? optionId(active) : undefined}
        aria-keyshortcuts="/ Control+K Meta+K"
        value={search.text}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setOpen(true)}
        onKeyDown={followKey}
        className="h-9 w-full rounded border border-transparent bg-sunken pr-10 pl-9 text-base text-ink transition-colors hover:border-line focus-visible:border-accent focus-visible:bg-surface focus-visible:outline-0 pointer-coarse:h-11 pointer-coarse:text-lg"
      />
      <span className="absolute inset-y-0 right-1 flex items-center">
        {search.text === '' ? (
          <span className="pr-1.5">
            <Kbd>/</Kbd>
          </span>
        ) : (
          <IconButton
            size="small"
            label="Limpar busca"
            onClick={() => {
              type('');
              input.current?.focus();
            }}
          >
            <X aria-hidden />
          </IconButton>
        )}
      </span>
      {expanded ? (
        <SearchResults
          id={listId}
          optionId={optionId}
          results={search.results}
          loading={search.loading}
          term={search.answeredTerm}
          active={active}
          onActive={setActive}
          onChoose={choose}
        />
      ) : null}
    </div>
  );
}

/** The next choice up or down; past either end lies the field itself (-1). */
function stepThrough(count: number, active: number, step: 1 | -1): number {
  const next = active + step;
  if (next < -1) return count - 1;
  return next >= count ? -1 : next;
}

/** '/' outside of text fields, and Ctrl+K or Cmd+K anywhere. */
function useSearchKeys(focus: () => void): void {
  const latest = useRef(focus);
  useEffect(() => {
    latest.current = focus;
  });
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const command = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
      const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTypingPlace(event.target);
      if (!command && !slash) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
