import { useEffect } from 'react';
import { guardUnsaved } from '../../browser/unsaved.ts';
import {
  $emailLinkProblems,
  $hasUnsaved,
  $profile,
  followEmailLinks,
  followSections,
  followProfile,
  reloadProfile,
} from '../../stores/profile/profile.ts';
import { $session } from '../../stores/session/session.ts';
import { Favorites } from '../my-sounds/Favorites.tsx';
import { MySounds } from '../my-sounds/MySounds.tsx';
import { QualityCheck } from '../quality-check/QualityCheck.tsx';
import { OwnReports } from '../reports/OwnReports.tsx';
import { LinkProblems } from '../ui/LinkProblems.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { AboutMe } from './AboutMe.tsx';
import { DonationHost } from './field-editor.ts';
import { LogOutButtons } from './LogOutButtons.tsx';
import { OwnData } from './OwnData.tsx';
import { PersonalInfo } from './PersonalInfo.tsx';
import { ProfileHeader } from './ProfileHeader.tsx';
import { RewardBlock } from './Rewards.tsx';
import { Standing, Suspension } from './Standing.tsx';
import { useStore } from '../ui/use-store.ts';

interface ProfileViewProps {
  donationHost: string;
  isExtended: boolean;
}

/** A member's own profile (spec §2). Space is reserved for parts that are still loading. */
export function ProfileView({ donationHost, isExtended }: ProfileViewProps) {
  const { data, error, loading } = useStore($profile);
  const { user } = useStore($session);
  const linkProblems = useStore($emailLinkProblems);
  // Without a valid quality check, what was uploaded before can still be managed.
  const isArtist = data?.is_verified || data?.has_sounds;
  const hasFailed = data === undefined && error !== undefined && !loading;
  useEffect(() => void followEmailLinks(), []);
  useEffect(followSections, []);
  useEffect(followProfile, []);
  // A store without listeners does not update, and the guard may read it at any time.
  useEffect(() => $hasUnsaved.listen(() => undefined), []);
  useEffect(() => guardUnsaved(() => $hasUnsaved.get()), []);
  return (
    <DonationHost value={donationHost}>
      {/* The session has enough for the header before the profile is loaded. */}
      <ProfileHeader
        owner={data ?? (user?.username ? user : null)}
        background={data?.profile_background ?? null}
        isLoading={data === undefined && !hasFailed}
        canEdit={data !== undefined}
        about={
          <>
            {hasFailed && <LoadFailure title="読み込めませんでした" error={error} onRetry={reloadProfile} />}
            {data?.suspension_reason !== undefined && <Suspension reason={data.suspension_reason} />}
            {linkProblems.length > 0 && (
              <LinkProblems problems={linkProblems} onRetry={() => void followEmailLinks()} />
            )}
            <AboutMe profile={data} />
          </>
        }
        manage={
          <>
            <LogOutButtons hasEverywhere={isExtended} />
            {data?.is_staff && (
              <section className="profile-panel">
                <h2 className="text-lg">運営</h2>
                <a className="button justify-self-start" href="/operator">
                  運営コンソール
                </a>
              </section>
            )}
            {isExtended && isArtist && (
              <section className="profile-panel">
                <h2 className="text-lg">使用報告</h2>
                <p className="form-hint">サウンドがどこで使われたかを、確かめて公開できます。</p>
                <a className="button justify-self-start" href="/profile/uses">
                  使用報告を見る
                </a>
              </section>
            )}
            {data?.is_verified && <Standing profile={data} />}
            {isExtended && <OwnData />}
          </>
        }
      >
        <RewardBlock profile={data} />
        <PersonalInfo profile={data} />
      </ProfileHeader>
      <div className="profile-below" tabIndex={-1}>
        {data === undefined && <Standing profile={undefined} />}
        {data && !data.is_verified && <QualityCheck profile={data} />}
        {isExtended && isArtist && <OwnReports />}
        {data && (isArtist ? <MySounds profile={data} /> : <Favorites username={data.username} />)}
      </div>
    </DonationHost>
  );
}
