import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useLiveView } from '../live/live-context.tsx';
import { REALTIME_MESSAGES, TEST_REALTIME_MESSAGES as WORDS } from '../live/realtime-messages.ts';
import { ChangeLog } from '../live/test-screen/change-log.tsx';
import { LogLevelField } from '../live/test-screen/log-level-field.tsx';
import { SubscriptionList } from '../live/test-screen/subscription-list.tsx';
import { useChangeLog } from '../live/test-screen/use-change-log.ts';
import { useTestItems } from '../live/test-screen/use-test-items.ts';
import { PageBody } from './page-body.tsx';

/** /test-realtime: adds things and shows what arrives, for whoever checks that updates work. */
export function TestRealtimePage() {
  useDocumentTitle(WORDS.title);
  const { state } = useLiveView();
  const { addFolder, addCategory, addLink } = useTestItems();
  const { entries, clear } = useChangeLog();
  const buttons = [
    { label: WORDS.addFolder, ...addFolder },
    { label: WORDS.addCategory, ...addCategory },
    { label: WORDS.addLink, ...addLink },
  ];
  return (
    <PageBody title={WORDS.title} lead={WORDS.lead}>
      <div className="flex flex-wrap gap-2">
        {buttons.map(({ label, run, busy }) => (
          <Button key={label} onClick={run} busy={busy} busyLabel={WORDS.adding}>
            {label}
          </Button>
        ))}
      </div>
      <div className="mt-5 grid gap-5 md:grid-cols-2">
        <div>
          <Part title={WORDS.connection}>
            <p role="status" className="text-base">
              {REALTIME_MESSAGES.state[state]}
            </p>
          </Part>
          <Part title={WORDS.subscriptions}>
            <SubscriptionList />
          </Part>
          <LogLevelField />
        </div>
        <Part
          title={WORDS.log}
          action={entries.length > 0 ? <Button onClick={clear}>{WORDS.clearLog}</Button> : null}
        >
          <ChangeLog entries={entries} />
        </Part>
      </div>
    </PageBody>
  );
}

interface PartProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Part({ title, action, children }: PartProps) {
  return (
    <section className="mb-5">
      <div className="mb-2 flex min-h-8 items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
