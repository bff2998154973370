import type { Profile } from '../../../contract/profile.ts';
import { artistPath } from '../../lib/paths.ts';
import { Icon } from '../ui/Icon.tsx';

/** That the quality check is passed; until it is known whether it is, room for saying so. */
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
          <a className="button justify-self-start" href={artistPath(profile.username)}>
            公開ページを見る
          </a>
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
