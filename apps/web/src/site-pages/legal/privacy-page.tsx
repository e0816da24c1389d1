import type { SiteAssets } from '../site-assets.ts';
import { LegalDocument } from './legal-document.tsx';
import { PRIVACY_ABOUT_DATA } from './privacy-about-data.tsx';
import { PRIVACY_ABOUT_OTHERS } from './privacy-about-others.tsx';
import { PRIVACY_ABOUT_RIGHTS } from './privacy-about-rights.tsx';

const SUMMARY = [
  'Guardamos o que é preciso para o produto funcionar, e nada para vender.',
  'Não há anúncios, nem programas que sigam você por outros sites.',
  'Só você vê os seus links, até que os compartilhe.',
  'Você pode baixar tudo e apagar tudo, sozinho, na página do seu perfil.',
];

/** `/privacy-policy`: what is kept, why, who else sees it, and what people may ask for (LGPD, Lei 13.709/2018). */
export function PrivacyPage({ assets }: { readonly assets: SiteAssets }) {
  return (
    <LegalDocument
      name="privacy-policy"
      title="Política de privacidade"
      description="Quais dados a Linkoteca guarda, para quê, por quanto tempo, quem mais os vê e como usar os seus direitos da LGPD."
      summary={SUMMARY}
      sections={[...PRIVACY_ABOUT_DATA, ...PRIVACY_ABOUT_OTHERS, ...PRIVACY_ABOUT_RIGHTS]}
      assets={assets}
    />
  );
}
