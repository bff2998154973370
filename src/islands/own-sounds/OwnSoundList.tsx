import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { markTracks } from './mark-tracks.ts';
import type { SoundPagesStore } from '../../stores/own-sounds.ts';
import { ListFailure, MoreSounds } from './ListState.tsx';
import { OwnSoundCard } from './OwnSoundCard.tsx';

interface OwnSoundListProps {
  pages: SoundPagesStore;
  typeName: string;
  artist: string;
  canUpload: boolean;
}

/** An artist's sounds of one type. */
export function OwnSoundList({ pages, typeName, artist, canUpload }: OwnSoundListProps) {
  const list = useStore(pages.$pages);
  useEffect(markTracks);
  if (list.state === 'loading') return <p role="status">Loading...</p>;
  if (list.state === 'failed') return <ListFailure error={list.error} onRetry={() => void pages.load()} />;
  const { sounds, next, failure } = list;
  return (
    <>
      {failure?.at === 'load' && <ListFailure error={failure.error} onRetry={() => void pages.load()} />}
      {sounds.length === 0 && next === null ? (
        <p className="own-empty">
          {typeName}はまだありません。
          {canUpload
            ? '上のボタンからファイルを選んで、最初のサウンドを追加しましょう。'
            : '現在、新しいサウンドは追加できません。'}
        </p>
      ) : (
        <ul className="sound-grid" data-queue="" aria-label={typeName}>
          {sounds.map((sound) => (
            <li key={sound.id}>
              <OwnSoundCard sound={sound} artist={artist} />
            </li>
          ))}
        </ul>
      )}
      <MoreSounds list={list} pages={pages} />
    </>
  );
}
