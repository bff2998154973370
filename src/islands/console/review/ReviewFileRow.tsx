import { toPlayLabel } from '../../../lib/playing.ts';
import { formatLength } from '../../../../contract/sounds/durations.ts';
import type { ReviewFile } from '../../../../contract/operator/operator.ts';
import { formatBytes } from '../../../lib/format.ts';
import { toWave } from '../../../lib/wave.ts';
import { FindingMarks } from '../../my-sounds/FindingMarks.tsx';
import { describeLoudness, formatTenths, listFindings } from '../../my-sounds/finding-texts.ts';
import { WaveShape } from '../../sounds/Waveform.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Audition } from './use-audition.ts';

/** Places of one finding that are listed. */
const PLACES_MAX = 5;

interface ReviewFileRowProps {
  file: ReviewFile;
  audition: Audition;
}

/** A file of an application: play it, see what the decoder found, and hear those places. */
export function ReviewFileRow({ file, audition }: ReviewFileRowProps) {
  const { slot, filename, analysis, duration_ms: durationMs } = file;
  const isCurrent = audition.slot === slot;
  const isPlaying = isCurrent && audition.isPlaying;
  const share = isCurrent && durationMs > 0 ? Math.min(1, audition.positionMs / durationMs) : 0;
  const findings = analysis?.state === 'read' ? analysis.findings : null;
  const list = findings ? listFindings(findings, durationMs) : [];
  return (
    <li className={isCurrent ? 'panel desk-file is-current' : 'panel desk-file'}>
      <div className="flex min-w-0 items-center gap-2">
        <kbd className="desk-key">{slot}</kbd>
        <button
          type="button"
          className="icon-button"
          aria-label={toPlayLabel(`${slot}曲目`, isPlaying)}
          disabled={file.url === null}
          onClick={() => (isCurrent ? audition.toggle() : audition.play(slot))}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{filename}</p>
          <p className="tabular text-sm text-muted">
            {formatLength(durationMs / 1000)} ・ {file.mime === 'audio/mpeg' ? 'MP3' : 'M4A'}{' '}
            {Math.round(file.bit_rate_kbps)} kbps ・ {file.sample_rate_hz / 1000} kHz ・{' '}
            {formatBytes(file.size_bytes)}
          </p>
        </div>
      </div>
      {analysis === null && <p className="text-sm text-muted">波形を読み取っています…</p>}
      {analysis?.state === 'unreadable' && (
        <p className="text-sm text-danger">波形を読み取れませんでした。聴いて確かめてください。</p>
      )}
      {analysis?.state === 'read' && findings && (
        <>
          <div className="finding-wave desk-wave">
            <div className="relative h-12">
              <WaveShape wave={toWave(analysis.peaks)} className="text-wave" />
              <div
                className="pointer-events-none absolute inset-0"
                style={{ clipPath: `inset(0 ${((1 - share) * 100).toFixed(2)}% 0 0)` }}
              >
                <WaveShape wave={toWave(analysis.peaks)} className="text-accent" />
              </div>
            </div>
            <FindingMarks findings={findings} list={list} durationMs={durationMs} />
            <input
              className="desk-seek"
              type="range"
              min={0}
              max={Math.max(1, Math.round(durationMs / 1000))}
              value={isCurrent ? Math.round(audition.positionMs / 1000) : 0}
              aria-label={`${slot}曲目の再生位置`}
              aria-valuetext={formatTenths(isCurrent ? audition.positionMs : 0)}
              onChange={(event) => audition.play(slot, Number(event.currentTarget.value) * 1000)}
            />
          </div>
          <p className="tabular text-sm text-muted">{describeLoudness(findings.loudness_lufs).text}</p>
        </>
      )}
      {list.map(({ kind, text, positions }) => (
        <div key={kind} className="desk-finding">
          <span className={`finding-sign is-${kind}`} />
          <span>{text}</span>
          {positions.slice(0, PLACES_MAX).map(({ atMs, fromMs }) => (
            <button
              key={atMs}
              type="button"
              className="chip tabular"
              aria-label={`${slot}曲目の${formatTenths(atMs)}の少し前から再生`}
              onClick={() => audition.play(slot, fromMs)}
            >
              {formatTenths(atMs)}
            </button>
          ))}
        </div>
      ))}
      {file.also_from.length > 0 && (
        <p className="desk-finding text-danger">
          <Icon name="warning" className="size-5 flex-none" />
          <span>
            同じ音声を送った人：<bdi>{file.also_from.join('、')}</bdi>
          </span>
        </p>
      )}
    </li>
  );
}
