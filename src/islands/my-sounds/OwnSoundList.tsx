import type { SoundPagesStore } from '../../stores/my-sounds/my-sounds.ts';
import { OwnSoundCard } from './OwnSoundCard.tsx';
import { SoundPageList } from './SoundPageList.tsx';

interface OwnSoundListProps {
  pages: SoundPagesStore;
  typeName: string;
  artist: string;
  canUpload: boolean;
}

/** An artist's sounds of one type. */
export function OwnSoundList({ pages, typeName, artist, canUpload }: OwnSoundListProps) {
  const hint = canUpload
    ? '上のボタンからファイルを選んで、最初のサウンドを追加しましょう。'
    : '現在、新しいサウンドは追加できません。';
  return (
    <SoundPageList
      pages={pages}
      label={typeName}
      empty={`${typeName}はまだありません。${hint}`}
      renderItem={(sound) => (
        <li key={sound.id}>
          <OwnSoundCard sound={sound} artist={artist} />
        </li>
      )}
    />
  );
}
