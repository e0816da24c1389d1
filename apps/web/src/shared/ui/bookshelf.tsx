const shelf = { width: 640, height: 150 };
const gap = 2;
const leanDegrees = 13;

// Width, height and hue of each book, left to right; a third of them carries no band, as on a real shelf.
const standing = [
  [13, 104, 6],
  [9, 122, 5],
  [18, 92, 1],
  [8, 112, 8],
  [12, 128, 3],
  [16, 98, 4],
  [9, 118, 7],
  [13, 86, 2],
  [20, 108, 5],
  [8, 124, 6],
  [11, 96, 1],
] as const;

/**
 * Drawn books in the folders' eight hues: the library that gave the product its name. Decorative. One shape a hue: each element costs a
 * slow phone time before it shows the page.
 */
export function Bookshelf({ className }: { readonly className?: string }) {
  const first = placeRow(0);
  const leaning = placeLeaning(first.end, 11, 110, 4);
  const second = placeRow(leaning.end + 10);
  const upright = [...first.books, ...second.books, ...placeLying(second.end + 6)];
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${shelf.width} ${shelf.height}`}
      preserveAspectRatio="xMinYMax meet"
      className={className}
    >
      {[1, 2, 3, 4, 5, 6, 7, 8].map((hue) => (
        <Books key={hue} hue={hue} books={upright.filter((book) => book.hue === hue)} />
      ))}
      <g transform={leaning.turn}>
        <Books hue={leaning.hue} books={[leaning]} />
      </g>
      <path d={upright.map(drawBand).join('')} fillOpacity={0.45} className="fill-paper" />
      <path d={drawBand(leaning)} transform={leaning.turn} fillOpacity={0.45} className="fill-paper" />
    </svg>
  );
}

interface Placed {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly hue: number;
}

function placeRow(start: number): { readonly books: readonly Placed[]; readonly end: number } {
  let left = start;
  const books = standing.map(([width, height, hue]) => {
    const book = { left, top: shelf.height - height, width, height, hue };
    left += width + gap;
    return book;
  });
  return { books, end: left };
}

/** A book that rests its upper left corner on the book before it. */
function placeLeaning(
  start: number,
  width: number,
  height: number,
  hue: number,
): Placed & { readonly end: number; readonly turn: string } {
  const angle = (leanDegrees * Math.PI) / 180;
  const left = start + height * Math.sin(angle);
  const end = left + width * Math.cos(angle);
  return {
    left,
    top: shelf.height - height,
    width,
    height,
    hue,
    end,
    turn: `rotate(-${leanDegrees} ${round(left)} ${shelf.height})`,
  };
}

/** Three books on their backs, one on another. */
function placeLying(left: number): readonly Placed[] {
  return [
    { left, top: shelf.height - 15, width: 104, height: 15, hue: 8 },
    { left: left + 7, top: shelf.height - 27, width: 88, height: 11, hue: 3 },
    { left: left + 3, top: shelf.height - 43, width: 96, height: 15, hue: 6 },
  ];
}

interface BooksProps {
  readonly books: readonly Placed[];
  readonly hue: number;
}

function Books({ books, hue }: BooksProps) {
  return (
    <path
      d={books.map(drawSpine).join('')}
      // An attribute, not a style: pages whose policy allows no style of a single element show it, too.
      fill={`color-mix(in oklab, var(--folder-${hue}) 84%, var(--paper))`}
    />
  );
}

const radius = 1.5;
const round = (number: number) => Math.round(number * 100) / 100;

function drawSpine({ left, top, width, height }: Placed): string {
  const [across, down] = [width - 2 * radius, height - 2 * radius].map(round);
  const corner = (x: number, y: number) => `a${radius} ${radius} 0 0 1 ${x} ${y}`;
  return `M${round(left + radius)} ${round(top)}h${across}${corner(radius, radius)}v${down}${corner(-radius, radius)}h-${across}${corner(-radius, -radius)}v-${down}${corner(radius, -radius)}z`;
}

function drawBand({ left, top, width, height, hue }: Placed): string {
  if (hue % 3 === 0) return '';
  return height > width
    ? `M${round(left)} ${round(top + height * 0.16)}h${width}v2h-${width}z`
    : `M${round(left + width * 0.12)} ${round(top)}h2v${height}h-2z`;
}
