import type { OperatorSite, SiteFlag, SitePicture } from '../../../../contract/operator/site.ts';
import { PICTURE_BYTES_MAX } from '../../../../contract/accounts/profile.ts';
import { $operatorSite, switchFlag } from './site.ts';
import { SitePictureCard } from './SitePictureCard.tsx';
import { Loaded } from '../Loaded.tsx';

const FLAGS: readonly { readonly flag: SiteFlag; readonly name: string; readonly about: string }[] = [
  {
    flag: 'allow_register',
    name: '会員登録を受け付ける',
    about: 'オフにすると、新しい会員登録ができなくなります。いまの会員はそのまま使えます。',
  },
  {
    flag: 'maintenance_mode',
    name: 'メンテナンス中にする',
    about: 'オンにすると、公開ページはすべて「メンテナンス中」の表示になります。運営の画面は使えます。',
  },
];

const PICTURES: readonly {
  readonly picture: SitePicture;
  readonly name: string;
  readonly about: string;
}[] = [
  { picture: 'navbar_logo', name: 'ヘッダーのロゴ', about: '画面の上に、高さ32pxで表示します。' },
  {
    picture: 'navbar_sp_logo',
    name: 'スマートフォンのロゴ',
    about: '幅768px以下の画面で、ヘッダーのロゴの代わりに表示します。',
  },
  { picture: 'footer_logo', name: 'フッターのロゴ', about: '画面のいちばん下に表示します。' },
  { picture: 'footer_banner', name: 'フッターのバナー', about: 'フッターの上に、横長に表示します。' },
];

/** Switches, logos and banner of the whole site. */
export function SitePanel() {
  return (
    <Loaded query={$operatorSite} title="サイトの設定を読み込めませんでした">
      {(site) => (
        <div className="grid grid-cols-1 gap-8">
          <Flags site={site} />
          <Pictures site={site} />
        </div>
      )}
    </Loaded>
  );
}

function Pictures({ site }: { site: OperatorSite }) {
  return (
    <section aria-labelledby="pictures-title">
      <h2 id="pictures-title" className="text-lg">
        ロゴとバナー
      </h2>
      <p className="text-muted">
        JPEGかPNGの動かない画像で、{PICTURE_BYTES_MAX / 1024 / 1024}MBまでです。大きさは自動で整えます。
      </p>
      <ul className="console-pictures">
        {PICTURES.map((each) => (
          <SitePictureCard key={each.picture} {...each} url={site[each.picture]} />
        ))}
      </ul>
    </section>
  );
}

function Flags({ site }: { site: OperatorSite }) {
  return (
    <section aria-labelledby="flags-title">
      <h2 id="flags-title" className="text-lg">
        受付と公開
      </h2>
      {FLAGS.map(({ flag, name, about }) => (
        <div key={flag}>
          <label className="form-check">
            <input
              type="checkbox"
              checked={site[flag]}
              aria-describedby={`${flag}-about`}
              onChange={(event) => void switchFlag(flag, event.currentTarget.checked)}
            />
            <span className="font-semibold">{name}</span>
          </label>
          <p id={`${flag}-about`} className="text-sm text-muted">
            {about}
          </p>
        </div>
      ))}
    </section>
  );
}
