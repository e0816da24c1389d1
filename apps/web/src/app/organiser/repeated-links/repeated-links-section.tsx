import { REPEATED_MESSAGES as TEXT } from '../../../features/repeated-links/model/repeated-messages.ts';
import { RepeatedLinksLink } from './repeated-links-link.tsx';

/** The way to repeated links, among what can be done with one's data. */
export function RepeatedLinksSection() {
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-5" aria-labelledby="repeated-links">
      <div>
        <h2 id="repeated-links" className="text-lg font-semibold">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.why}</p>
      </div>
      <RepeatedLinksLink size="large" />
    </section>
  );
}
