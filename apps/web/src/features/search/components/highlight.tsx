import { splitFound } from '@linkoteca/domain/split-matches';

interface HighlightProps {
  readonly text: string;
  readonly term: string;
}

/** A text whose matches stand out, found without regard to case and accents. */
export function Highlight({ text, term }: HighlightProps) {
  return splitFound(text, term).map((part, index) =>
    part.matched ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
      <mark key={index} className="rounded-[2px] bg-accent-soft text-accent-text">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
