import type { Profile } from '../../../contract/profile.ts';
import { artistPath } from '../../lib/paths.ts';
import { Icon } from '../ui/Icon.tsx';

/** Where the membership stands, and what happens next. Every state takes the same room. */
export function Standing({ profile }: { profile: Profile | undefined }) {
  return (
    <section className="profile-panel profile-standing" aria-busy={profile === undefined || undefined}>
      <h2 className="text-lg">クオリティチェック</h2>
      {profile ? (
        <p key="text" className="flex gap-2">
          {profile.is_verified && <Icon name="check" className="mt-0.5 size-6 flex-none text-success" />}
          <span>{describeStanding(profile)}</span>
        </p>
      ) : (
        <p key="room">
          <span className="profile-bar w-full" />
          <span className="profile-bar w-2/3" />
        </p>
      )}
      {profile?.is_verified && (
        <a className="button justify-self-start" href={artistPath(profile.username)}>
          公開ページを見る
        </a>
      )}
    </section>
  );
}

function describeStanding({ is_verified, status }: Profile): string {
  if (is_verified) return '合格しています。サウンドを公開できます。';
  if (status === 'pending') {
    return '申請を受け付けました。スタッフが確認していますので、結果をお待ちください。';
  }
  return 'サウンドをアップロードするには、クオリティチェックの合格が必要です。まだ申請していません。';
}
