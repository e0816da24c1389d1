import { useMenuParts } from './menu-parts-context.ts';

/** A line between groups of a menu. */
export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator className="-mx-1 my-1 h-px bg-line" />;
}
