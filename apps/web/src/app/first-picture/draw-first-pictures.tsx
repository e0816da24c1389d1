import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { LoginScreen } from '../../features/auth/components/login-screen.tsx';
import { Dashboard } from '../../features/dashboard/components/dashboard.tsx';
import { FolderTreeSkeleton } from '../../features/folders/components/folder-tree-skeleton.tsx';
import { SidebarFrame } from '../../features/shell/components/sidebar-frame.tsx';
import { SkipLink } from '../../features/shell/components/skip-link.tsx';
import { TopBarFrame } from '../../features/shell/components/top-bar-frame.tsx';
import type { Sidebar } from '../../features/shell/model/use-sidebar.ts';
import { SessionContext } from '../../shared/lib/session/session-context.tsx';
import { BackendContext } from '../../shared/lib/supabase/backend-context.tsx';
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx';
import { CategoryPicture } from './category-picture.tsx';
import code from './show-first-picture.ts?script';

/**
 * What the app's page shows before the app's code has come: HTML for its body, written there by the build. Each picture is drawn
 * by the app's own components, and lies in a template until the script, with the address at hand, takes the one that fits.
 */
export async function drawFirstPictures(): Promise<string> {
  const pictures = {
    login: await draw('/login', LoginPicture),
    organiser: await draw('/dashboard', OrganiserPicture),
  };
  const templates = Object.entries(pictures).map(
    ([name, html]) => `<template data-first-picture="${name}">${html}</template>`,
  );
  return `${templates.join('')}<script>${code}</script>`;
}

const NOTHING = { subscribe: () => () => undefined, getState: () => ({ status: 'loading' }) };
/** As a fresh installation is set. */
const CONFIG = { supabaseUrl: 'http://localhost', supabaseAnonKey: '', signInProviders: [], passkeys: true };

function LoginPicture() {
  return (
    // Only what the screen reads before anybody does anything.
    <BackendContext value={{ config: CONFIG, authLink: { kind: 'none' } } as never}>
      <SessionContext value={NOTHING as never}>
        <LoginScreen />
      </SessionContext>
    </BackendContext>
  );
}

const nothing = () => undefined;
const WIDE: Sidebar = {
  narrow: false,
  collapsed: false,
  drawerOpen: false,
  toggle: nothing,
  closeDrawer: nothing,
};

/** The frame of the organiser, and in it the shape of each page that people open most. */
function OrganiserPicture() {
  const search = <Skeleton className="h-9 w-full pointer-coarse:h-11" />;
  return (
    <div className="flex h-dvh overflow-hidden bg-paper">
      <SkipLink />
      <div data-sidebar="" className="flex max-md:hidden">
        <SidebarFrame sidebar={WIDE} foot={null}>
          <div className="p-2">
            <FolderTreeSkeleton />
          </div>
        </SidebarFrame>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="max-md:hidden">
          <TopBarFrame sidebar={WIDE} search={search} actions={<ActionPlaces />} />
        </div>
        <div className="md:hidden">
          <TopBarFrame
            sidebar={{ ...WIDE, narrow: true }}
            search={search}
            actions={<ActionPlaces narrow />}
          />
        </div>
        <div data-scroller="" className="min-h-0 flex-1 overflow-y-auto">
          <div data-page="/dashboard">
            <Dashboard
              personName=""
              stats={null}
              recent={null}
              last={null}
              firstStep={null}
              favorites={null}
              received={null}
              onAdd={null}
              onOpenCategory={nothing}
            />
          </div>
          <div data-page="/category/" className="mx-auto w-full max-w-page px-4 py-5 md:px-8 md:py-7">
            <CategoryPicture />
          </div>
        </div>
      </div>
    </div>
  );
}

/** The room of theme and account, or of the one menu on a narrow screen: the search stands where it will. */
function ActionPlaces({ narrow = false }: { readonly narrow?: boolean }) {
  return (
    <>
      {narrow ? null : <span className="size-8" />}
      <Skeleton className="size-8 rounded-full" />
    </>
  );
}

/** Draws a component at an address: its links need a router. */
async function draw(path: string, component: () => ReactNode): Promise<string> {
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path, component })]),
    history: createMemoryHistory({ initialEntries: [path] }),
    isServer: true,
  });
  await router.load();
  return renderToStaticMarkup(<RouterProvider router={router as never} />);
}
