// Width, height and colour of each spine, left to right; the pattern is drawn twice to fill wide shelves.
const spines = [
  [26, 168, 6],
  [18, 196, 5],
  [34, 150, 1],
  [14, 182, 8],
  [22, 206, 3],
  [30, 164, 4],
  [16, 190, 7],
  [24, 142, 2],
  [38, 176, 5],
  [14, 200, 1],
  [20, 158, 6],
] as const;

const shelfHeight = 220;
const gap = 5;

/** Drawn books in the folders' eight hues: the library the product is named after. Decorative. */
export function Bookshelf({ className }: { readonly className?: string }) {
  let left = 0;
  const books = [...spines, ...spines].map(([width, height, hue], order) => {
    const book = { order, left, width, height, hue };
    // The last book of each round leans on its neighbours and needs room for it.
    left += width + gap + (order % spines.length === spines.length - 1 ? 58 : 0);
    return book;
  });
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${left} ${shelfHeight}`}
      preserveAspectRatio="xMinYMax slice"
      className={className}
    >
      {books.map(({ order, ...book }) => (
        <Book key={order} {...book} leaning={order % spines.length === spines.length - 1} />
      ))}
    </svg>
  );
}

interface BookProps {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly hue: number;
  readonly leaning: boolean;
}

function Book({ left, width, height, hue, leaning }: BookProps) {
  const top = shelfHeight - height;
  return (
    <g transform={leaning ? `rotate(-16 ${left + width} ${shelfHeight}) translate(46 13)` : undefined}>
      <rect
        x={left}
        y={top}
        width={width}
        height={height + 4}
        rx="3"
        style={{ fill: `var(--folder-${hue})` }}
      />
      <rect x={left + 4} y={top + 16} width={width - 8} height="2" className="fill-paper/60" />
      <rect x={left + 4} y={top + 22} width={width - 8} height="2" className="fill-paper/60" />
      {width > 20 ? (
        <rect
          x={left + width / 2 - 2}
          y={top + 40}
          width="4"
          height={height / 3}
          rx="1"
          className="fill-paper/35"
        />
      ) : null}
    </g>
  );
}
