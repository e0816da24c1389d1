import { SEARCH } from '@linkoteca/domain/limits';
import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import {
  describeSuggested,
  describeSuggestion,
  describeTotal,
  NO_BROKEN,
  OPERATOR_MESSAGES,
} from '@linkoteca/domain/messages/search-messages';
import { readQuestion, without } from '@linkoteca/domain/search-question';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import type { FoundLink } from '../../../shared/lib/rows.ts';
import { useKeptWhile } from '../../../shared/lib/writes/use-kept-while.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import { useFoundTotal } from '../api/count-found-links.ts';
import { useReceivedPages } from '../api/find-received-links.ts';
import { useFoundLinks, useRenewFoundLinks } from '../api/list-found-links.ts';
import { useSuggestion } from '../api/suggest-search.ts';
import { PageTurner } from './page-turner.tsx';
import { QuestionChips, REMOVAL_LOOK } from './question-chips.tsx';
import { ReceivedFound } from './received-found.tsx';

interface SearchPageProps {
  /** Without blanks around it; '' shows all links. */
  readonly term: string;
  /** From 1. */
  readonly page: number;
  /** Which categories of others are open to the person; '' for none. */
  readonly shares: string;
  /** What can be done with a question that asks for something, or with all links, which are ''. */
  readonly renderActs: (question: string) => ReactNode;
  /** Lists the results, with what can be done with them. */
  readonly renderLinks: (found: FoundList) => ReactNode;
}

/** A page of results, and what the page says around them. */
export interface FoundList {
  /** Name of the page. */
  readonly header: ReactNode;
  readonly results: readonly FoundLink[];
  /** What stands out in them. */
  readonly term: string;
  /** How many results come before these. */
  readonly offset: number;
  /** Stands where all of them are on their way out. */
  readonly placeholder: ReactNode;
  /** The form of a result opens or closes: until then nothing may take it away. */
  readonly onEditing: (editing: boolean) => void;
}

/** All results of a term, fifty a page; without a term all links, newest first. */
export function SearchPage({ term, page, shares, renderActs, renderLinks }: SearchPageProps) {
  useRenewFoundLinks();
  useDocumentTitle(term === '' ? 'Todos os links' : `Busca: ${term}`);
  const { query, hasNext } = useFoundLinks(term, page);
  const results = query.data?.links;
  const list = useKeptList(results);
  useAnnouncedPage(results?.length, page);
  const question = useMemo(() => readQuestion(term), [term]);
  const isOfWords = question.operators.length === 0;
  const received = useReceivedPages(page === 1 && shares !== '' ? term : '', shares);
  const isElsewhere = received.isLoading || (received.data?.pages[0]?.length ?? 0) > 0;
  const isNothing = results?.length === 0 && page === 1;
  const suggestion = useSuggestion(isNothing && isOfWords && !isElsewhere ? term : '');
  // The form of a suggested result stays, too, when the question itself finds something meanwhile.
  const [editing, onEditing] = useState(false);
  const suggested = useKeptWhile(editing, suggestion ?? undefined);
  const turnsPages = page > 1 || hasNext;
  const asks = question.isFiltered || question.words !== '';
  const total = useTotal(term, page, query.data);
  const header = (
    <PageHeader term={term} total={total} acts={asks || term === '' ? renderActs(term) : null} />
  );

  return (
    <div className="mx-auto max-w-page px-4 py-5 max-md:pb-24 md:px-8 md:py-7">
      {list && !editing ? (
        renderLinks({
          ...list,
          header,
          term: question.words,
          offset: (page - 1) * SEARCH.serviceCap,
          placeholder: <FoundLinksSkeleton />,
        })
      ) : (
        <>
          {header}
          <div className="mt-5">
            {query.isPending ? <FoundLinksSkeleton /> : null}
            {query.isLoadingError ? <Failure onRetry={() => void query.refetch()} /> : null}
            {results && list === null && !(isNothing && isElsewhere) ? (
              <Nothing term={term} page={page} suggestion={suggestion} isOfBroken={question.filters.broken} />
            ) : null}
          </div>
          {suggested === undefined ? null : (
            <Suggested term={suggested} editing={editing} onEditing={onEditing} renderLinks={renderLinks} />
          )}
        </>
      )}
      {results && results.length > 0 && turnsPages ? (
        <PageTurner term={term} page={page} hasNext={hasNext} />
      ) : null}
      <ReceivedFound
        query={received}
        term={question.words}
        onlyThese={question.filters.owner !== null}
        isFirst={isNothing}
      />
    </div>
  );
}

/** Results to list, where there are any; null otherwise. Those whose form is open stay, whatever is found meanwhile. */
function useKeptList(found: readonly FoundLink[] | undefined) {
  const [editing, onEditing] = useState(false);
  const results = useKeptWhile(editing, found?.length === 0 ? undefined : found);
  return results ? { results, onEditing } : null;
}

