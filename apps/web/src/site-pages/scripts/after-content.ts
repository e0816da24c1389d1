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
const { dataset } = document.documentElement;
const end = () => {
  delete dataset['loading'];
};
// Who scrolls before the load is shown what is there.
addEventListener('scroll', end, { once: true, passive: true });
addEventListener('load', () => layOutRest(document, whenIdle, end));
