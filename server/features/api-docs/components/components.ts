import { DoneSchema } from '../../../../contract/wire.ts';
import { reply, text } from '../field.ts';
import type { Component } from '../field.ts';
import { ACCOUNT_COMPONENTS } from './accounts.ts';
import { DOWNLOAD_COMPONENTS } from './downloads.ts';
import { PROFILE_COMPONENTS } from './profile.ts';
import { SITE_COMPONENTS } from './site.ts';
import { SOUND_COMPONENTS } from './sounds.ts';
import { STATISTICS_COMPONENTS } from './statistics.ts';
import { USES_COMPONENTS } from './uses.ts';

/** Every object of requests and replies by the name that generated clients give it; names never change. */
export const COMPONENTS: Readonly<Record<string, Component>> = {
  Done: reply('変更が済んだことを示す文', DoneSchema, {
    detail: text('結果を示す文', 'ログアウトしました。'),
  }),
  ...SOUND_COMPONENTS,
  ...DOWNLOAD_COMPONENTS,
  ...ACCOUNT_COMPONENTS,
  ...PROFILE_COMPONENTS,
  ...SITE_COMPONENTS,
  ...STATISTICS_COMPONENTS,
  ...USES_COMPONENTS,
};
