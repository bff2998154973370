import { FACT_PARAMETERS } from '../../../contract/sound-facts.ts';
import type { Capability } from '../../../contract/capabilities.ts';
import type { CallText } from './call-text.ts';
import { MEMBER_CALLS } from './member-calls.ts';
import { SOUND_CALLS } from './sound-calls.ts';

/** The areas of the document, by the module that serves their calls, in the order of the page. */
export const AREAS: Readonly<Record<string, string>> = {
  catalogue: 'サウンドを探す',
  downloads: 'ダウンロード',
  certificates: '利用証明書',
  artists: 'アーティスト',
  messages: 'メッセージとお問い合わせ',
  reports: '権利侵害などの報告',
  accounts: 'アカウントとログイン',
  profile: 'プロフィール',
  'my sounds': '自分のサウンド',
  reviews: '審査',
  ledger: '報酬と送金',
  'own data': '自分のデータ',
  site: 'サイト',
  notices: 'お知らせ広告',
  'api docs': 'この文書',
};

/** Every public call by its method and path. */
export const CALLS: Readonly<Record<string, CallText>> = { ...SOUND_CALLS, ...MEMBER_CALLS };

/** Query parameters beyond spec §7, by the capability that announces them. */
export const EXTENDED_PARAMETERS: Readonly<Record<string, Capability>> = {
  'listSounds is_ai_generated': 'sounds-by-ai',
  'listSounds sub_genres': 'sounds-by-sub-genre',
  'listSounds ordering': 'sounds-in-order',
  ...Object.fromEntries(FACT_PARAMETERS.map((name) => [`listSounds ${name}`, 'sound-facts' as const])),
  'listSounds search': 'sound-search',
  'listSounds ids': 'sounds-by-id',
  'downloadSound intent': 'download-intents',
  'downloadSound provider': 'download-intents',
};
