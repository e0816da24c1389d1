import { foldTerm, foldText } from '@linkoteca/domain/fold-text';
import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import {
  describeSuggested,
  describeSuggestion,
  describeTotal,
  describeUnknownOwner,
  describeUnknownPlace,
  FIELD_GROUPS,
  OPERATOR_MESSAGES,
} from '@linkoteca/domain/messages/search-messages';
import { describeOwner } from '@linkoteca/domain/messages/sharing-messages';
import { matchName } from '@linkoteca/domain/search-filters';
import { type SearchOperator, without } from '@linkoteca/domain/search-question';
import { LoaderCircle, SpellCheck, Users } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { nameKey } from '../../../shared/lib/name-key.ts';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { CachedLibrary } from '../model/cached-library.ts';
import type { Place } from '../model/find-places.ts';
import { COMMAND_MARK, type SearchCommand, type SearchExtras } from '../model/search-extras.ts';
import type { QuickSearch } from '../model/use-quick-search.ts';
import { readTarget, type SearchEntry } from '../model/use-search-box.ts';
import { Highlight } from './highlight.tsx';
import { LinkOption } from './link-option.tsx';
import { QuestionChips, REMOVAL_LOOK } from './question-chips.tsx';
import { SearchOption, type SearchOptionProps } from './search-option.tsx';

interface SearchResultsProps {
  readonly id: string;
  readonly optionId: (key: string) => string;
  readonly search: QuickSearch;
  readonly extras: SearchExtras;
  readonly cached: CachedLibrary;
  /** Puts another text into the field, which keeps the focus. */
  readonly onType: (text: string) => void;
  readonly entries: readonly SearchEntry[];
  readonly active: SearchEntry | null;
  readonly onActive: (entry: SearchEntry) => void;
  readonly onChoose: (entry: SearchEntry) => void;
  readonly onVisit: (entry: SearchEntry) => void;
  readonly onShowAll: () => void;
  readonly renderSave?: ((question: string) => ReactNode) | undefined;
  readonly allResultsPath: string;
}

