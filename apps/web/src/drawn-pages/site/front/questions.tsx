import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { SectionHeading } from './section-heading.tsx';

interface Question {
  readonly question: string;
  readonly answer: ReactNode;
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'Quem consegue ver os meus links?',
    answer:
      'Só você, até que resolva compartilhar. Cada categoria nasce privada; pode virar uma página pública, que abre para quem tiver o endereço, ou ficar restrita aos e-mails que você listar. Nos dois casos os outros só leem, e você fecha a porta quando quiser.',
  },
  {
    question: 'O que acontece se eu cancelar um plano pago?',
    answer:
      'Você continua nele até o fim do período pago e depois volta ao plano Free. Nada é apagado nem escondido: o que passar do limite continua seu, para ler, editar e exportar. Só não dá para acrescentar. E nos primeiros 14 dias devolvemos o valor inteiro.',
  },
  {
    question: 'Posso levar tudo embora?',
    answer:
      'Pode, em qualquer plano: baixe uma cópia completa dos seus dados em JSON, na página do seu perfil. Se quiser ir de vez, exclua a conta ali mesmo, e tudo é apagado dos nossos servidores em até 30 dias.',
  },
];

/** Three questions, each opened and closed by itself, without any script. */
export function Questions() {
  return (
    <section id="perguntas" className="below border-t border-line bg-sidebar">
      <div className="mx-auto grid max-w-page gap-x-16 gap-y-8 px-6 py-16 md:px-8 md:py-24 lg:grid-cols-[1fr_2fr]">
        <SectionHeading title="Perguntas de quem chega">
          Três respostas curtas antes de você entrar.
        </SectionHeading>
        <div className="border-t border-line">
          {QUESTIONS.map(({ question, answer }) => (
            <details key={question} className="border-b border-line">
              <summary className="flex items-center justify-between gap-4 rounded py-5 text-lg font-medium text-ink">
                {question}
                <ChevronDown aria-hidden className="chevron size-5 shrink-0 text-ink-faint" />
              </summary>
              <p className="max-w-prose pr-9 pb-6 text-lg text-ink-soft">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
