import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { type ReactNode, useState } from 'react';
import { BookmarkletAnchor } from '../../features/captures/components/bookmarklet-anchor.tsx';
import { buildBookmarklet } from '../../features/captures/model/bookmarklet.ts';
import { type Device, detectDevice, nameBarKeys } from '../../features/captures/model/detect-device.ts';
import { CategoryField } from '../../features/links/components/form/category-field.tsx';
import { MailInSection } from '../../features/mail-in/components/mail-in-section.tsx';
import { copyLink, copyPromised } from '../../shared/lib/browser/copy-link.ts';
import { useInstallOffer } from '../../shared/lib/browser/install-offer.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { useInbox } from '../organiser/inbox/use-inbox.ts';
import { useCategoryGroups } from '../organiser/use-category-groups.ts';
import { useCreatePlace } from '../organiser/use-create-place.ts';
import { PageBody } from './page-body.tsx';

const TEXT = CAPTURE_MESSAGES.anywhere;

const WAYS: Readonly<Record<Device, () => ReactNode>> = {
  computer: () => <OnComputer />,
  android: () => <OnAndroid />,
  ios: () => <OnIos />,
};

/** /salvar-de-qualquer-lugar: how to save what one sees without opening the app, first for the device at hand. */
export function AnywherePage() {
  useDocumentTitle(TEXT.title);
  const [here] = useState(() => detectDevice(navigator));
  const { mailDomain } = useBackend().config;
  const others = (['computer', 'android', 'ios'] as const).filter((device) => device !== here);
  return (
    <PageBody title={TEXT.title} lead={TEXT.lead}>
      <div className="flex max-w-prose flex-col gap-4">
        <section aria-labelledby={here} className="rounded-lg border border-line bg-surface p-4 md:p-5">
          <h2 id={here} className="text-lg font-semibold">
            {TEXT[here].title}
          </h2>
          {WAYS[here]()}
        </section>
        {mailDomain === undefined ? null : <MailInSection domain={mailDomain} />}
        <h2 className="mt-4 text-base font-semibold">{TEXT.others}</h2>
        {others.map((device) => (
          <details key={device} className="rounded-lg border border-line bg-surface">
            <summary className="cursor-pointer rounded-lg px-4 py-3 text-base font-medium focus-visible:-outline-offset-2 md:px-5">
              {TEXT[device].title}
            </summary>
            <div className="px-4 pb-4 md:px-5">{WAYS[device]()}</div>
          </details>
        ))}
      </div>
    </PageBody>
  );
}

function OnComputer() {
  const words = TEXT.computer;
  const inboxId = useInbox()?.id;
  const [chosenId, setChosenId] = useState('');
  const place = chosenId === '' || chosenId === inboxId ? null : chosenId;
  const address = buildBookmarklet(window.location.origin, place);
  const copy = async () => {
    if (await copyPromised(Promise.resolve(address))) toast.success(words.copied, words.copiedWhy);
    else toast.error(words.copyFailed);
  };
  return (
    <>
      <p className="mt-1 text-base text-ink-soft">{words.lead}</p>
      <div className="my-4 flex flex-wrap items-center gap-3">
        <BookmarkletAnchor address={address} />
        <Button variant="quiet" onClick={() => void copy()}>
          {words.copy}
        </Button>
      </div>
      <p className="mb-4 text-sm text-ink-soft">
        {words.bar} {nameBarKeys(navigator)}.
      </p>
      <CategoryField
        groups={useCategoryGroups()}
        value={chosenId || (inboxId ?? '')}
        onChange={setChosenId}
        createPlace={useCreatePlace()}
        onSeePlans={null}
        suggested={false}
      />
    </>
  );
}

function OnAndroid() {
  const install = useInstallOffer();
  return (
    <>
      <p className="mt-1 text-base text-ink-soft">{TEXT.android.lead}</p>
      {install ? (
        <Button variant="primary" className="my-3" onClick={install}>
          {OFFLINE_MESSAGES.install}
        </Button>
      ) : null}
      <Steps steps={TEXT.android.steps} />
    </>
  );
}

function OnIos() {
  const words = TEXT.ios;
  const address = `${window.location.origin}/salvar?url=`;
  return (
    <>
      <p className="mt-1 text-base text-ink-soft">{words.lead}</p>
      <Steps steps={words.steps} />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <code className="min-w-0 flex-1 basis-60 rounded bg-sunken px-3 py-2 text-sm wrap-anywhere select-all">
          {address}
        </code>
        <Button onClick={() => void copyLink(address)}>{words.copy}</Button>
      </div>
      <p className="mt-4 text-base">{words.install}</p>
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly string[] }) {
  return (
    <ol className="mt-3 flex list-decimal flex-col gap-2 pl-5 text-base marker:text-ink-faint">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
