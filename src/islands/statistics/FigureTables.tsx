import { type ReactNode, useState } from 'react';
import type { OwnStatistics } from '../../../contract/artists/statistics.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { formatCount, formatYen } from '../../lib/format.ts';
import { DELETED_SOUND, FIGURES } from '../../lib/statistics-csv.ts';
import { $choice, chooseStatistics, saveParts, saveSounds } from '../../stores/statistics/statistics.ts';
import { Icon } from '../ui/Icon.tsx';
import { useStore } from '../ui/use-store.ts';
import { formatPart } from './days.ts';

/** Sounds listed at first. */
const SOUNDS_FIRST = 20;
const REWARD = '報酬';
const NAMES = FIGURES.map(({ name }) => name);

/** The figures of each sound. A press on its title shows its statistics alone. */
export function SoundTable({ statistics }: { statistics: OwnStatistics }) {
  const choice = useStore($choice);
  const [showsAll, setShowsAll] = useState(false);
  const { sounds } = statistics;
  if (choice?.sound !== '' || sounds.length === 0) return null;
  return (
    <section aria-labelledby="statistics-sounds">
      <Head id="statistics-sounds" title="サウンドごと" onSave={() => saveSounds(statistics)} />
      <Table label="サウンドごとの表" columns={['サウンド', ...NAMES]}>
        {sounds.slice(0, showsAll ? sounds.length : SOUNDS_FIRST).map((sound) => (
          <tr key={sound.sound_id}>
            <th scope="row">
              {sound.title === null ? (
                DELETED_SOUND
              ) : (
                <button
                  type="button"
                  className="link inline-flex min-h-11 items-center text-left wrap-anywhere"
                  onClick={() => chooseStatistics({ sound: sound.sound_id })}
                >
                  <bdi>{sound.title || UNTITLED}</bdi>
                </button>
              )}
            </th>
            {FIGURES.map(({ key, name }) => (
              <td key={key} data-name={name}>
                {formatCount(sound[key])}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {sounds.length > SOUNDS_FIRST && (
        <button
          type="button"
          className="button statistics-all"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? `上位${SOUNDS_FIRST}件だけを見る` : `すべて見る（${formatCount(sounds.length)}件）`}
        </button>
      )}
    </section>
  );
}

/** The figures of each day or month, newest first: what the charts show. */
export function PartTable({ statistics }: { statistics: OwnStatistics }) {
  const { parts, unit } = statistics;
  const hasReward = parts.every(({ reward }) => reward !== null);
  const title = unit === 'day' ? '日ごと' : '月ごと';
  return (
    <section aria-labelledby="statistics-parts">
      <Head id="statistics-parts" title={title} onSave={() => saveParts(statistics)} />
      <Table
        label={`${title}の表`}
        columns={[unit === 'day' ? '日' : '月', ...NAMES, ...(hasReward ? [REWARD] : [])]}
      >
        {parts.toReversed().map((part) => (
          <tr key={part.starts_on}>
            <th scope="row" className="whitespace-nowrap">
              {formatPart(part, unit)}
            </th>
            {FIGURES.map(({ key, name }) => (
              <td key={key} data-name={name}>
                {formatCount(part[key])}
              </td>
            ))}
            {part.reward !== null && <td data-name={REWARD}>{formatYen(part.reward)}</td>}
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Head({ id, title, onSave }: { id: string; title: string; onSave: () => void }) {
  return (
    <div className="statistics-head">
      <h2 id={id}>{title}</h2>
      <button
        type="button"
        className="button"
        aria-label={`${title}の数をCSVでダウンロード`}
        onClick={onSave}
      >
        <Icon name="download" className="size-5" />
        CSV
      </button>
    </div>
  );
}

/** Scrolls sideways where it is too wide, also by keyboard. In a narrow window, the figures of a row are below its name. */
function Table({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <div className="statistics-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="statistics-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
