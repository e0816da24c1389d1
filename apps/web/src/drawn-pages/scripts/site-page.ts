import { followMenu } from './follow-menu.ts';
import { layOutRest } from './lay-out-rest.ts';

const menu = document.getElementById('menu');
const button = document.querySelector<HTMLElement>('[popovertarget=menu]');
if (menu && button)
  followMenu({
    menu,
    button,
    behind: [...document.querySelectorAll<HTMLElement>('main, footer')],
    wide: matchMedia('(min-width: 48rem)'),
  });

// Safari has no idle moments; a short pause is one.
const whenIdle = (next: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(next) : setTimeout(next, 50);
addEventListener('load', () => layOutRest(document, whenIdle));
