interface DeskKeysProps {
  canDecide: boolean;
  isParked: boolean;
  isPlaying: boolean;
  press: (key: string) => void;
}

/** The actions of the review desk, with their keys, which the left hand reaches. */
export function DeskKeys({ canDecide, isParked, isPlaying, press }: DeskKeysProps) {
  const keys: readonly { key: string; label: string; name: string; isOff?: boolean; isMain?: boolean }[] = [
    { key: 'e', label: 'E', name: '合格', isOff: !canDecide, isMain: true },
    { key: 'r', label: 'R', name: '不合格…', isOff: !canDecide },
    { key: 's', label: 'S', name: isParked ? '順番に戻す' : 'あとに回す', isOff: !canDecide },
    { key: 'd', label: 'D', name: '次へ' },
    { key: 'a', label: 'A', name: '前へ' },
    { key: ' ', label: 'Space', name: isPlaying ? '一時停止' : '再生' },
    { key: 'q', label: 'Q', name: '10秒戻る' },
    { key: 'w', label: 'W', name: '10秒進む' },
  ];
  return (
    <div className="desk-actions" role="group" aria-label="操作">
      {keys.map(({ key, label, name, isOff = false, isMain = false }) => (
        <button
          key={key}
          type="button"
          className={isMain ? 'button button-primary' : 'button'}
          disabled={isOff}
          aria-keyshortcuts={label}
          onClick={() => press(key)}
        >
          <kbd className="desk-key">{label}</kbd>
          {name}
        </button>
      ))}
      <p className="desk-hint">
        <kbd className="desk-key">1</kbd>〜<kbd className="desk-key">6</kbd> で各ファイルを再生
      </p>
    </div>
  );
}
