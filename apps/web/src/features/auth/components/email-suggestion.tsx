import { suggestEmail } from '../model/suggest-email.ts';
import { textLinkClassName } from './text-link-class-name.ts';

interface EmailSuggestionProps {
  readonly email: string;
  readonly onAccept: (email: string) => void;
}

/** 'Você quis dizer ana@gmail.com?' for an address that looks mistyped: its confirmation would never arrive. */
export function EmailSuggestion({ email, onAccept }: EmailSuggestionProps) {
  const meant = suggestEmail(email);
  if (meant === null) return null;
  return (
    <span role="status">
      Você quis dizer{' '}
      <button type="button" className={textLinkClassName} onClick={() => onAccept(meant)}>
        {meant}
      </button>
      ?
    </span>
  );
}
