import { useEffect } from 'react';
import type { SoundFindings as Findings } from '../../../contract/sounds/sound-findings.ts';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { $measuring, followMeasuring } from '../../stores/my-sounds/my-sounds.ts';
import { Icon } from '../ui/Icon.tsx';
import { type Finding, describeLoudness, formatTenths, listFindings } from './finding-texts.ts';
import { FindingsWaveform } from './FindingsWaveform.tsx';
import { playSoundFrom } from './play-sound-from.ts';
import { useStore } from '../ui/use-store.ts';

/** Three rows on a narrow screen. */
const POSITIONS_MAX = 6;

/** The host's measurements, which never block publishing. Collapsed, because most visits are for the rows below. */
export function SoundFindings({ sound }: { sound: Sound }) {
  const measuring = useStore($measuring);
  useEffect(() => followMeasuring(sound), [sound]);
  if (measuring.state === 'none') return null;
  return (
    <section className="findings" aria-labelledby="findings-title">
      <h3 id="findings-title" className="form-label">
        音のチェック
      </h3>
      <p role="status" className="text-sm empty:hidden">
        {measuring.state === 'under-way' && '測定しています。終わるとここに表示されます。'}
        {measuring.state === 'late' && 'まだ測定中です。しばらくしてから、もう一度開いてください。'}
        {measuring.state === 'impossible' && 'このサウンドには測定の結果がありません。'}
      </p>
      {measuring.state === 'done' && (
        <Report sound={sound} findings={measuring.findings} peaks={measuring.peaks} />
      )}
    </section>
  );
}

interface ReportProps {
  sound: Sound;
  findings: Findings;
  peaks: string | undefined;
}

function Report({ sound, findings, peaks }: ReportProps) {
  const list = listFindings(findings, sound.duration_ms ?? 0);
  const loudness = describeLoudness(findings.loudness_lufs);
  return (
    <>
      <p className="text-sm text-muted">
        {list.length === 0
          ? '気になる点は見つかりませんでした。'
          : 'お知らせだけです。このままでも公開できます。'}
      </p>
      <FindingsWaveform sound={sound} peaks={peaks} findings={findings} list={list} />
      <details className="finding-more">
        <summary>{[...list.map(({ name }) => name), loudness.text].join('、')}</summary>
        <ul className="finding-list">
          {list.map((finding) => (
            <li key={finding.kind}>
              <p className="flex gap-2 font-semibold">
                <Icon name="warning" className="mt-0.5 size-5 flex-none" />
                {finding.text}
              </p>
              <p className="text-sm text-muted">{finding.meaning}</p>
              <PositionList sound={sound} finding={finding} />
            </li>
          ))}
          <li>
            <p className="flex gap-2 font-semibold">
              <Icon name="volume" className="mt-0.5 size-5 flex-none" />
              {loudness.text}
            </p>
            <p className="text-sm text-muted">{loudness.meaning}</p>
          </li>
        </ul>
      </details>
    </>
  );
}

type Positions = Finding['positions'];

function PositionList({ sound, finding: { name, positions } }: { sound: Sound; finding: Finding }) {
  if (positions.length === 0 || !sound.file_url) return null;
  const more = positions.slice(POSITIONS_MAX);
  return (
    <>
      <PositionButtons soundId={sound.id} label={`${name}の場所`} list={positions.slice(0, POSITIONS_MAX)} />
      {more.length > 0 && (
        <details className="finding-more">
          <summary>ほかの{more.length}か所</summary>
          <PositionButtons soundId={sound.id} label={`${name}のほかの場所`} list={more} />
        </details>
      )}
    </>
  );
}

function PositionButtons({ soundId, label, list }: { soundId: string; label: string; list: Positions }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-2" aria-label={label}>
      {list.map(({ atMs, fromMs }) => (
        <li key={atMs}>
          <button
            type="button"
            className="chip tabular"
            aria-label={`${formatTenths(atMs)}の少し前から再生`}
            onClick={() => playSoundFrom(soundId, fromMs / 1000)}
          >
            <Icon name="play" className="size-4" />
            {formatTenths(atMs)}
          </button>
        </li>
      ))}
    </ul>
  );
}
