import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { PLANS } from '@linkoteca/domain/plans';
import { Link } from '@tanstack/react-router';
import {
  BookmarkPlus,
  CreditCard,
  Download,
  Keyboard,
  Languages,
  LogOut,
  Tags,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useInstallOffer } from '../../../shared/lib/browser/install-offer.ts';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { useSubscription } from '../api/subscription.ts';
import { useLinkUsage } from '../api/usage.ts';
import { PersonAvatar } from './picture/person-avatar.tsx';
import { UsageMeter } from './usage-meter.tsx';

/** An entry that the account itself knows nothing of, such as the theme. */
export interface AccountEntry {
  readonly icon: ReactNode;
  readonly label: string;
  /** The menu stays open. */
  readonly onPress: () => void;
}

interface AccountPanelProps {
  readonly person: Person;
  readonly leaving: boolean;
  readonly onSignOut: () => void;
  readonly onOpenBilling: () => void;
  readonly onOpenShortcuts: () => void;
  readonly onNavigate: () => void;
  readonly narrow?: { readonly entries: readonly AccountEntry[] } | undefined;
}

const row =
  'flex h-9 w-full items-center gap-2.5 rounded-sm px-2 text-left text-base text-ink [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint pointer-coarse:h-11';
const pressable = `${row} hover:bg-hover focus-visible:-outline-offset-2`;

/** What the account menu shows. */
export function AccountPanel(props: AccountPanelProps) {
  const { person, leaving, onSignOut, onOpenBilling, onOpenShortcuts, onNavigate, narrow } = props;
  const usage = useLinkUsage();
  const { subscription, problem } = useSubscription();
  const install = useInstallOffer();
  return (
    <>
      <div className="flex items-center gap-3 p-4">
        <PersonAvatar person={person} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-base font-medium" title={person.name}>
            {person.name}
          </p>
          <p className="truncate text-sm text-ink-soft" title={person.email}>
            {person.email}
          </p>
        </div>
        {subscription?.effectivePlan === 'free' ? (
          <Link to="/plans" onClick={onNavigate} className={buttonClassName('primary', 'small')}>
            {PLAN_MESSAGES.upgrade}
          </Link>
        ) : null}
      </div>
      <div className="flex flex-col gap-3 border-y border-line p-4">
        <UsageMeter usage={usage} />
        {usage?.warning ? <Notice tone="warning">{usage.warning}</Notice> : null}
        {problem ? <Notice tone="warning">{problem}</Notice> : null}
      </div>
      <div className="p-1.5">
        <button type="button" className={pressable} onClick={onOpenBilling}>
          <CreditCard aria-hidden />
          <span className="flex-1">Assinatura</span>
          {subscription ? (
            <Badge tone={subscription.plan === 'free' ? 'neutral' : 'accent'}>
              {PLANS[subscription.plan].name}
            </Badge>
          ) : null}
        </button>
        <Link to="/profile" onClick={onNavigate} className={pressable}>
          <UserRound aria-hidden />
          Perfil
        </Link>
        {narrow ? (
          <Link to="/plans" onClick={onNavigate} className={pressable}>
            <Tags aria-hidden />
            Planos
          </Link>
        ) : null}
        {narrow?.entries.map(({ icon, label, onPress }) => (
          <button key={label} type="button" className={pressable} onClick={onPress}>
            {icon}
            {label}
          </button>
        ))}
        <Link to="/salvar-de-qualquer-lugar" onClick={onNavigate} className={pressable}>
          <BookmarkPlus aria-hidden />
          {CAPTURE_MESSAGES.anywhere.title}
        </Link>
        {install ? (
          <button type="button" className={pressable} onClick={install}>
            <Download aria-hidden />
            {OFFLINE_MESSAGES.install}
          </button>
        ) : null}
        <div className={row}>
          <Languages aria-hidden />
          <span className="flex-1">Idioma</span>
          <span className="text-sm text-ink-soft">Português</span>
        </div>
        {narrow ? null : (
          <button type="button" className={pressable} onClick={onOpenShortcuts}>
            <Keyboard aria-hidden />
            <span className="flex-1">Atalhos do teclado</span>
            <Kbd>?</Kbd>
          </button>
        )}
      </div>
      <div className="border-t border-line p-1.5">
        <button
          type="button"
          className={pressable}
          aria-disabled={leaving}
          onClick={leaving ? undefined : onSignOut}
        >
          <LogOut aria-hidden />
          {leaving ? 'Saindo...' : 'Sair'}
        </button>
      </div>
    </>
  );
}