/** The dropdown below the search field; on a narrow screen it fills what is below the bar. */
export function SearchResults(props: SearchResultsProps) {
  const { id, search, extras, entries, active } = props;
  const placeOf = useLinkPlaces(props.cached);
  const loading = search.loading || extras.pending;
  const option = (entry: SearchEntry) => ({
    id: props.optionId(entry.key),
    active: entry === active,
    onActive: () => props.onActive(entry),
    onChoose: () => props.onChoose(entry),
  });
  return (
    <div className="absolute inset-x-0 top-full z-20 mt-1.5 flex max-h-[min(40rem,calc(100dvh-5rem))] flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-float max-md:fixed max-md:top-(--mobile-header-offset) max-md:bottom-0 max-md:mt-0 max-md:max-h-none max-md:rounded-none max-md:border-0 max-md:[box-shadow:none]">
      <p className="flex h-9 shrink-0 items-center justify-between px-3.5 text-sm font-medium text-ink-soft">
        {SEARCH_MESSAGES.heading}
        {loading ? (
          <span role="status" className="text-ink-faint">
            <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" />
            <span className="sr-only">Buscando...</span>
          </span>
        ) : (
          <Total search={search} extras={extras} />
        )}
      </p>
      <OperatorChips {...props} />
      {search.suggestion === null ? null : (
        <p role="status" className="px-3.5 pb-2 text-base text-ink-soft">
          {SEARCH_MESSAGES.empty}
          <span className="sr-only">. {describeSuggestion(search.suggestion)}</span>
        </p>
      )}
      <div
        id={id}
        role="listbox"
        aria-label={SEARCH_MESSAGES.heading}
        className={joinClassNames(
          'min-h-0 overflow-y-auto overscroll-contain',
          entries.length > 0 && 'border-t border-line p-1',
        )}
      >
        <CompletionGroup {...props} />
        <SuggestionOption {...props} />
        <EntryGroup heading={FIELD_GROUPS.places} shows={entries.some(({ kind }) => kind === 'place')}>
          {entries.map((entry) =>
            entry.kind === 'place' ? (
              <PlaceOption key={entry.key} {...option(entry)} place={entry.place} term={search.term} />
            ) : null,
          )}
        </EntryGroup>
        <CommandGroup {...props} kind="tag" line={entries[0]?.kind === 'tag' ? 'none' : 'above'} />
        {extras.isCommandMeant ? (
          <CommandGroup
            {...props}
            kind="command"
            line={search.links.length + extras.received.length > 0 ? 'below' : 'none'}
          />
        ) : null}
        {entries.map((entry) =>
          entry.kind === 'link' ? (
            <LinkOption
              key={entry.key}
              {...option(entry)}
              result={entry.result}
              place={placeOf(entry.result)}
              term={search.suggestion ?? search.question.words}
              onVisit={() => props.onVisit(entry)}
            />
          ) : null,
        )}
        <EntryGroup
          heading={FIELD_GROUPS.received}
          shows={extras.received.length > 0}
          line={search.links.length > 0 ? 'above' : 'none'}
        >
          {entries.map((entry) =>
            entry.kind === 'received' ? (
              <LinkOption
                key={entry.key}
                {...option(entry)}
                result={entry.result}
                place={entry.result.category_name ?? SEARCH_MESSAGES.unknownCategory}
                owner={describeOwner(entry.result.owner_name)}
                term={search.question.words}
                onVisit={() => props.onVisit(entry)}
              />
            ) : null,
          )}
        </EntryGroup>
        {extras.isCommandMeant ? null : (
          <CommandGroup {...props} kind="command" line={entries[0]?.kind === 'command' ? 'none' : 'above'} />
        )}
      </div>
      <SearchRemark
        search={search}
        pending={loading}
        empty={entries.every(({ kind }) => kind === 'completion')}
      />
      {search.asks && entries.some((entry) => readTarget(entry) !== null) && search.suggestion === null ? (
        <Foot {...props} />
      ) : null}
    </div>
  );
}

/** What narrows the search; a press on a cross leaves the focus in the field. */
function OperatorChips({ search, cached, onType }: SearchResultsProps) {
  const { operators } = search.question;
  if (operators.length === 0) return null;
  const isUnfinished = ({ start, text, state }: SearchOperator) =>
    state === 'incomplete' && start + text.length === search.term.length;
  return (
    <div className="px-3.5 pb-2">
      <QuestionChips
        // What is still being typed is not wrong yet.
        operators={operators.filter((operator) => !isUnfinished(operator))}
        explain={(operator) => explainPlace(operator, cached)}
        renderRemoval={(operator, label, cross) => (
          <button
            type="button"
            aria-label={label}
            className={REMOVAL_LOOK}
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onType(without(search.term, [operator]))}
          >
            {cross}
          </button>
        )}
      />
    </div>
  );
}

