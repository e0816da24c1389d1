import { expect, test } from 'vitest';
import { chooseFirstPicture, chooseWayBack } from './choose-first-picture.ts';

const at = (address: string, signedIn: boolean) =>
  chooseFirstPicture(new URL(address, 'http://localhost') as unknown as Location, signedIn);
const LOGIN = { name: 'login', page: '' };

test.each(['/login', '/login?from=%2Fdashboard', '/dashboard', '/category/1', '/plans', '/search?q=x'])(
  'a visitor of %s will see the form',
  (address) => {
    expect(at(address, false)).toEqual(LOGIN);
  },
);

test.each(['/dashboard', '/category/', '/search', '/lixeira', '/profile', '/plans'])(
  'who is signed in sees the organiser at %s',
  (page) => {
    expect(at(`${page}?a=b`, true)).toEqual({ name: 'organiser', page });
  },
);

test('who is signed in already sees no form at /login: it leads to the dashboard', () => {
  expect(at('/login?from=%2Fplans', true)).toEqual({ name: 'organiser', page: '/dashboard' });
});

test.each([
  '/login?notice=verify-email',
  '/login?code=1',
  '/login?from=%2F&error=access_denied',
  '/login?via=google',
  '/login#access_token=1',
  '/dashboard#error=1',
  '/',
  '/signup',
  '/shared/1',
  '/change-password?token_hash=1',
])('a visitor of %s sees no picture: something else will stand there', (address) => {
  expect(at(address, false)).toBeNull();
});

test.each(['/', '/shared/1', '/diane/users', '/share-target?url=x', '/test-realtime'])(
  'nor does who is signed in at %s',
  (address) => {
    expect(at(address, true)).toBeNull();
  },
);

test.each([
  ['/login', null],
  ['/login?from=%2Fcategory%2F1%3Fa%3Db', '/category/1?a=b'],
  ['/category/1?a=b', '/category/1?a=b'],
])('the way back of %s', (address, way) => {
  expect(chooseWayBack(new URL(address, 'http://localhost') as unknown as Location)).toBe(way);
});
