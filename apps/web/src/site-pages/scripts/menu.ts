import { followMenu } from './follow-menu.ts';

const menu = document.getElementById('menu');
const button = document.querySelector<HTMLElement>('[popovertarget=menu]');
if (menu && button)
  followMenu({
    menu,
    button,
    behind: [...document.querySelectorAll<HTMLElement>('main, footer')],
    wide: matchMedia('(min-width: 48rem)'),
  });