function explainPlace({ key, value }: SearchOperator, cached: CachedLibrary): string | null {
  const { folders, listOwners, listTags } = cached;
  if (key === 'owner' && listOwners && !value.includes('@')) {
    const owners = listOwners().map(foldText);
    return owners.some(matchName(owners, foldTerm(value))) ? null : describeUnknownOwner(value);
  }
  if (key === 'tag') {
    const tags = listTags().map(({ name }) => foldText(name));
    const isKnown = tags.some(matchName(tags, foldText(value.replace(/^#/, ''))));
    return isKnown || tags.length === 0 ? null : describeUnknownPlace(key, value);
  }
  if (key !== 'folder' && key !== 'category') return null;
  const names = folders.flatMap(({ name, categories }) =>
    key === 'folder' ? [foldText(name)] : categories.map((category) => foldText(category.name)),
  );
  return names.some(matchName(names, foldText(value))) ? null : describeUnknownPlace(key, value);
}

/** Ways to go on with what is being typed. */
function CompletionGroup({ entries, active, optionId, onActive, onChoose }: SearchResultsProps) {
  const completions = entries.filter((entry) => entry.kind === 'completion');
  if (completions.length === 0) return null;
  return (
    <EntryGroup heading={OPERATOR_MESSAGES.heading} shows>
      {completions.map((entry) => (
        <SearchOption
          key={entry.key}
          id={optionId(entry.key)}
          active={entry === active}
          onActive={() => onActive(entry)}
          onChoose={() => onChoose(entry)}
        >
          <span className="min-w-0 shrink-0 truncate font-medium">{entry.completion.text}</span>
          {entry.completion.hint === null ? null : (
            <span className="min-w-0 flex-1 truncate text-ink-faint">{entry.completion.hint}</span>
          )}
        </SearchOption>
      ))}
    </EntryGroup>
  );
}

/** Another spelling, and that what follows is of it. */
function SuggestionOption({ entries, active, optionId, onActive, onChoose }: SearchResultsProps) {
  const entry = entries.find(({ kind }) => kind === 'suggestion');
  if (entry?.kind !== 'suggestion') return null;
  return (
    <>
      <SearchOption
        id={optionId(entry.key)}
        active={entry === active}
        onActive={() => onActive(entry)}
        onChoose={() => onChoose(entry)}
      >
        <SpellCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
        <span className="min-w-0 flex-1 font-medium break-words text-accent-text">
          {describeSuggestion(entry.term)}
        </span>
      </SearchOption>
      <p aria-hidden className="px-2.5 pt-2 pb-1 text-xs text-ink-faint">
        {describeSuggested(entry.term)}
      </p>
    </>
  );
}

interface EntryGroupProps {
  readonly heading: string;
  readonly shows: boolean;
  /** Where a line tells it from the rest. */
  readonly line?: 'above' | 'below' | 'none' | undefined;
  readonly children: ReactNode;
}

/** Rows of one kind below their heading. */
function EntryGroup({ heading, shows, line = 'below', children }: EntryGroupProps) {
  if (!shows) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
    <div role="group" aria-label={heading} className={GROUP_LOOKS[line]}>
      <p aria-hidden className="px-2.5 py-1 text-xs text-ink-faint">
        {heading}
      </p>
      {children}
    </div>
  );
}

const GROUP_LOOKS = {
  above: 'mt-1 border-t border-line pt-1',
  below: 'mb-1 border-b border-line pb-1',
  none: undefined,
} as const;

/** How many links there are, where that is known without being asked for. */
function Total({ search, extras }: Pick<SearchResultsProps, 'search' | 'extras'>) {
  const total = search.links.length + extras.received.length;
  if (!search.isComplete || !extras.isComplete || total === 0) return null;
  return <span className="font-normal text-ink-faint tabular-nums">{describeTotal(total)}</span>;
}

/** Folder and category of one's own links, by what the browser holds. */
function useLinkPlaces({ folders }: CachedLibrary): (result: SearchResult) => string {
  const names = useMemo(
    () => new Map(folders.flatMap(({ name, categories }) => categories.map(({ id }) => [id, name]))),
    [folders],
  );
  return ({ category_id, category_name }) => {
    const category = category_name ?? SEARCH_MESSAGES.unknownCategory;
    const folder = names.get(category_id);
    return folder === undefined ? category : `${folder} › ${category}`;
  };
}

interface SearchRemarkProps {
  readonly search: QuickSearch;
  readonly pending: boolean;
  readonly empty: boolean;
}

/** What there is to say instead of results, or about them. */
function SearchRemark({ search, pending, empty }: SearchRemarkProps) {
  const line = 'px-3.5 pt-2 pb-4 text-base text-ink-soft';
  if (search.failed) {
    return (
      <p className={line}>
        {empty ? 'A busca não respondeu. ' : 'Só o que este navegador já tinha. '}
        <button type="button" onClick={search.retry} className="rounded-sm text-accent-text hover:underline">
          Tentar de novo
        </button>
      </p>
    );
  }
  if (search.offline) return <p className={line}>Sem conexão: só o que este navegador já tem.</p>;
  if (!empty || pending) return null;
  if (search.term.startsWith(COMMAND_MARK))
    return (
      <p role="status" className={line}>
        {FIELD_GROUPS.noCommand}
      </p>
    );
  if (!search.asks) return null;
  return (
    <p role="status" className={line}>
      {SEARCH_MESSAGES.empty}
    </p>
  );
}

function Foot({ active, search, allResultsPath, onShowAll, renderSave }: SearchResultsProps) {
  return (
    <div className="flex shrink-0 items-center justify-between gap-4 border-t border-line px-1 py-1 text-sm">
      <a
        href={allResultsPath}
        onPointerDown={(event) => event.preventDefault()}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onShowAll();
        }}
        className="flex h-8 items-center gap-2 rounded px-2.5 font-medium text-accent-text hover:bg-hover pointer-coarse:h-11"
      >
        Ver todos os resultados
        <Kbd>{active ? `${nameKey('shift')} Enter` : 'Enter'}</Kbd>
      </a>
      {active && 'result' in active ? (
        <span aria-hidden className="flex items-center gap-1.5 pr-2.5 text-xs text-ink-faint max-md:hidden">
          Abrir o link <Kbd>Enter</Kbd>
          <span className="pl-2">A categoria</span> <Kbd>{`${nameKey('mod')} Enter`}</Kbd>
        </span>
      ) : null}
      {renderSave?.(search.term)}
    </div>
  );
}

interface PlaceOptionProps extends SearchOptionProps {
  readonly place: Place;
  readonly term: string;
}

/** A found folder or category, with the spine of its folder. */
function PlaceOption({ place, term, ...option }: PlaceOptionProps) {
  return (
    <SearchOption {...option}>
      <span className="grid min-w-4 shrink-0 place-items-center">
        {place.kind === 'share' ? (
          <Users aria-hidden className="size-4 text-ink-faint" />
        ) : (
          <FolderSpine folderId={place.folderId} />
        )}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">
        <Highlight text={place.name} term={term} />
      </span>
      <span className="max-w-2/5 shrink-0 truncate text-xs text-ink-faint">{describePlace(place)}</span>
    </SearchOption>
  );
}

function describePlace({ kind, folderName }: Place): string {
  if (kind === 'share') return describeOwner(folderName);
  return kind === 'folder' ? 'Pasta' : `em ${folderName}`;
}

interface CommandGroupProps extends SearchResultsProps {
  readonly kind: 'command' | 'tag';
  readonly line: EntryGroupProps['line'];
}

/** What can be done, or one's own tags, by name. */
function CommandGroup({ kind, entries, active, search, line, ...props }: CommandGroupProps) {
  return (
    <EntryGroup
      heading={kind === 'tag' ? FIELD_GROUPS.tags : FIELD_GROUPS.commands}
      shows={entries.some((entry) => entry.kind === kind)}
      line={line}
    >
      {entries.map((entry) =>
        entry.kind === kind && 'command' in entry ? (
          <CommandOption
            key={entry.key}
            id={props.optionId(entry.key)}
            active={entry === active}
            onActive={() => props.onActive(entry)}
            onChoose={() => props.onChoose(entry)}
            command={entry.command}
            term={search.term.replace(COMMAND_MARK, '').trim()}
          />
        ) : null,
      )}
    </EntryGroup>
  );
}

interface CommandOptionProps extends SearchOptionProps {
  readonly command: SearchCommand;
  readonly term: string;
}

/** Something to do, and its shortcut. */
function CommandOption({ command, term, ...option }: CommandOptionProps) {
  return (
    <SearchOption {...option}>
      <span aria-hidden className="grid w-4 shrink-0 place-items-center text-ink-faint [&_svg]:size-4">
        {command.icon}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">
        <Highlight text={command.label} term={term} />
      </span>
      {command.hint === undefined ? null : (
        <span className="max-w-2/5 shrink-0 truncate text-xs text-ink-faint">{command.hint}</span>
      )}
    </SearchOption>
  );
}
