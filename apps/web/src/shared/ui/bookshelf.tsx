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

/** Drawn books in the folders' eight hues: the library that gave the product its name. Decorative. */
export function Bookshelf({ className }: { readonly className?: string }) {
  const first = placeRow(0);
  const leaning = placeLeaning(first.end, 11, 110, 4);
  const second = placeRow(leaning.end + 10);
  const lying = placeLying(second.end + 6);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${shelf.width} ${shelf.height}`}
      preserveAspectRatio="xMinYMax meet"
      className={className}
    >
      {[...first.books, leaning, ...second.books, ...lying].map((book) => (
        <Book key={book.left} {...book} />
      ))}
    </svg>
  );
}

interface Placed {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly hue: number;
  readonly turn?: string;
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
): Placed & { readonly end: number } {
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
    turn: `rotate(-${leanDegrees} ${left} ${shelf.height})`,
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

function Book({ left, top, width, height, hue, turn }: Placed) {
  const upright = height > width;
  const band = upright
    ? { x: left, y: top + height * 0.16, width, height: 2 }
    : { x: left + width * 0.12, y: top, width: 2, height };
  return (
    <g transform={turn}>
      <rect
        x={left}
        y={top}
        width={width}
        height={height}
        rx="1.5"
        // An attribute, not a style: pages whose policy allows no style of a single element show it, too.
        fill={`color-mix(in oklab, var(--folder-${hue}) 84%, var(--paper))`}
      />
      {hue % 3 === 0 ? null : <rect {...band} fillOpacity={0.45} className="fill-paper" />}
    </g>
  );
}
