import type { BrokenLink } from '../api/link-checks.ts';
import { archiveAddress, describeBroken, LINK_CHECK_MESSAGES as TEXT } from '../model/link-check-messages.ts';

interface BrokenNoteProps {
  readonly broken: BrokenLink;
  readonly url: string;
  /** Whether Tab reaches the way to the copy. */
  readonly tabStop: boolean;
}

/** What a broken link's site says, and where a copy of the page may be. */
export function BrokenNote({ broken, url, tabStop }: BrokenNoteProps) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-danger-text">
      {describeBroken(broken.status, broken.failed_since)}
      <a
        href={archiveAddress(url)}
        target="_blank"
        rel="noopener noreferrer"
        tabIndex={tabStop ? 0 : -1}
        data-archive
        className="hit-area relative inline-flex h-6 items-center rounded-sm text-accent-text hover:underline pointer-coarse:h-11"
      >
        {TEXT.archive}
      </a>
    </p>
  );
}
