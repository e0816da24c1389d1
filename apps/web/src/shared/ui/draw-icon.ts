import { createElement, type SVGProps } from 'react';

/** An icon's lines and shapes, each an element with its attributes. */
export type IconLines = readonly (readonly [string, Readonly<Record<string, string>>])[];

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly size?: number;
}

const LOOK = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/** What the build draws the library's icons with (slim-icons.ts). Only one that has a name is read aloud. */
export default function drawIcon(lines: IconLines) {
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, as the library's own is
  return function Icon({ size = 24, ...props }: IconProps) {
    return createElement(
      'svg',
      { ...LOOK, width: size, height: size, 'aria-hidden': !props['aria-label'] || undefined, ...props },
      ...lines.map(([element, attributes]) => createElement(element, attributes)),
    );
  };
}
