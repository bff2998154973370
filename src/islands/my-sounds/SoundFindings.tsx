import { useEffect } from 'react';
import type { SoundFindings as Findings } from '../../../contract/sounds/sound-findings.ts';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { $measuring, followMeasuring } from '../../stores/my-sounds/my-sounds.ts';
import { Icon } from '../ui/Icon.tsx';
import { type Finding, describeLoudness, formatPlace, listFindings } from './finding-texts.ts';
import { FindingsWaveform } from './FindingsWaveform.tsx';
import { playSoundFrom } from './play-sound-from.ts';
import { useStore } from '../ui/use-store.ts';

/** Three rows on a narrow screen. */
const PLACES_SHOWN = 6;

/** What the host has measured. It blocks nothing; collapsed, as most visits are about the rows below. */
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
              <Places sound={sound} finding={finding} />
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

type PlaceList = Finding['places'];

function Places({ sound, finding: { name, places } }: { sound: Sound; finding: Finding }) {
  if (places.length === 0 || !sound.file_url) return null;
  const more = places.slice(PLACES_SHOWN);
  return (
    <>
      <PlaceButtons soundId={sound.id} label={`${name}の場所`} places={places.slice(0, PLACES_SHOWN)} />
      {more.length > 0 && (
        <details className="finding-more">
          <summary>ほかの{more.length}か所</summary>
          <PlaceButtons soundId={sound.id} label={`${name}のほかの場所`} places={more} />
        </details>
      )}
    </>
  );
}

function PlaceButtons({ soundId, label, places }: { soundId: string; label: string; places: PlaceList }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-2" aria-label={label}>
      {places.map(({ atMs, fromMs }) => (
        <li key={atMs}>
          <button
            type="button"
            className="chip tabular"
            aria-label={`${formatPlace(atMs)}の少し前から再生`}
            onClick={() => playSoundFrom(soundId, fromMs / 1000)}
          >
            <Icon name="play" className="size-4" />
            {formatPlace(atMs)}
          </button>
        </li>
      ))}
    </ul>
  );
}
