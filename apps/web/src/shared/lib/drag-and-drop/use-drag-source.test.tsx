import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DragLoad, useDrag } from './drag-state.ts';
import { useDragSource } from './use-drag-source.ts';
import { useDropZone } from './use-drop-zone.ts';

const onDrop = vi.fn();
const onDropped = vi.fn();

/** Two things to drag, a field, and places for them: one that is their home, one that takes them, one that does not. */
function Page() {
  const source = useRef<HTMLDivElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const drag = useDrag();
  useDragSource(source, (target): DragLoad | null =>
    target.id === 'fixed'
      ? null
      : {
          kind: 'thing',
          ids: [target.id],
          label: 'Uma coisa',
          homeKey: 'home',
          urls: ['https://exemplo.com/1', 'https://exemplo.com/2'],
          onDropped,
        },
  );
  useDropZone(zone, { accepts: (_load, key) => key !== 'closed', onDrop });
  return (
    <>
      <div ref={source}>
        <button type="button" id="thing">
          Coisa
        </button>
        <button type="button" id="fixed">
          Fixa
        </button>
      </div>
      <div ref={zone}>
        {['home', 'open', 'closed'].map((key) => (
          <p key={key} data-drop-key={key}>
            {key}
          </p>
        ))}
      </div>
      <input aria-label="Campo" />
      <output>{drag ? `${drag.load.label} ${drag.over?.key} ${drag.over?.accepted}` : 'nada'}</output>
    </>
  );
}

const said = () => screen.getByRole('status').textContent;
const place = (key: string) => screen.getByText(key);

beforeEach(() => {
  vi.useFakeTimers();
  onDrop.mockClear();
  onDropped.mockClear();
  render(<Page />);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the mouse', () => {
  const transfer = () => ({
    setData: vi.fn(),
    setDragImage: vi.fn(),
    effectAllowed: 'uninitialized',
    dropEffect: 'none',
  });
  const pickUp = (name = 'Coisa') => {
    const dataTransfer = transfer();
    fireEvent.dragStart(screen.getByText(name), { dataTransfer });
    act(() => vi.advanceTimersByTime(1));
    return dataTransfer;
  };
  const over = (element: Element) => {
    const dataTransfer = transfer();
    const left = fireEvent.dragOver(element, { dataTransfer });
    return { effect: dataTransfer.dropEffect, left };
  };

  test('drops where something is taken; other programs get the addresses', () => {
    const dataTransfer = pickUp();
    expect(dataTransfer.setData).toHaveBeenCalledWith(
      'text/uri-list',
      'https://exemplo.com/1\r\nhttps://exemplo.com/2',
    );
    expect(dataTransfer.effectAllowed).toBe('all');
    expect(dataTransfer.setDragImage.mock.lastCall?.[0].textContent).toBe('Uma coisa');
    expect(document.querySelector('[data-drag-ghost]')).toBeNull();
    expect(over(place('open'))).toEqual({ effect: 'move', left: false });
    expect(said()).toBe('Uma coisa open true');
    fireEvent.drop(place('open'));
    expect(onDrop).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ids: ['thing'] }), 'open');
    expect(onDropped).toHaveBeenCalledOnce();
    expect(said()).toBe('nada');
  });

  test('nothing is taken at home, where the zone refuses, and beside the zone; a text field keeps its own drop', () => {
    pickUp();
    expect(over(place('home')).effect).toBe('none');
    expect(said()).toBe('Uma coisa home false');
    expect(over(place('closed')).effect).toBe('none');
    // Refused, not left to the browser, which might open the address in place of the page.
    expect(over(document.body)).toEqual({ effect: 'none', left: false });
    expect(over(screen.getByLabelText('Campo')).left).toBe(true);
    expect(said()).toBe('Uma coisa undefined undefined');
    fireEvent.drop(place('closed'));
    expect(onDrop).not.toHaveBeenCalled();
  });

  test('a drag that is given up, or whose end got lost, is over', () => {
    pickUp();
    fireEvent.dragEnd(screen.getByText('Coisa'));
    expect(said()).toBe('nada');
    pickUp();
    fireEvent.pointerMove(document.body, { buttons: 0 });
    expect(said()).toBe('nada');
    expect(over(place('open')).left).toBe(true);
  });

  test('what is not to be dragged is left to the browser', () => {
    expect(pickUp('Fixa').setData).not.toHaveBeenCalled();
    expect(said()).toBe('nada');
  });
});

describe('a finger', () => {
  let below: Element | null = null;
  const at = (x: number, y: number) => ({ touches: [{ clientX: x, clientY: y }] });
  const thing = () => screen.getByText('Coisa');
  const rest = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

  beforeEach(() => {
    below = null;
    document.elementFromPoint = () => below;
  });
  // jsdom has none, and axe in a later file asks whether there is one.
  afterEach(() => Reflect.deleteProperty(document, 'elementFromPoint'));

  test('picks up after 400 ms, drops where it is lifted, and opens nothing', () => {
    fireEvent.touchStart(thing(), at(10, 10));
    rest(399);
    expect(said()).toBe('nada');
    rest(1);
    expect(said()).toBe('Uma coisa undefined undefined');
    expect(document.querySelector('[data-drag-ghost]')?.textContent).toBe('Uma coisa');
    below = place('open');
    // The page must not scroll any more.
    expect(fireEvent.touchMove(thing(), at(10, 200))).toBe(false);
    expect(said()).toBe('Uma coisa open true');
    expect(fireEvent.touchEnd(thing(), { touches: [] })).toBe(false);
    expect(onDrop).toHaveBeenCalledOnce();
    expect(document.querySelector('[data-drag-ghost]')).toBeNull();
    expect(said()).toBe('nada');
  });

  test('scrolls when it moves before that, and presses when it is lifted', () => {
    fireEvent.touchStart(thing(), at(10, 10));
    expect(fireEvent.touchMove(thing(), at(10, 40))).toBe(true);
    rest(1000);
    expect(said()).toBe('nada');
    fireEvent.touchStart(thing(), at(10, 10));
    expect(fireEvent.touchEnd(thing(), { touches: [] })).toBe(true);
    rest(1000);
    expect(said()).toBe('nada');
  });

  test('drops nothing on what appears below it while it rests', () => {
    fireEvent.touchStart(thing(), at(10, 10));
    rest(400);
    below = place('open');
    fireEvent.touchMove(thing(), at(12, 11));
    fireEvent.touchEnd(thing(), { touches: [] });
    expect(onDrop).not.toHaveBeenCalled();
  });

  test("a second finger, Esc and the system's own gesture give it up", () => {
    for (const giveUp of [
      () => fireEvent.touchMove(thing(), { touches: [...at(1, 1).touches, ...at(9, 9).touches] }),
      () => fireEvent.keyDown(window, { key: 'Escape' }),
      () => fireEvent.touchCancel(thing()),
    ]) {
      fireEvent.touchStart(thing(), at(10, 10));
      rest(400);
      expect(said()).not.toBe('nada');
      act(() => void giveUp());
      expect(said()).toBe('nada');
    }
  });

  test("takes the place of the browser's menu and of its own drag, also when those come first", () => {
    for (const event of ['contextMenu', 'dragStart'] as const) {
      fireEvent.touchStart(thing(), at(10, 10));
      expect(fireEvent[event](thing())).toBe(false);
      expect(said()).not.toBe('nada');
      fireEvent.touchEnd(thing(), { touches: [] });
    }
    fireEvent.touchStart(screen.getByText('Fixa'), at(10, 10));
    expect(fireEvent.contextMenu(screen.getByText('Fixa'))).toBe(true);
  });
});
