import type { CallText } from './call-text.ts';
import { ACCOUNTS_CALLS } from './accounts.ts';
import { DOWNLOADS_CALLS } from './downloads.ts';
import { MESSAGES_CALLS } from './messages.ts';
import { MY_SOUNDS_CALLS } from './my-sounds.ts';
import { PROFILE_CALLS } from './profile.ts';
import { REWARDS_CALLS } from './rewards.ts';
import { SITE_CALLS } from './site.ts';
import { SOUNDS_CALLS } from './sounds.ts';
import { STATISTICS_CALLS } from './statistics.ts';
import { USES_CALLS } from './uses.ts';

/** A part of the document: a tag, and its name for readers. */
interface Area {
  /** Names classes and modules of generated clients; it never changes. */
  readonly tag: string;
  readonly title: string;
}

/** The areas of the document, by the module that serves their calls, in the order of the page. */
export const AREAS: Readonly<Record<string, Area>> = {
  catalogue: { tag: 'catalogue', title: 'サウンドを探す' },
  downloads: { tag: 'downloads', title: 'ダウンロード' },
  certificates: { tag: 'certificates', title: '利用証明書' },
  uses: { tag: 'uses', title: '使用報告' },
  artists: { tag: 'artists', title: 'アーティスト' },
  messages: { tag: 'messages', title: 'メッセージとお問い合わせ' },
  reports: { tag: 'reports', title: '権利侵害などの報告' },
  accounts: { tag: 'accounts', title: 'アカウントとログイン' },
  profile: { tag: 'profile', title: 'プロフィール' },
  'my sounds': { tag: 'my-sounds', title: '自分のサウンド' },
  reviews: { tag: 'reviews', title: '審査' },
  statistics: { tag: 'statistics', title: '再生と統計' },
  ledger: { tag: 'rewards', title: '報酬と送金' },
  'own data': { tag: 'own-data', title: '自分のデータ' },
  site: { tag: 'site', title: 'サイト' },
  notices: { tag: 'notices', title: '広告' },
  'api docs': { tag: 'api-docs', title: 'この文書' },
};

/** Every public call by its method and path. */
export const CALLS: Readonly<Record<string, CallText>> = {
  ...ACCOUNTS_CALLS,
  ...DOWNLOADS_CALLS,
  ...MESSAGES_CALLS,
  ...MY_SOUNDS_CALLS,
  ...PROFILE_CALLS,
  ...REWARDS_CALLS,
  ...SITE_CALLS,
  ...SOUNDS_CALLS,
  ...STATISTICS_CALLS,
  ...USES_CALLS,
};
