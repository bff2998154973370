import { $downloading, downloadSound } from '../../stores/downloads/downloads.ts';
import { Icon } from '../ui/Icon.tsx';
import { useStore } from '../ui/use-store.ts';

interface DownloadButtonProps {
  id: string;
  title: string;
  artist: string;
  isPrimary?: boolean;
}

export function DownloadButton({ id, title, artist, isPrimary = false }: DownloadButtonProps) {
  const step = useStore($downloading)[id];
  const isBusy = step === 'busy';
  const words = step === 'again' ? 'もう一度ダウンロード' : 'ダウンロード';
  return (
    <button
      type="button"
      className={isPrimary ? 'button button-primary' : 'button'}
      aria-label={isBusy ? `${title}をダウンロード中` : `${title}を${words}`}
      aria-busy={isBusy || undefined}
      data-replay=""
      onClick={() => void downloadSound({ id, title, artist })}
    >
      <Icon name="download" className="size-5" />
      <span>{words}</span>
    </button>
  );
}
