import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import {
  ArrowLeft,
  ChartColumn,
  CreditCard,
  LayoutDashboard,
  Menu,
  ScrollText,
  UsersRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useNarrowScreen } from '../../../shared/lib/browser/use-narrow-screen.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { Drawer } from '../../../shared/ui/dialogs/drawer.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Logo } from '../../../shared/ui/logo.tsx';
import { SearchForm } from './search-form.tsx';

const groups = [
  {
    name: 'GESTÃO',
    entries: [
      { path: '', label: 'Dashboard', icon: LayoutDashboard },
      { path: 'users', label: 'Usuários', icon: UsersRound },
      { path: 'plans', label: 'Planos e Assinaturas', icon: CreditCard },
      { path: 'statistics', label: 'Estatísticas', icon: ChartColumn },
    ],
  },
  { name: 'CONTROLE', entries: [{ path: 'audit', label: 'Registro de acessos', icon: ScrollText }] },
] as const;

interface AdminFrameProps {
  /** Which page is open: '', 'users' …. */
  readonly open: string;
  /** At the header's right, before the avatar. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** Around every page of the admin area: the sidebar (a drawer below 768 px) and a header with the search over users. */
export function AdminFrame({ open, actions, children }: AdminFrameProps) {
  const narrow = useNarrowScreen();
  const [drawer, setDrawer] = useState(false);
  const navigate = useNavigate();
  const { search } = useLocation();
  const close = () => setDrawer(false);
  return (
    <div className="admin-frame">
      {narrow ? (
        <Drawer open={drawer} onClose={close} label="Administração">
          <AdminNavigation onNavigate={close} />
        </Drawer>
      ) : (
        <aside className="admin-sidebar">
          <AdminNavigation onNavigate={close} />
        </aside>
      )}
      <div className="admin-body">
        <header className="admin-header">
          {narrow ? (
            <IconButton label="Abrir navegação" aria-expanded={drawer} onClick={() => setDrawer(true)}>
              <Menu aria-hidden />
            </IconButton>
          ) : null}
          <SearchForm
            label="Buscar usuários"
            placeholder="Buscar usuários..."
            value={open === 'users' ? ((search as { q?: string }).q ?? '') : ''}
            onSearch={(q) =>
              void navigate({
                to: '/diane/$',
                params: { _splat: 'users' },
                search: { q: q || undefined, plan: undefined, page: undefined },
              })
            }
          />
          <div className="admin-identity">
            {actions}
            <Avatar name="Admin" />
            <span className="admin-identity-name">Admin</span>
          </div>
        </header>
        <main className="admin-main">{children}</main>
      </div>
    </div>
  );
}

function AdminNavigation({ onNavigate }: { readonly onNavigate: () => void }) {
  return (
    <nav aria-label="Administração" className="admin-navigation">
      <Link to="/dashboard" aria-label="Linkoteca" className="admin-logo">
        <Logo />
      </Link>
      {groups.map(({ name, entries }) => (
        <div key={name}>
          <h2>{name}</h2>
          <ul>
            {entries.map(({ path, label, icon: Icon }) => (
              <li key={path}>
                <Link
                  to="/diane/$"
                  params={{ _splat: path }}
                  onClick={onNavigate}
                  activeOptions={{ exact: true, includeSearch: false }}
                >
                  <Icon aria-hidden size={16} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Link to="/dashboard" className="admin-back">
        <ArrowLeft aria-hidden size={16} />
        Voltar aos meus links
      </Link>
    </nav>
  );
}
