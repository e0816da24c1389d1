import { Search, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface SearchFormProps {
  /** Read aloud: what is searched. */
  readonly label: string;
  readonly placeholder: string;
  /** The search that is on; a new one takes the place of what is typed. */
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/** A search box that searches on Enter, with a button that clears it. */
export function SearchForm({ label, placeholder, value, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(value);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    setBefore(value);
    setTyped(value);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than the browsers that the product is built for
    <div role="search" aria-label={label} className="admin-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <Search aria-hidden />
        <input
          type="text"
          inputMode="email"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={320}
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {typed ? (
          <IconButton
            label="Limpar busca"
            size="small"
            onClick={(event) => {
              setTyped('');
              onSearch('');
              // The button goes away; the keyboard stays where one types on.
              event.currentTarget.form?.querySelector('input')?.focus();
            }}
          >
            <X aria-hidden />
          </IconButton>
        ) : null}
      </form>
    </div>
  );
}
