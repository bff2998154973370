import type { ReactNode } from 'react';
import { toSrcset } from '../../../contract/pictures.ts';
import type { SessionUser } from '../../../contract/accounts.ts';

interface ProfileHeaderProps {
  /** null while nobody's name is known: then there is the room that one takes. */
  owner: SessionUser | null;
  background: string | null;
  isLoading: boolean;
  /** The right column. */
  children: ReactNode;
}

/** Spec §2: background 280 px high, picture 120 px, left and right column. */
export function ProfileHeader({ owner, background, isLoading, children }: ProfileHeaderProps) {
  return (
    <div aria-busy={isLoading || undefined}>
      <div className="h-[280px] overflow-hidden rounded-card bg-tint">
        {background && (
          <img
            className="size-full object-cover"
            src={background}
            srcSet={toSrcset(background, 'background')}
            sizes="(min-width: 1440px) 1376px, 100vw"
            alt=""
            width="1440"
            height="280"
          />
        )}
      </div>
      <div className="grid gap-8 md:grid-cols-[280px_minmax(0,1fr)] md:gap-6 md:px-6">
        <div className="relative -mt-[60px] px-2 md:px-0">
          <Picture owner={owner} />
          <h1 className="mt-3 min-h-9 text-2xl leading-9">
            {owner ? owner.username : <Bar label="プロフィール" />}
          </h1>
          <p className="min-h-6 text-sm leading-6 text-muted">{owner ? owner.email : <Bar />}</p>
          <p className="sr-only" role="status">
            {isLoading ? '読み込んでいます' : ''}
          </p>
        </div>
        <div className="profile-body">{children}</div>
      </div>
    </div>
  );
}

function Picture({ owner }: { owner: SessionUser | null }) {
  const picture = owner?.profile_picture;
  if (picture) {
    return (
      <img
        className="artist-picture"
        src={picture}
        srcSet={toSrcset(picture, 'avatar')}
        sizes="120px"
        alt=""
        width="120"
        height="120"
      />
    );
  }
  return (
    <span className="artist-picture" aria-hidden="true">
      {[...(owner?.username ?? '')][0]}
    </span>
  );
}

/** Stands for a line of text. */
function Bar({ label }: { label?: string }) {
  return (
    <>
      {label && <span className="sr-only">{label}</span>}
      <span className="profile-bar w-48" />
    </>
  );
}
