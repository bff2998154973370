import type { Profile } from '../../../contract/accounts/profile.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { artistPath } from '../../lib/paths.ts';
import { Icon } from '../ui/Icon.tsx';

/** Says that the quality check is passed; reserves the space until the profile is loaded. */
export function Standing({ profile }: { profile: Profile | undefined }) {
  return (
    <section className="profile-panel profile-standing" aria-busy={profile === undefined || undefined}>
      <h2 className="text-lg">クオリティチェック</h2>
      {profile ? (
        <>
          <p key="text" className="flex gap-2">
            <Icon name="check" className="mt-0.5 size-6 flex-none text-success" />
            <span>合格しています。{profile.is_blocked ? '' : 'サウンドを公開できます。'}</span>
          </p>
          {profile.suspension_reason === undefined && (
            <a className="button justify-self-start" href={artistPath(profile.username)}>
              公開ページを見る
            </a>
          )}
        </>
      ) : (
        <p key="room">
          <span className="profile-bar w-full" />
          <span className="profile-bar w-2/3" />
        </p>
      )}
    </section>
  );
}

/** Says that the member is suspended, why, and what follows. */
export function Suspension({ reason }: { reason: string }) {
  return (
    <section className="profile-panel" aria-labelledby="suspension-title">
      <h2 id="suspension-title" className="flex items-center gap-2 text-lg">
        <Icon name="warning" className="size-6 flex-none text-danger" />
        アカウントは停止されています
      </h2>
      <p className="wrap-anywhere">理由：{reason}</p>
      <p>
        アーティストページとサウンドは、ほかの方には表示されません。アップロード、公開情報の変更、送金依頼もできません。
        {isExtended() && (
          <>
            ご質問やご意見は、
            <a className="underline" href="/contact">
              お問い合わせ
            </a>
            からお寄せください。
          </>
        )}
      </p>
    </section>
  );
}
