import { type ReactNode, useState } from 'react';
import type { SessionUser } from '../../../contract/accounts/accounts.ts';
import { toSrcset } from '../../../contract/site/pictures.ts';
import { BACKGROUND_SIZES, toInitial } from '../../lib/picture-sizes.ts';
import { $section, profileBackground, profilePicture } from '../../stores/profile/profile.ts';
import { Icon } from '../ui/Icon.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import { Username } from './Username.tsx';

interface ProfileHeaderProps {
  /** null until the name is loaded; its space is reserved. */
  owner: SessionUser | null;
  background: string | null;
  isLoading: boolean;
  canEdit: boolean;
  /** The right column. */
  about: ReactNode;
  /** Below the right column; on narrow screens at the end. */
  manage: ReactNode;
  /** The left column below the name. */
  children: ReactNode;
}

const PICTURES = [
  { key: 'background', upload: profileBackground, title: '背景の変更', shape: 'wide' },
  { key: 'picture', upload: profilePicture, title: 'プロフィール画像の変更', shape: 'circle' },
] as const;

/** Spec §2: background 280 px high, picture 120 px, left and right column. */
export function ProfileHeader({
  owner,
  background,
  isLoading,
  canEdit,
  about,
  manage,
  children,
}: ProfileHeaderProps) {
  const [open, setOpen] = useState<(typeof PICTURES)[number]['key'] | null>(null);
  return (
    <div aria-busy={isLoading || undefined}>
      <div className="relative h-[280px] overflow-hidden rounded-card bg-tint">
        {background && (
          <img
            data-background=""
            className="size-full object-cover"
            src={background}
            srcSet={toSrcset(background, 'background')}
            sizes={BACKGROUND_SIZES}
            alt=""
            width="1440"
            height="280"
          />
        )}
        <button
          type="button"
          className="picture-button profile-background-button"
          aria-haspopup="dialog"
          disabled={!canEdit}
          onClick={() => setOpen('background')}
        >
          <Icon name="camera" className="size-5" />
          背景を変更
        </button>
      </div>
      <div className="profile-columns">
        <div className="profile-identity">
          <div className="relative">
            <Picture owner={owner} />
            <button
              type="button"
              className="picture-button profile-picture-button"
              aria-label="プロフィール画像を変更"
              title="プロフィール画像を変更"
              aria-haspopup="dialog"
              disabled={!canEdit}
              onClick={() => setOpen('picture')}
            >
              <Icon name="camera" className="size-5" />
            </button>
          </div>
          <Username username={owner?.username ?? null} canEdit={canEdit} />
          <a className="button" href="#favorites" onClick={() => $section.set('favorites')}>
            <Icon name="heart" className="size-5" />
            お気に入り曲
          </a>
          <p className="sr-only" role="status">
            {isLoading ? '読み込んでいます' : ''}
          </p>
        </div>
        <div className="profile-about">{about}</div>
        <div className="profile-own">{children}</div>
        <div className="profile-manage">{manage}</div>
      </div>
      {PICTURES.map(({ key, ...picture }) => (
        <PictureDialog
          key={key}
          {...picture}
          isOpen={open === key}
          onClose={() => setOpen(null)}
          sendLabel="保存する"
        />
      ))}
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
      {toInitial(owner?.username ?? '')}
    </span>
  );
}
