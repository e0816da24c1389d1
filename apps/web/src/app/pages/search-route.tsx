import { readQuestion } from '@linkoteca/domain/search-question';
import { useSearch } from '@tanstack/react-router';
import { LinkChecksPanel } from '../../features/link-checks/components/link-checks-panel.tsx';
import { SearchPage } from '../../features/search/components/search-page.tsx';
import { FoundLinks } from '../organiser/found-links.tsx';
import { RepeatedLinksLink } from '../organiser/repeated-links/repeated-links-link.tsx';
import { SaveSearchHost } from '../organiser/saved-searches/save-search-host.tsx';
import { useOpenShares } from '../organiser/search/use-open-shares.ts';
import { useCategoryIntent } from '../organiser/use-category-intent.ts';

/** /search?q=…&page=1 */
export function SearchRoute() {
  const { q = '', page = 1 } = useSearch({ from: '/shell/search' });
  const intent = useCategoryIntent();
  const term = q.trim();
  const shares = useOpenShares().key;
  const tellsBroken = readQuestion(term).filters.broken;
  return (
    <div {...intent}>
      <SearchPage
        term={term}
        page={page}
        shares={shares}
        renderActs={(question) =>
          question === '' ? (
            <RepeatedLinksLink size="medium" />
          ) : tellsBroken ? (
            <LinkChecksPanel>
              <SaveSearchHost question={question} />
            </LinkChecksPanel>
          ) : (
            <SaveSearchHost question={question} />
          )
        }
        // Another page is another list: nothing of it is picked.
        renderLinks={(found) => <FoundLinks key={`${page} ${term}`} {...found} tellsBroken={tellsBroken} />}
      />
    </div>
  );
}
