import { PICTURE_MESSAGES } from '@linkoteca/domain/messages/picture-messages';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from 'react';
import type { PictureSize } from '../../../../shared/lib/pictures/read-picture-file.ts';
import { type Crop, cropArea, cropSide, LARGEST_ZOOM, moveCrop, zoomCrop } from '../../model/picture/crop.ts';

/** Part of the square that an arrow key moves it by; with Shift five times as much. */
const KEY_STEP = 0.02;
const ZOOM_STEP = 0.1;

// One place uses them: they stay out of the style sheet that every screen fetches.
const AREA_STYLE = {
  width: 'min(18rem, 100%)',
  aspectRatio: 1,
  cursor: 'grab',
  touchAction: 'none',
} as const;
const WINDOW_STYLE = {
  boxShadow: '0 0 0 20rem rgb(0 0 0 / 0.5)',
  outline: '2px solid rgb(255 255 255 / 0.8)',
  outlineOffset: '-2px',
} as const;

interface CropperProps {
  readonly address: string;
  readonly size: PictureSize;
  readonly crop: Crop;
  readonly onCrop: (crop: Crop) => void;
}

/** The square of a picture: dragged, pinched or moved by keys under a round window, with a slider for how near. */
export function Cropper({ address, size, crop, onCrop }: CropperProps) {
  const hintId = useId();
  const area = useRef<HTMLDivElement>(null);
  const latest = useRef({ size, crop, onCrop });
  useEffect(() => {
    latest.current = { size, crop, onCrop };
  });
  useWheelZoom(area, (factor) => {
    const now = latest.current;
    now.onCrop(zoomCrop(now.size, now.crop, now.crop.zoom * factor));
  });
  const fingers = useFingers((drag) => {
    const width = area.current?.clientWidth || 1;
    const scale = cropSide(size, crop) / width;
    const moved = moveCrop(size, crop, -drag.right * scale, -drag.down * scale);
    onCrop(zoomCrop(size, moved, moved.zoom * drag.spread));
  });
  const press = (event: KeyboardEvent) => {
    const next = followKey(event, size, crop);
    if (next === null) return;
    event.preventDefault();
    onCrop(next);
  };
  const { left, top, side } = cropArea(size, crop);
  const percent = (value: number) => `${(100 * value) / side}%`;
  return (
    <div className="flex flex-col gap-3">
      <div
        ref={area}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that a mouse or fingers do without
        tabIndex={0}
        aria-label={PICTURE_MESSAGES.area}
        aria-describedby={hintId}
        className="relative mx-auto overflow-hidden rounded-lg bg-sunken select-none"
        style={AREA_STYLE}
        onKeyDown={press}
        {...fingers}
      >
        <img
          src={address}
          alt=""
          draggable={false}
          className="absolute"
          style={{
            maxWidth: 'none',
            width: percent(size.width),
            height: percent(size.height),
            left: percent(-left),
            top: percent(-top),
          }}
        />
        <div aria-hidden className="pointer-events-none absolute inset-0 rounded-full" style={WINDOW_STYLE} />
      </div>
      <label className="flex items-center justify-center gap-3 text-ink-soft [&_svg]:size-4 [&_svg]:shrink-0">
        <ZoomOut aria-hidden />
        <input
          type="range"
          aria-label={PICTURE_MESSAGES.zoom}
          min={1}
          max={LARGEST_ZOOM}
          step={0.01}
          value={crop.zoom}
          className="h-8 accent-accent pointer-coarse:h-11"
          onChange={({ target }) => onCrop(zoomCrop(size, crop, target.valueAsNumber))}
        />
        <ZoomIn aria-hidden />
      </label>
      <p id={hintId} className="text-center text-sm text-ink-faint">
        {PICTURE_MESSAGES.areaHint}
      </p>
    </div>
  );
}

/** Where a key leads; null for a key that means nothing here. */
function followKey(event: KeyboardEvent, size: PictureSize, crop: Crop): Crop | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = cropSide(size, crop) * KEY_STEP * (event.shiftKey ? 5 : 1);
  switch (event.key) {
    case 'ArrowLeft':
      return moveCrop(size, crop, -step, 0);
    case 'ArrowRight':
      return moveCrop(size, crop, step, 0);
    case 'ArrowUp':
      return moveCrop(size, crop, 0, -step);
    case 'ArrowDown':
      return moveCrop(size, crop, 0, step);
    case '+':
    case '=':
      return zoomCrop(size, crop, crop.zoom + ZOOM_STEP);
    case '-':
    case '_':
      return zoomCrop(size, crop, crop.zoom - ZOOM_STEP);
    default:
      return null;
  }
}

interface Drag {
  /** Pixels of the screen. */
  readonly right: number;
  readonly down: number;
  /** How much farther apart two fingers are than before. */
  readonly spread: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One pointer drags, two pinch. */
function useFingers(onDrag: (drag: Drag) => void) {
  const points = useRef(new Map<number, Point>());
  const lift = (event: PointerEvent) => points.current.delete(event.pointerId);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      points.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: (event: PointerEvent) => {
      const before = points.current.get(event.pointerId);
      if (before === undefined) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...points.current].find(([id]) => id !== event.pointerId)?.[1];
      points.current.set(event.pointerId, now);
      const share = other ? 0.5 : 1;
      onDrag({
        right: (now.x - before.x) * share,
        down: (now.y - before.y) * share,
        spread: other ? distance(now, other) / Math.max(1, distance(before, other)) : 1,
      });
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** The wheel over the picture is for the picture; the framework's own listener could not keep the page from scrolling. */
function useWheelZoom(
  area: { readonly current: HTMLElement | null },
  onZoom: (factor: number) => void,
): void {
  const latest = useRef(onZoom);
  useEffect(() => {
    latest.current = onZoom;
  });
  useEffect(() => {
    const element = area.current;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(Math.exp(-event.deltaY / 400));
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [area]);
}
