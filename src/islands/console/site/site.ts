import { toCallPath } from '../../../../contract/calls/endpoint.ts';
import {
  type OperatorSite,
  type SiteFlag,
  type SitePicture,
  getOperatorSite,
  removeSitePicture,
  setSiteFlag,
  setSitePicture,
} from '../../../../contract/operator/site.ts';
import { callApi } from '../../../api/browser.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { createPictureUpload } from '../../../stores/profile/profile.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

const SAVED = '保存しました。5秒以内に公開ページに反映されます。';

/** The settings of the whole site. */
export const $operatorSite = staffQuery<OperatorSite>('site', (signal) =>
  callApi(getOperatorSite, { signal }),
);

function createUpload(picture: SitePicture) {
  return createPictureUpload({
    endpoint: { method: setSitePicture.method, path: toCallPath(setSitePicture, { picture }) },
    part: 'picture',
    onTaken() {
      showToast('success', SAVED);
      $operatorSite.revalidate();
    },
  });
}

/** The upload of each picture of the site. */
export const siteUploads = {
  navbar_logo: createUpload('navbar_logo'),
  navbar_sp_logo: createUpload('navbar_sp_logo'),
  footer_logo: createUpload('footer_logo'),
  footer_banner: createUpload('footer_banner'),
} as const satisfies Readonly<Record<SitePicture, unknown>>;

/** Switches a setting on or off; asks before visitors are shut out. Never throws. */
export async function switchFlag(flag: SiteFlag, isOn: boolean): Promise<void> {
  const question = {
    title: 'メンテナンス中にしますか？',
    text: '公開ページはすべて「メンテナンス中」になり、ログインもできません。この画面からいつでも戻せます。',
    action: 'メンテナンス中にする',
  };
  if (flag === 'maintenance_mode' && isOn && !(await ask(question))) return;
  await saveAndReload(() => callApi(setSiteFlag, { body: { flag, is_on: isOn } }));
}

/** Removes a picture after a question. Never throws. */
export async function clearSitePicture(picture: SitePicture, name: string): Promise<void> {
  const text = '公開ページから消えます。ロゴがないときは、サイト名を文字で表示します。';
  if (!(await ask({ title: `${name}を外しますか？`, text, action: '外す' }))) return;
  await saveAndReload(() => callApi(removeSitePicture, { params: { picture } }));
}

async function saveAndReload(send: () => Promise<unknown>): Promise<void> {
  await attempt(send, { done: SAVED });
  $operatorSite.revalidate();
}
