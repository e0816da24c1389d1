import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import type { Connection } from '../../../shared/lib/connection/create-connection.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { PasteManyDialog } from '../components/pasting/paste-many-dialog.tsx';
import type { PasteManyDialogProps } from '../components/pasting/paste-many-props.ts';
import { flattenLinks, type LinkPages, linkPage } from '../model/link-pages.ts';
import { linkListKey } from '../model/link-rows.ts';
import type { CreatePlace } from '../model/new-category.ts';
import { CATEGORY, groups, OTHER } from './render-link-dialog.tsx';

/** The database's refusal when a plan is full. */
export const fullPlan: FakeAnswer = {
  status: 400,
  body: { code: 'P0001', message: 'x', details: '{"max":20}', hint: 'plan_limit_links' },
};

interface Row {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly category_id: string;
}

/** The rows as the table service answers new ones. */
export const storedRows = ({ body }: FakeRequest): FakeAnswer => ({
  status: 201,
  body: (body as Row[]).map((row) => ({ ...row, created_at: '2025-05-11T12:00:00Z', updated_at: 'x' })),
});

/** For a test's `beforeEach`. */
export function layOutPastedList(): void {
  // jsdom lays nothing out; the list needs a window of some height to draw its rows in.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(500);
}

interface Services {
  readonly respond?: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;
  readonly places?: readonly object[];
  readonly pages?: Readonly<Record<string, string>>;
  readonly connection?: Connection;
}

/** The dialog over an empty category that is on the screen; every page is silent unless `pages` gives it a title. */
export async function renderPasteMany(
  text: string,
  change: Partial<PasteManyDialogProps> = {},
  services: Services = {},
) {
  const preview = vi.fn(async (_input: unknown, init?: RequestInit) => {
    const { url } = JSON.parse(String(init?.body)) as { url: string };
    return Response.json({ url, title: services.pages?.[url] ?? null, description: null });
  });
  vi.stubGlobal('fetch', preview);
  const onClose = vi.fn();
  const createPlace = vi.fn<CreatePlace>(async () => ({ kind: 'created', id: OTHER }));
  const undo = vi.fn();
  const counted: number[] = [];
  const requests: Row[][] = [];
  const view = await renderWithProviders(
    <PasteManyDialog
      open
      text={text}
      categoryId={CATEGORY}
      groups={groups}
      allowance={{ used: 3, max: 20 }}
      beginCountLinks={async (gains) => {
        counted.push(...gains.values());
        return { undo, settle: () => undefined };
      }}
      createPlace={createPlace}
      onClose={onClose}
      {...change}
    />,
    {
      respond: (request) => {
        if (request.path === 'rpc/find_links_by_url') return { body: services.places ?? [] };
        requests.push(request.body as Row[]);
        return (services.respond ?? storedRows)(request);
      },
      connection: services.connection ?? null,
    },
  );
  const key = linkListKey(CATEGORY);
  view.queryClient.setQueryData<LinkPages>(key, { pages: [linkPage([], 50)], pageParams: [null] });
  const shown = () =>
    flattenLinks(view.queryClient.getQueryData<LinkPages>(key) ?? { pages: [] }).map(({ title }) => title);
  return { ...view, user: userEvent.setup(), onClose, createPlace, undo, counted, requests, preview, shown };
}

export const pastedRows = () => within(screen.getByRole('list', { name: 'Links colados' }));
export const pastedRow = (name: RegExp) => pastedRows().getByRole('checkbox', { name }) as HTMLInputElement;
/** The texts of the chosen lines. */
export const pastedTicks = () =>
  (pastedRows().getAllByRole('checkbox') as HTMLInputElement[])
    .filter((box) => box.checked)
    .map((box) => box.closest('label')?.textContent);
export const saveButton = () => screen.getByRole('button', { name: /^Salvar/ });
