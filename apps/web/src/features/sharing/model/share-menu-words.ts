/** Words of the menu beside 'Compartilhar', and of what its first entry does. */
export const SHARE_MENU_WORDS = {
  open: 'Mais formas de compartilhar',
  publish: 'Tornar pública e copiar o endereço',
  copyAddress: 'Copiar o endereço',
  whatsapp: 'Enviar pelo WhatsApp',
  email: 'Enviar por e-mail',
  qr: 'Mostrar código QR',
  qrTitle: 'Código QR',
  qrSave: 'Baixar imagem',
  device: 'Compartilhar pelo aparelho',
  follow: 'Acompanhar por RSS',
  more: 'Quem pode ver...',
  published: 'Categoria pública, e o endereço está copiado',
  publishedOnly: 'Categoria pública',
  copyByHand: 'O navegador não deixou copiar: o endereço está abaixo do nome.',
} as const;
