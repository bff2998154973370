import type * as v from 'valibot';
import type { LicenceSchema } from '../site/site.ts';
import type { LicenceUse } from '../sounds/sound-facts.ts';

/**
 * What the terms of the site give for every sound. Artists can only add uses that the terms do not give (decision 164).
 */

/** The page with the terms. Explanations on other pages are not binding. */
export const TERMS_SLUG = 'member-terms';
export const TERMS_PATH = `/${TERMS_SLUG}`;

export type Licence = Readonly<v.InferOutput<typeof LicenceSchema>>;

/** What the product's own terms give. */
export const DEFAULT_LICENCE: Licence & { readonly uses: LicenceUse[] } = {
  line: '動画・配信・ゲーム・アプリなどの作品に、個人・商用を問わず無料で使えます。クレジットの表記は任意です。サウンドそのものの再配布と、権利管理サービスへの登録はできません。',
  uses: ['video', 'streaming', 'games', 'apps', 'commercial', 'uncredited'],
};
