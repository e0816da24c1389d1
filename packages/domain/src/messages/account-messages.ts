/** Texts of section 8, 'Auth toasts', to the letter. */
export const ACCOUNT_MESSAGES = {
  signUp: {
    done: {
      title: 'Cadastro realizado com sucesso!',
      description: 'Verifique seu email para confirmar sua conta.',
    },
    failed: { title: 'Erro no cadastro', description: 'Ocorreu um erro ao criar sua conta.' },
    alreadyRegistered: { title: 'Erro no cadastro', description: 'Este email já está cadastrado.' },
    checkMail: 'Verifique seu email para confirmar sua conta',
  },
  login: {
    done: { title: 'Login realizado com sucesso!', description: 'Bem-vindo de volta.' },
    failed: { title: 'Erro no login', description: 'Email ou senha incorretos.' },
    sessionEnded: 'Sua sessão neste dispositivo terminou. Entre de novo para continuar.',
  },
  signOut: {
    done: { title: 'Logout realizado', description: 'Você saiu da sua conta.' },
    failed: { title: 'Erro ao sair', description: 'Não foi possível fazer logout.' },
  },
  reset: {
    sent: 'Email enviado!',
    failed: { title: 'Erro ao enviar email', description: 'Não foi possível enviar o email de redefinição.' },
    changeFailed: 'Erro ao alterar senha',
  },
  guard: {
    page: 'Você precisa estar logado para acessar esta página',
    action: 'Você precisa estar logado para realizar esta ação',
    operation: 'Você precisa estar autenticado para realizar esta operação',
  },
  profile: {
    saved: 'Perfil atualizado com sucesso!',
    failed: 'Erro ao atualizar perfil. Por favor, tente novamente.',
    emailReadOnly: 'O email não pode ser alterado',
  },
  password: {
    saved: 'Senha atualizada com sucesso!',
    wrongCurrent: 'Senha atual incorreta',
    same: 'A nova senha precisa ser diferente da atual.',
    linkSent: 'Abra o link que enviamos para o seu e-mail.',
    failed: 'Erro ao atualizar senha. Por favor, tente novamente.',
  },
} as const;

/** What forms say about the captcha, where the installation asks for one. */
export const CAPTCHA_MESSAGES = {
  missing: 'Complete a verificação de segurança e tente de novo.',
  failed: 'A verificação de segurança não deu certo. Tente de novo.',
  unavailable: 'A verificação de segurança não abriu. Veja sua conexão ou seu bloqueador de anúncios.',
} as const;
