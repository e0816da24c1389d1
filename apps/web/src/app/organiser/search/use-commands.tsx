import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { OPERATORS } from '@linkoteca/domain/messages/search-messages';
import { useNavigate } from '@tanstack/react-router';
import {
  BookmarkPlus,
  CopyMinus,
  CopyPlus,
  CreditCard,
  Crown,
  Download,
  FileUp,
  FolderPlus,
  FolderTree,
  HardDrive,
  Inbox,
  Keyboard,
  LayoutDashboard,
  Library,
  Link2,
  Lock,
  LogOut,
  Monitor,
  Moon,
  Sun,
  Tags,
  Trash2,
  Unlink,
  UserRound,
  Users,
} from 'lucide-react';
import type { ProfileTab } from '../../../features/account/model/profile-tabs.ts';
import { useSignOut } from '../../../features/auth/api/use-sign-out.ts';
import type { SearchCommand } from '../../../features/search/model/search-extras.ts';
import { chooseTheme } from '../../../features/theme/model/choose-theme.ts';
import { nameKey } from '../../../shared/lib/name-key.ts';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { useLibrary } from '../use-library.ts';
import { useOpenCategoryId } from '../use-open-category.ts';

export type Command = SearchCommand & { readonly synonyms: string };

/** All that can be done by name, the commonest first. Each acts at once. */
export function useCommands(onOpenShortcuts: () => void): readonly Command[] {
  const ask = useOrganiserDialogs();
  const navigate = useNavigate();
  const { signOut } = useSignOut();
  const newCategory = useNewCategory();
  const profile = (tab: ProfileTab) => () => void navigate({ to: '/profile', search: { tab } });
  return [
    {
      id: 'new-link',
      label: 'Novo link',
      synonyms: 'adicionar criar salvar guardar endereço url',
      icon: <Link2 />,
      run: () => ask({ kind: 'add-link' }),
    },
    {
      id: 'new-folder',
      label: 'Nova pasta',
      synonyms: 'adicionar criar',
      icon: <FolderPlus />,
      run: () => ask({ kind: 'folder', folder: null }),
    },
    {
      id: 'new-category',
      label: 'Nova categoria',
      synonyms: 'adicionar criar',
      icon: <FolderTree />,
      run: newCategory,
    },
    {
      id: 'paste-links',
      label: 'Colar vários links',
      synonyms: 'adicionar lista muitos lote',
      hint: `${nameKey('mod')} V`,
      icon: <CopyPlus />,
      run: () => ask({ kind: 'paste-links', text: '' }),
    },
    {
      id: 'dashboard',
      label: 'Início',
      synonyms: 'painel casa página inicial favoritos recentes',
      icon: <LayoutDashboard />,
      run: () => void navigate({ to: '/dashboard' }),
    },
    {
      id: 'inbox',
      label: CAPTURE_MESSAGES.inbox,
      synonyms: 'caixa salvos depois organizar triagem esperando offline',
      icon: <Inbox />,
      run: () => void navigate({ to: '/entrada' }),
    },
    {
      id: 'all-links',
      label: 'Todos os links',
      synonyms: 'ver tudo lista completa',
      icon: <Library />,
      run: () => void navigate({ to: '/search' }),
    },
    {
      id: 'tags',
      label: 'Tags',
      synonyms: 'etiquetas marcadores organizar',
      icon: <Tags />,
      run: () => void navigate({ to: '/tags' }),
    },
    {
      id: 'repeated-links',
      label: 'Links repetidos',
      synonyms: 'duplicados iguais juntar limpar',
      icon: <CopyMinus />,
      run: () => void navigate({ to: '/repetidos' }),
    },
    {
      id: 'broken-links',
      label: 'Links quebrados',
      synonyms: 'verificar mortos fora do ar não respondem',
      icon: <Unlink />,
      run: () => void navigate({ to: '/search', search: { q: OPERATORS.broken.name } }),
    },
    {
      id: 'received',
      label: 'Compartilhados com você',
      synonyms: 'comigo recebidos convites outras pessoas',
      icon: <Users />,
      run: () => void navigate({ to: '/dashboard', hash: 'received-shares' }),
    },
    {
      id: 'bin',
      label: 'Lixeira',
      synonyms: 'excluídos apagados restaurar recuperar',
      icon: <Trash2 />,
      run: () => void navigate({ to: '/lixeira' }),
    },
    {
      id: 'theme-light',
      label: 'Tema claro',
      synonyms: 'aparência cores modo branco dia',
      icon: <Sun />,
      run: () => chooseTheme('light'),
    },
    {
      id: 'theme-dark',
      label: 'Tema escuro',
      synonyms: 'aparência cores modo preto noite noturno',
      icon: <Moon />,
      run: () => chooseTheme('dark'),
    },
    {
      id: 'theme-system',
      label: 'Tema do sistema',
      synonyms: 'aparência cores modo automático dispositivo',
      icon: <Monitor />,
      run: () => chooseTheme('system'),
    },
    {
      id: 'plans',
      label: 'Planos',
      synonyms: 'assinar upgrade preços plus pro limite',
      icon: <Crown />,
      run: () => void navigate({ to: '/plans' }),
    },
    {
      id: 'import',
      label: 'Importar favoritos',
      synonyms: 'arquivo html csv json navegador bookmarks trazer',
      icon: <FileUp />,
      run: profile('data'),
    },
    {
      id: 'anywhere',
      label: CAPTURE_MESSAGES.anywhere.title,
      synonyms: 'bookmarklet botão favorito navegador celular compartilhar atalho instalar extensão',
      icon: <BookmarkPlus />,
      run: () => void navigate({ to: '/salvar-de-qualquer-lugar' }),
    },
    {
      id: 'export',
      label: 'Exportar favoritos',
      synonyms: 'arquivo html csv json navegador bookmarks levar',
      icon: <Download />,
      run: profile('data'),
    },
    {
      id: 'profile',
      label: 'Perfil',
      synonyms: 'conta meus dados pessoais nome foto configurações ajustes',
      icon: <UserRound />,
      run: profile('personal'),
    },
    {
      id: 'security',
      label: 'Segurança',
      synonyms: 'senha dispositivos sessões conta trocar mudar',
      icon: <Lock />,
      run: profile('security'),
    },
    {
      id: 'billing',
      label: 'Faturamento',
      synonyms: 'assinatura pagamento cobrança cartão recibos cancelar reembolso',
      icon: <CreditCard />,
      run: profile('billing'),
    },
    {
      id: 'data',
      label: 'Baixar meus dados',
      synonyms: 'cópia backup excluir conta privacidade',
      icon: <HardDrive />,
      run: profile('data'),
    },
    {
      id: 'shortcuts',
      label: 'Atalhos do teclado',
      synonyms: 'teclas ajuda',
      hint: '?',
      icon: <Keyboard />,
      run: onOpenShortcuts,
    },
    {
      id: 'sign-out',
      label: 'Sair',
      synonyms: 'encerrar sessão logout deslogar desconectar',
      icon: <LogOut />,
      run: () => void signOut(),
    },
  ];
}

/** A new category in the folder on the screen, else in the first; without any folder that is what comes first. */
function useNewCategory(): () => void {
  const ask = useOrganiserDialogs();
  const { shelves } = useLibrary();
  const openId = useOpenCategoryId();
  return () => {
    const shelf = shelves.find(({ categories }) => categories.some(({ id }) => id === openId)) ?? shelves[0];
    if (shelf) ask({ kind: 'category', folder: shelf.folder, category: null });
    else ask({ kind: 'folder', folder: null });
  };
}
