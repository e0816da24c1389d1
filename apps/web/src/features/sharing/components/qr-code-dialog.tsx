import { Download } from 'lucide-react';
import { encode } from 'uqr';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { SHARE_MENU_WORDS } from '../model/share-menu-words.ts';

interface QrCodeDialogProps {
  readonly open: boolean;
  readonly name: string;
  readonly address: string;
  readonly onClose: () => void;
}

/** Pixels of a module in the picture that is saved: sharp on a slide and on paper. */
const SAVED_MODULE = 24;

/** An address to point a phone at: on the screen of a classroom, or saved for slides and paper. Black on white in both themes: cameras expect it. */
export function QrCodeDialog({ open, name, address, onClose }: QrCodeDialogProps) {
  const { data, size } = encode(address, { ecc: 'M', border: 3 });
  const save = () => {
    const picture = drawPicture(data, size);
    const anchor = document.createElement('a');
    anchor.href = picture.toDataURL('image/png');
    anchor.download = `${name}.png`;
    anchor.click();
  };
  return (
    <Dialog open={open} onClose={onClose} title={SHARE_MENU_WORDS.qrTitle} description={name}>
      <svg
        role="img"
        aria-label={`${SHARE_MENU_WORDS.qrTitle}: ${address}`}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="mx-auto w-full max-w-80 rounded-lg border border-line"
      >
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path
          fill="#000"
          d={darkModules(data)
            .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
            .join('')}
        />
      </svg>
      <p className="mt-3 text-center text-sm break-all text-ink-soft">{address}</p>
      <Button
        variant="secondary"
        icon={<Download aria-hidden />}
        className="mx-auto mt-4 flex"
        onClick={save}
      >
        {SHARE_MENU_WORDS.qrSave}
      </Button>
    </Dialog>
  );
}

function darkModules(data: readonly (readonly boolean[])[]): readonly (readonly [number, number])[] {
  return data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [[x, y] as const] : [])));
}

function drawPicture(data: readonly (readonly boolean[])[], size: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = size * SAVED_MODULE;
  canvas.height = canvas.width;
  const pen = canvas.getContext('2d');
  if (pen === null) return canvas;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  for (const [x, y] of darkModules(data))
    pen.fillRect(x * SAVED_MODULE, y * SAVED_MODULE, SAVED_MODULE, SAVED_MODULE);
  return canvas;
}
