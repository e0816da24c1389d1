import { Link } from '@tanstack/react-router';
import { LegalPage } from './legal-page.tsx';

/** /privacy-policy: what is kept and for how long. */
export function PrivacyPage() {
  return (
    <LegalPage
      title="Política de privacidade"
      other={
        <Link to="/terms" className="rounded-sm hover:underline">
          Termos de uso
        </Link>
      }
    >
      <h2>Dados da conta</h2>
      <p>
        Guardamos seu e-mail, que é obrigatório, seu nome, se você informar, o resumo criptográfico da sua
        senha e os códigos que mantêm você conectado.
      </p>
      <h2>Seu conteúdo</h2>
      <p>
        Guardamos seus links (endereço, título e descrição), suas pastas e categorias, e os e-mails que você
        incluir em um compartilhamento restrito.
      </p>
      <h2>Por quanto tempo</h2>
      <p>Seus dados ficam guardados até você excluir a conta. Depois disso, são apagados em até 30 dias.</p>
    </LegalPage>
  );
}
