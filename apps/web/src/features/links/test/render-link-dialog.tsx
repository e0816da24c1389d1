import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { LinkDialog, type LinkDialogProps } from '../components/form/link-dialog.tsx';
import { flattenLinks, type LinkPages, linkPage } from '../model/link-pages.ts';
import { linkListKey } from '../model/link-rows.ts';
import type { CreatePlace } from '../model/new-category.ts';

export const CATEGORY = '33333333-3333-4333-8333-333333333333';
export const OTHER = '44444444-4444-4444-8444-444444444444';

export const groups = [
  { folderId: 'f-estudos', folderName: 'Estudos', categories: [{ id: CATEGORY, name: 'Redes' }] },
  { folderId: 'f-viagens', folderName: 'Viagens', categories: [{ id: OTHER, name: 'Chapada' }] },
];

/** The preview service, when a test does not write its own: no page is known. */
const noPage = async () => Response.json({ url: '', title: null, description: null });

/**
 * The form of a link over an empty category that is on the screen.
 * @param respond answers writes; where an address is already is asked of `places`.
 */
export async function renderLinkDialog(
  respond: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  change: Partial<LinkDialogProps> = {},
  services: { readonly places?: readonly object[]; readonly preview?: typeof fetch } = {},
) {
  const preview = vi.fn(services.preview ?? noPage);
  vi.stubGlobal('fetch', preview);
  const onClose = vi.fn();
  const onLimit = vi.fn();
  const createPlace = vi.fn<CreatePlace>(async () => ({ kind: 'created', id: OTHER }));
  const undo = vi.fn();
  const requests: FakeRequest[] = [];
  /** Addresses that were asked for: are they there already? */
  const lookedUp: string[] = [];
  const view = await renderWithProviders(
    <LinkDialog
      open
      link={null}
      categoryId={CATEGORY}
      groups={groups}
      allowance={{ used: 3, max: 20 }}
      beginCountLinks={async () => ({ undo, settle: () => undefined })}
      createPlace={createPlace}
      tagging={null}
      onClose={onClose}
      onLimit={onLimit}
      {...change}
    />,
    {
      respond: (request) => {
        if (request.path === 'rpc/find_links_by_url') {
          lookedUp.push(...(request.body as { readonly urls: readonly string[] }).urls);
          return { body: services.places ?? [] };
        }
        requests.push(request);
        return respond(request);
      },
    },
  );
  const key = linkListKey(CATEGORY);
  view.queryClient.setQueryData<LinkPages>(key, { pages: [linkPage([], 50)], pageParams: [null] });
  const titles = () =>
    flattenLinks(view.queryClient.getQueryData<LinkPages>(key) ?? { pages: [] }).map((each) => each.title);
  return {
    ...view,
    user: userEvent.setup(),
    onClose,
    onLimit,
    createPlace,
    undo,
    requests,
    lookedUp,
    preview,
    titles,
  };
}

/** The row as the table service answers a new one. */
export const storedLink = ({ body }: FakeRequest): FakeAnswer => ({
  status: 201,
  body: { ...(body as object), created_at: '2025-05-11T12:00:00Z', updated_at: '2025-05-11T12:00:00Z' },
});

export async function fillLink(user: ReturnType<typeof userEvent.setup>, url: string, title: string) {
  await user.click(await screen.findByLabelText('URL'));
  await user.paste(url);
  await user.click(screen.getByLabelText('Título'));
  await user.paste(title);
}

/** Chooses a category as one types it. */
export async function pickCategory(user: ReturnType<typeof userEvent.setup>, typed: string) {
  await user.click(await screen.findByRole('combobox', { name: 'Categoria' }));
  await user.keyboard(`${typed}{Enter}`);
}
