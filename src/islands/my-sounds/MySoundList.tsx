import { MySoundCard } from './MySoundCard.tsx';
import { SoundPageList } from './SoundPageList.tsx';

interface MySoundListProps {
  typeName: string;
  artist: string;
  canUpload: boolean;
}

/** An artist's sounds of one type. */
export function MySoundList({ typeName, artist, canUpload }: MySoundListProps) {
  const hint = canUpload
    ? '上のボタンからファイルを選んで、最初のサウンドを追加しましょう。'
    : '現在、新しいサウンドは追加できません。';
  return (
    <SoundPageList
      label={typeName}
      empty={`${typeName}はまだありません。${hint}`}
      renderItem={(sound) => (
        <li key={sound.id}>
          <MySoundCard sound={sound} artist={artist} />
        </li>
      )}
    />
  );
}
