import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import * as v from 'valibot';
import { PROFILE_TAB_NAMES } from '../features/account/model/profile-tabs.ts';
import { isOpenedByDevice } from './captures/is-opened-by-device.ts';
import { internalPathSchema } from './internal-path.ts';
import { lazyPage } from './lazy-page.ts';
import { keepArrival } from './pages/kept-arrival.ts';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { RootLayout } from './root-layout.tsx';

const text = v.fallback(v.optional(v.string()), undefined);

/** The router reads 123 and true as what they look like; here they are words to look for. */
const words = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String))),
  undefined,
);

const rootRoute = createRootRoute({ component: RootLayout, notFoundComponent: NotFoundPage });

const frontRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyPage(() => import('./pages/front-page.tsx'), 'FrontPage'),
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: v.object({
    /** The guarded page they came from, to return to after signing in. */
    from: internalPathSchema,
    notice: v.fallback(v.optional(v.picklist(['verify-email', 'session-ended'])), undefined),
    /** The provider that they come back from. */
    via: v.fallback(v.optional(v.string()), undefined),
  }),
  component: lazyPage(() => import('../features/auth/components/login-screen.tsx'), 'LoginScreen'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup',
  // link: what was pasted into the field of the front page.
  validateSearch: v.object({ from: internalPathSchema, link: words }),
  component: lazyPage(() => import('./pages/sign-up-route.tsx'), 'SignUpRoute'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyPage(
    () => import('../features/auth/components/reset-password-screen.tsx'),
    'ResetPasswordScreen',
  ),
});

const changePasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/change-password',
  /** What the mail of a reset or an invitation proves itself with. */
  validateSearch: v.object({
    token_hash: text,
    type: v.fallback(v.optional(v.literal('invite')), undefined),
  }),
  component: lazyPage(
    () => import('../features/auth/components/change-password-screen.tsx'),
    'ChangePasswordScreen',
  ),
});

const termsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/terms',
  component: lazyPage(() => import('./pages/drawn-page.tsx'), 'DrawnPage'),
});

const privacyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/privacy-policy',
  component: lazyPage(() => import('./pages/drawn-page.tsx'), 'DrawnPage'),
});

/** A category that somebody shares, by its readable address or by its id. */
const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared/$address',
  // app: past the server's own page. revoked: that page was open when access ended. copy, filter: that was asked for there.
  validateSearch: v.object({ app: words, revoked: words, copy: words, filter: words }),
  component: lazyPage(() => import('./shared-page/shared-route.tsx'), 'SharedRoute'),
});

/** Where invitation mails, and with `mail` the daily ones, lead whoever wants no more of them. */
const unsubscribeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/unsubscribe',
  validateSearch: v.object({
    token: v.fallback(v.optional(v.string(), ''), ''),
    mail: v.fallback(v.optional(v.literal('daily')), undefined),
  }),
  component: lazyPage(() => import('./pages/unsubscribe-page.tsx'), 'UnsubscribePage'),
});

/** A program asks a person to let it act. */
const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/consent',
  validateSearch: v.object({ authorization_id: v.fallback(v.optional(v.string(), ''), '') }),
  component: lazyPage(() => import('./pages/consent-page.tsx'), 'ConsentPage'),
});

/** Farewell, and until when signing in brings the account back. */
const accountDeletedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account-deleted',
  validateSearch: v.object({ until: v.fallback(v.optional(v.string(), ''), '') }),
  component: lazyPage(() => import('./pages/account-deleted-page.tsx'), 'AccountDeletedPage'),
});

/** The admin area finds its own pages: a single route keeps all of it out of everybody's first download. */
const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/diane/$',
  validateSearch: v.object({ q: words, plan: words, state: words, page: words }),
  component: lazyPage(() => import('./admin/admin-route.tsx'), 'AdminRoute'),
});

/** The separate redirect page of the specification: old links and home-screen shortcuts lead here. */
const redirectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/redirect',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true });
  },
});

