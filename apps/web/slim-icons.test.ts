import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  Bell,
  Check,
  EllipsisVertical,
  Infinity as Endless,
  FolderOpen,
  LoaderCircle,
  Monitor,
  Tag,
} from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { takeIconLines } from './slim-icons.ts';
import drawIcon, { type IconLines } from './src/shared/ui/draw-icon.ts';

const readModule = (name: string) =>
  readFile(fileURLToPath(import.meta.resolve(`lucide-react/icons/${name}`)), 'utf8');

/** Each tag with its attributes in the order of their names, without the library's classes. */
const tagsOf = (html: string) =>
  html
    .replaceAll(/ class="(?:lucide[\w-]* ?)*"|(?<= class=")(?:lucide[\w-]* )+/g, '')
    .match(/<[^>]*>/g)
    ?.map((tag) => tag.match(/<\/?\w+|[\w-]+="[^"]*"/g)?.toSorted());

test.each([
  ['bell', Bell],
  ['check', Check],
  ['ellipsis-vertical', EllipsisVertical],
  ['folder-open', FolderOpen],
  ['infinity', Endless],
  ['loader-circle', LoaderCircle],
  ['monitor', Monitor],
  ['tag', Tag],
])('the build draws %s as the library does, but for the names of its class', async (name, Library) => {
  const lines: IconLines = new Function(`return ${takeIconLines(await readModule(name))}`)();
  const Slim = drawIcon(lines);
  for (const props of [
    {},
    { 'aria-hidden': true, className: 'size-4' },
    { 'aria-label': 'em uso' },
    { 'aria-hidden': true, size: 16 },
  ]) {
    expect(tagsOf(renderToStaticMarkup(createElement(Slim, props)))).toEqual(
      tagsOf(renderToStaticMarkup(createElement(Library, props))),
    );
  }
});

test('the module of an icon’s old name is left as it is', async () => {
  expect(takeIconLines(await readModule('more-vertical'))).toBeNull();
});
