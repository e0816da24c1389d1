import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import {
  ArrowDown,
  ArrowUp,
  ArrowUpToLine,
  Copy,
  FolderInput,
  Info,
  ListOrdered,
  Pencil,
  Tag,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { MenuSeparator } from '../../../shared/ui/menus/menu-separator.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import type { LinkStars } from '../model/link-stars.ts';
import { ORDER_MESSAGES } from '../model/ordering/order-messages.ts';
import type { LinkPlacing } from '../model/ordering/own-order.ts';
import { type OrderedLinks, type PlaceStep, planStep } from '../model/ordering/plan-placing.ts';

interface LinkMenuProps {
  readonly anchor: Element | null;
  /** The link it is about; it stays while the menu fades out. */
  readonly link: Link | null;
  /** Null where the link belongs to someone else. */
  readonly onEdit: ((link: Link) => void) | null;
  readonly onMove: ((link: Link) => void) | null;
  readonly onTag: ((link: Link) => void) | null;
  readonly onDelete: ((link: Link) => void) | null;
  readonly onInfo: (link: Link) => void;
  readonly stars?: LinkStars;
  readonly order?: LinkMenuOrder;
  /** What can be done with its cover, where covers are shown. */
  readonly covers?: ReactNode;
  readonly onClose: () => void;
}

interface LinkMenuOrder extends OrderedLinks {
  /** Gives the category an order of its own. Null where it has one, or where none makes sense. */
  readonly begin: (() => void) | null;
  /** Null where another order is shown. */
  readonly place: ((placing: LinkPlacing) => void) | null;
}

/** The one menu of a list of links, beside whichever link asked for it. */
export function LinkMenu(props: LinkMenuProps) {
  const { anchor, link, onEdit, onMove, onTag, onDelete, onInfo, stars, order, covers, onClose } = props;
  const isStarred = link !== null && stars?.ids.has(link.id) === true;
  const act = (action: (link: Link) => void) => () => link && action(link);
  return (
    <AnchoredMenu anchor={anchor} label={`Ações do link ${link?.title ?? ''}`} onClose={onClose}>
      {onEdit ? (
        <MenuItem icon={<Pencil aria-hidden />} onSelect={act(onEdit)}>
          Editar
        </MenuItem>
      ) : null}
      <MenuItem icon={<Copy aria-hidden />} onSelect={act((each) => void copyLink(each.url))}>
        Copiar link
      </MenuItem>
      <MenuItem icon={<Info aria-hidden />} onSelect={act(onInfo)}>
        Informações
      </MenuItem>
      {stars ? (
        <MenuItem icon={<Star filled={isStarred} />} onSelect={act(stars.toggle)}>
          {isStarred ? FAVORITE_MESSAGES.remove : FAVORITE_MESSAGES.add}
        </MenuItem>
      ) : null}
      {onTag ? (
        <MenuItem icon={<Tag aria-hidden />} onSelect={act(onTag)}>
          Tags
        </MenuItem>
      ) : null}
      {onMove ? (
        <MenuItem icon={<FolderInput aria-hidden />} onSelect={act(onMove)}>
          Mover
        </MenuItem>
      ) : null}
      {covers}
      {order?.begin ? (
        <MenuItem icon={<ListOrdered aria-hidden />} onSelect={order.begin}>
          {ORDER_MESSAGES.begin}
        </MenuItem>
      ) : null}
      {link && order?.place ? <PlaceItems link={link} order={order} place={order.place} /> : null}
      {onDelete ? (
        <>
          <MenuSeparator />
          <MenuItem tone="danger" icon={<Trash2 aria-hidden />} onSelect={act(onDelete)}>
            Excluir
          </MenuItem>
        </>
      ) : null}
    </AnchoredMenu>
  );
}

const STEPS: readonly {
  readonly step: PlaceStep;
  readonly Icon: typeof ArrowUp;
  readonly aside?: string;
  readonly name: string;
}[] = [
  { step: 'first', Icon: ArrowUpToLine, name: ORDER_MESSAGES.toTop },
  { step: 'up', Icon: ArrowUp, aside: 'Alt+↑', name: ORDER_MESSAGES.up },
  { step: 'down', Icon: ArrowDown, aside: 'Alt+↓', name: ORDER_MESSAGES.down },
];

interface PlaceItemsProps {
  readonly link: Link;
  readonly order: OrderedLinks;
  readonly place: (placing: LinkPlacing) => void;
}

/** The steps that this link can make in the order of its category. */
function PlaceItems({ link, order, place }: PlaceItemsProps) {
  const steps = STEPS.map((each) => ({ ...each, placing: planStep(order, link.id, each.step) }));
  return (
    <>
      <MenuSeparator />
      {steps.map(({ step, Icon, aside, name, placing }) => (
        <MenuItem
          key={step}
          icon={<Icon aria-hidden />}
          aside={aside ? <span className="text-ink-faint pointer-coarse:hidden">{aside}</span> : null}
          disabled={placing === null}
          onSelect={() => placing && place(placing)}
        >
          {name}
        </MenuItem>
      ))}
    </>
  );
}