/** The small window in which a bookmarklet saves the page that it was pressed on. */
const saveWindowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/salvar',
  validateSearch: v.object({ url: words, title: words, text: words, category: words }),
  component: lazyPage(() => import('./pages/save-window-page.tsx'), 'SaveWindowPage'),
});

/** Everything behind the login guard, inside the shell. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyPage(() => import('./shell/guarded-shell.tsx'), 'GuardedShell'),
});

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  validateSearch: v.object({ categoryId: text }),
  component: lazyPage(() => import('./pages/dashboard-route.tsx'), 'DashboardRoute'),
});

const categoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/category/$categoryId',
  // Mails about requests for access lead to who may see it.
  validateSearch: v.object({ share: words }),
  component: lazyPage(() => import('./pages/category-route.tsx'), 'CategoryRoute'),
});

const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/search',
  validateSearch: v.object({
    q: words,
    page: v.fallback(
      v.optional(v.pipe(v.union([v.string(), v.number()]), v.toNumber(), v.integer(), v.minValue(1))),
      undefined,
    ),
  }),
  component: lazyPage(() => import('./pages/search-route.tsx'), 'SearchRoute'),
});

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  validateSearch: v.object({
    tab: v.fallback(v.optional(v.picklist(PROFILE_TAB_NAMES)), undefined),
    /** Id of the account whose deletion is asked for again after a fresh sign-in. */
    deleting: text,
  }),
  component: lazyPage(() => import('./pages/profile-page.tsx'), 'ProfilePage'),
});

/** What was deleted in the last thirty days. */
const binRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/lixeira',
  component: lazyPage(() => import('./pages/bin-page.tsx'), 'BinPage'),
});

/** Addresses that are in the library more than once. */
const repeatedLinksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/repetidos',
  component: lazyPage(() => import('./pages/repeated-links-page.tsx'), 'RepeatedLinksPage'),
});

/** A person's tags. */
const tagsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tags',
  component: lazyPage(() => import('./pages/tags-page.tsx'), 'TagsPage'),
});

/** What was saved without a place yet, one link at a time, and what waits on this device. */
const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/entrada',
  component: lazyPage(() => import('./pages/inbox-page.tsx'), 'InboxPage'),
});

const plansRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/plans',
  component: lazyPage(() => import('./pages/plans-page.tsx'), 'PlansPage'),
});

/** A phone's share menu, and the shortcut of the installed app. */
const shareRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/share-target',
  // `asks`: it was kept on this device, and no share menu is known to have brought it. Whatever it says, also when a page said it before.
  validateSearch: v.object({ title: words, text: words, url: words, asks: v.optional(v.unknown()) }),
  beforeLoad: ({ location }) => keepArrival(location.href, isOpenedByDevice(window)),
  component: lazyPage(() => import('./pages/share-route.tsx'), 'ShareRoute'),
});

/** How to save without opening the app. */
const anywhereRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/salvar-de-qualquer-lugar',
  component: lazyPage(() => import('./pages/anywhere-page.tsx'), 'AnywherePage'),
});

const testRealtimeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/test-realtime',
  component: lazyPage(() => import('./pages/test-realtime-page.tsx'), 'TestRealtimePage'),
});

/** Every route of the product so far; any other path shows the not-found screen. */
export const routeTree = rootRoute.addChildren([
  frontRoute,
  loginRoute,
  signUpRoute,
  resetPasswordRoute,
  changePasswordRoute,
  termsRoute,
  privacyRoute,
  unsubscribeRoute,
  consentRoute,
  accountDeletedRoute,
  sharedRoute,
  redirectRoute,
  adminRoute,
  saveWindowRoute,
  shellRoute.addChildren([
    dashboardRoute,
    categoryRoute,
    searchRoute,
    tagsRoute,
    inboxRoute,
    binRoute,
    repeatedLinksRoute,
    profileRoute,
    plansRoute,
    testRealtimeRoute,
    shareRoute,
    anywhereRoute,
  ]),
]);
