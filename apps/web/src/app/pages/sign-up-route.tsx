import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SignUpScreen } from '../../features/auth/components/sign-up-screen.tsx';
import { arrivalOf } from './arrival-of.ts';
import { keepArrival } from './kept-arrival.ts';

/** /signup; with ?link= it keeps what was pasted into the field of the front page, whose form knows no other address of the app. */
export function SignUpRoute() {
  const { link, from } = useSearch({ from: '/signup' });
  const navigate = useNavigate();
  useEffect(() => {
    if (link === undefined) return;
    const arrival = arrivalOf(link);
    if (arrival !== null) keepArrival(arrival, false);
    // From here on it is a page to return to, like any other.
    void navigate({ to: '/signup', search: { from: arrival ?? from }, replace: true });
  }, [link, from, navigate]);
  return link === undefined ? <SignUpScreen /> : null;
}
