import { Link } from '@tanstack/react-router';
import { CopyCheck } from 'lucide-react';
import { REPEATED_MESSAGES } from '../../../features/repeated-links/model/repeated-messages.ts';
import { type ButtonSize, buttonClassName } from '../../../shared/ui/button-class-name.ts';

/** The way to the page of repeated links. */
export function RepeatedLinksLink({ size }: { readonly size: ButtonSize }) {
  return (
    <Link to="/repetidos" className={`${buttonClassName('secondary', size)} self-start max-md:self-stretch`}>
      <CopyCheck aria-hidden />
      {REPEATED_MESSAGES.open}
    </Link>
  );
}
