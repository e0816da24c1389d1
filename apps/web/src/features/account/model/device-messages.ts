/** Settings, tab Segurança: where the account is signed in. */
export const DEVICE_MESSAGES = {
  title: 'Dispositivos',
  lead: 'Onde sua conta está aberta. Não reconhece algum? Saia dele e troque sua senha.',
  current: 'Este dispositivo',
  now: 'Em uso agora',
  unknown: 'Dispositivo desconhecido',
  unknownPlace: 'Local desconhecido',
  localNetwork: 'Rede local',
  end: 'Sair deste dispositivo',
  ending: 'Saindo...',
  endOthers: 'Sair dos outros',
  endAll: 'Sair de todos',
  endOthersQuestion: 'Sair dos outros dispositivos?',
  endOthersWhy: 'Quem estiver usando sua conta em outro lugar terá de entrar de novo. Você continua aqui.',
  endAllQuestion: 'Sair de todos os dispositivos?',
  endAllWhy: 'Sua conta será fechada em toda parte, também aqui. Você terá de entrar de novo.',
  ended: 'Dispositivo desconectado',
  endedOthers: 'Os outros dispositivos foram desconectados',
  gone: 'Este dispositivo já não estava conectado',
  endFailed: 'Não foi possível sair do dispositivo. Tente de novo.',
  endManyFailed: 'Não foi possível sair dos dispositivos. Tente de novo.',
  loadFailed: 'Não foi possível carregar seus dispositivos',
  loadFailedWhy: 'Verifique sua conexão e tente de novo.',
} as const;

/** 'Chrome no Windows'. */
export function describeDevice(browser: string | null, system: string | null): string {
  if (browser !== null && system !== null) return `${browser} no ${system}`;
  return browser ?? system ?? DEVICE_MESSAGES.unknown;
}

/** 'Rede 203.0.113.…' */
export function describeNetwork(start: string): string {
  return `Rede ${start}…`;
}

/** 'Último uso: hoje às 14:32' */
export function describeLastUse(moment: string): string {
  return `Último uso: ${moment}`;
}
