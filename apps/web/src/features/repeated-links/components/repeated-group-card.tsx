import { formatDate } from '@linkoteca/domain/dates';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import { type RepeatedGroup, type RepeatedLink, showAddress } from '../model/repeated-groups.ts';
import { describeGroup, describeRest, REPEATED_MESSAGES as TEXT } from '../model/repeated-messages.ts';

interface RepeatedGroupCardProps {
  readonly group: RepeatedGroup;
  /** The link that stays. */
  readonly keptId: string;
  readonly onKeep: (id: string) => void;
  readonly onJoin: () => void;
}

/** The links of one address, one of which stays. */
export function RepeatedGroupCard({ group, keptId, onKeep, onJoin }: RepeatedGroupCardProps) {
  const { links, copies } = group;
  const [oldest] = links;
  const id = useId();
  if (oldest === undefined) return null;
  return (
    <li data-repeated={group.address} className="overflow-clip rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-3 border-b border-line px-3 py-2.5">
        <LinkFace url={oldest.url} />
        <h2 id={id} title={oldest.url} className="min-w-0 flex-1 truncate text-base font-medium text-ink">
          {showAddress(oldest.url)}
        </h2>
        <Button
          size="small"
          aria-label={`${TEXT.join}: ${describeGroup(showAddress(oldest.url), links.length)}`}
          onClick={onJoin}
        >
          {TEXT.join}
        </Button>
      </div>
      <fieldset aria-labelledby={id} aria-describedby={`${id}-question`} className="min-w-0">
        <span id={`${id}-question`} className="sr-only">
          {TEXT.stays}
        </span>
        {links.map((link) => (
          <Copy
            key={link.id}
            link={link}
            name={`${id}-kept`}
            isOldest={link === oldest}
            isKept={link.id === keptId}
            onKeep={() => onKeep(link.id)}
          />
        ))}
      </fieldset>
      {copies > links.length ? (
        <p className="px-3 py-2.5 text-sm text-ink-faint">{describeRest(copies - links.length)}</p>
      ) : null}
    </li>
  );
}

interface CopyProps {
  readonly link: RepeatedLink;
  readonly name: string;
  readonly isOldest: boolean;
  readonly isKept: boolean;
  readonly onKeep: () => void;
}

function Copy({ link, name, isOldest, isKept, onKeep }: CopyProps) {
  const id = useId();
  return (
    <div className="border-b border-line px-3 py-1.5 transition-colors last:border-b-0 has-checked:bg-accent-soft">
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="radio"
          id={id}
          name={name}
          checked={isKept}
          aria-describedby={`${id}-place`}
          className="size-4 shrink-0 accent-accent"
          onChange={onKeep}
        />
        <span title={link.title} className="min-w-0 truncate text-base font-medium text-ink">
          {link.title}
        </span>
        {link.favorite ? (
          <span role="img" aria-label={TEXT.favorite} className="shrink-0 text-accent-text">
            <Star filled className="size-4" />
          </span>
        ) : null}
      </label>
      <div className="min-w-0 pb-1.5 pl-7">
        <p id={`${id}-place`} className="text-sm text-ink-soft">
          <Link
            to="/category/$categoryId"
            params={{ categoryId: link.categoryId }}
            state={{ shownLink: { id: link.id, choice: link.id } }}
            className="hit-area relative rounded-sm hover:underline"
          >
            {link.folderName} › {link.categoryName}
          </Link>
          {' · '}
          <span className="tabular-nums">{formatDate(link.created_at)}</span>
          {isOldest ? `, ${TEXT.oldest}` : null}
        </p>
        <p title={link.url} className="truncate text-xs text-ink-faint">
          {link.url}
        </p>
        {link.description ? (
          <p className="line-clamp-2 text-sm break-words text-ink-soft">{link.description}</p>
        ) : null}
      </div>
    </div>
  );
}
