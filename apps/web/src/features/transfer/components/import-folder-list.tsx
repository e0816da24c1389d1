import { formatCount } from '@linkoteca/domain/formats';
import type { ArrangedFolder } from '../model/arrange-import.ts';
import { TRANSFER_MESSAGES } from '../model/transfer-messages.ts';

const words = TRANSFER_MESSAGES.import;

interface ImportFolderListProps {
  readonly folders: readonly ArrangedFolder[];
  /** Names of the folders that the person does not want. */
  readonly dropped: ReadonlySet<string>;
  readonly onChange: (dropped: ReadonlySet<string>) => void;
}

/** The folders of a file, each to take or to leave. */
export function ImportFolderList({ folders, dropped, onChange }: ImportFolderListProps) {
  const toggle = (name: string) => {
    const next = new Set(dropped);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  const all = dropped.size === 0;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-sm font-medium text-ink">{words.folders}</legend>
      {folders.length > 1 ? (
        <FolderTick
          name={words.allFolders}
          checked={all}
          onChange={() => onChange(all ? new Set(folders.map(({ name }) => name)) : new Set())}
        />
      ) : null}
      <div className="max-h-60 overflow-y-auto rounded border border-line">
        {folders.map(({ name, categories }) => (
          <FolderTick
            key={name}
            name={name}
            size={describeSize(categories)}
            checked={!dropped.has(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface FolderTickProps {
  readonly name: string;
  readonly size?: string;
  readonly checked: boolean;
  readonly onChange: () => void;
}

function FolderTick({ name, size, checked, onChange }: FolderTickProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5 px-3 py-2">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={onChange}
      />
      {/* In full: names that were cut differ at their ends. */}
      <span className="min-w-0 flex-1 text-base break-words">{name}</span>
      {size ? <span className="shrink-0 text-sm text-ink-soft">{size}</span> : null}
    </label>
  );
}

function describeSize(categories: ArrangedFolder['categories']): string {
  const links = categories.reduce((sum, category) => sum + category.links.length, 0);
  return `${formatCount(categories.length, 'categoria', 'categorias')} · ${formatCount(links, 'link', 'links')}`;
}