/** How many links there are in all: a page that is not full is the last one. */
function useTotal(term: string, page: number, found: ReturnType<typeof useFoundLinks>['query']['data']) {
  const counted = useFoundTotal(term, found?.isFull === true);
  if (found === undefined || (found.links.length === 0 && page > 1)) return null;
  return found.isFull ? counted : (page - 1) * SEARCH.serviceCap + found.links.length;
}

interface PageHeaderProps {
  readonly term: string;
  /** null while it is not known. */
  readonly total: number | null;
  readonly acts: ReactNode;
}

function PageHeader({ term, total, acts }: PageHeaderProps) {
  const { words, operators } = readQuestion(term);
  return (
    <header className="min-w-0">
      <h1 className="text-xl font-semibold tracking-tight break-words">
        {term === '' ? 'Todos os links' : SEARCH_MESSAGES.heading}
      </h1>
      <p className="mt-1 text-base break-words text-ink-soft">
        {words === ''
          ? 'Do mais novo ao mais antigo'
          : `Links com “${words}”, primeiro os que se chamam assim`}
        {total === null ? null : <span className="tabular-nums"> · {describeTotal(total)}</span>}
      </p>
      {operators.length > 0 ? (
        <div className="mt-2">
          <QuestionChips
            operators={operators}
            renderRemoval={(operator, label, cross) => (
              <Link
                to="/search"
                search={{ q: without(term, [operator]), page: 1 }}
                aria-label={label}
                className={REMOVAL_LOOK}
              >
                {cross}
              </Link>
            )}
          />
        </div>
      ) : null}
      {acts ? <div className="mt-3 flex">{acts}</div> : null}
    </header>
  );
}

function useAnnouncedPage(count: number | undefined, page: number): void {
  const message = count === undefined ? '' : `Página ${page}: ${count === 1 ? '1 link' : `${count} links`}`;
  useEffect(() => {
    if (message !== '') announce(message);
  }, [message]);
}

function Failure({ onRetry }: { readonly onRetry: () => void }) {
  const { title, description } = SEARCH_MESSAGES.failed;
  return (
    <div role="alert">
      <EmptyState
        icon={<SearchX aria-hidden />}
        title={title}
        description={description}
        action={<Button onClick={onRetry}>Tentar de novo</Button>}
      />
    </div>
  );
}

interface SuggestedProps extends Pick<SearchPageProps, 'term' | 'renderLinks'>, Pick<FoundList, 'onEditing'> {
  readonly editing: boolean;
}

/** What another spelling finds, said to be of it. */
function Suggested({ term, editing, onEditing, renderLinks }: SuggestedProps) {
  const { query } = useFoundLinks(term, 1);
  const found = query.data?.links;
  const results = useKeptWhile(editing, found?.length === 0 ? undefined : found);
  if (results === undefined) return null;
  const header = (
    <h2 className="text-base font-medium break-words text-ink-soft">{describeSuggested(term)}</h2>
  );
  return (
    <section className="mt-8">
      {renderLinks({ results, onEditing, header, term, offset: 0, placeholder: <FoundLinksSkeleton /> })}
    </section>
  );
}

interface NothingProps extends Pick<SearchPageProps, 'term' | 'page'> {
  /** Another spelling, if there is one. */
  readonly suggestion: string | null;
  /** Whether broken links were asked for: none of them is good news. */
  readonly isOfBroken: boolean;
}

function Nothing({ term, page, suggestion, isOfBroken }: NothingProps) {
  if (page > 1) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden />}
        title="Os resultados acabaram antes desta página"
        action={
          <Link to="/search" search={{ q: term, page: 1 }} className={buttonClassName()}>
            Ir para a primeira página
          </Link>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      {...describeNothing(term, isOfBroken)}
      action={
        suggestion === null ? undefined : (
          <Link to="/search" search={{ q: suggestion, page: 1 }} className={buttonClassName()}>
            {describeSuggestion(suggestion)}
          </Link>
        )
      }
    />
  );
}

function describeNothing(term: string, isOfBroken: boolean) {
  if (term === '')
    return { title: 'Nenhum link ainda', description: 'Abra uma categoria e guarde nela o primeiro.' };
  if (isOfBroken) return NO_BROKEN;
  return {
    title: SEARCH_MESSAGES.empty,
    description: `Tente menos letras ou outra palavra: a busca olha título, endereço e descrição, com ou sem acento. ${OPERATOR_MESSAGES.help}`,
  };
}

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** The shape of the results that come. */
function FoundLinksSkeleton() {
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <span role="status">Buscando...</span>
      </VisuallyHidden>
      <div className="overflow-clip rounded-lg border border-line bg-surface">
        {PLACES.map((place) => (
          <div key={place} className="flex h-16 items-center gap-3 border-b border-line px-3 last:border-b-0">
            <Skeleton className="size-4" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="h-2.5 w-3/5" />
            </div>
            <Skeleton className="h-3 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}
