import { useEffect } from 'react';
import { ApiError } from '../../../../contract/calls/errors.ts';
import { Loaded } from '../Loaded.tsx';
import { SoundSearch } from './SoundSearch.tsx';
import { SoundView } from './SoundView.tsx';
import { $sound, $soundAddress, openSoundPage, toSoundSearchUrl } from './sounds.ts';
import { useStore } from '../../ui/use-store.ts';

/** Sounds: a search, or the sound that the page's address names. */
export function SoundsPanel() {
  const address = useStore($soundAddress);
  useEffect(openSoundPage, []);
  if (address?.id === null) return <SoundSearch first={address.filter} />;
  return (
    <>
      {address !== null && (
        <p className="mb-4">
          <a className="link" href={toSoundSearchUrl(address.filter)}>
            検索に戻る
          </a>
        </p>
      )}
      <Loaded query={$sound} title={toTitle}>
        {(sound) => <SoundView sound={sound} />}
      </Loaded>
    </>
  );
}

function toTitle(error: unknown): string {
  if (!(error instanceof ApiError)) return 'サウンドを表示できませんでした';
  if (error.status === 404) return 'このサウンドはありません。削除されたか、IDが違います。';
  return error.kind === 'cancelled'
    ? 'サウンドの詳細を見るには、パスワードの確認が必要です'
    : 'サウンドを表示できませんでした';
}
