import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import { type Finding, formatTenths } from './finding-texts.ts';

interface FindingMarksProps {
  findings: SoundFindings;
  list: readonly Finding[];
  durationMs: number;
}

/** A mark at the position of each finding, over a waveform. */
export function FindingMarks({ findings, list, durationMs }: FindingMarksProps) {
  if (list.length === 0) return null;
  const percent = (ms: number) => `${Math.min(100, (ms * 100) / durationMs).toFixed(2)}%`;
  const has = (kind: Finding['kind']) => list.some((finding) => finding.kind === kind);
  return (
    <div
      className="finding-marks"
      role="img"
      aria-label={`波形の印：${list.map(describeFinding).join('、')}`}
    >
      {has('silent') && (
        <span className="finding-mark is-silent" style={{ width: percent(findings.silent_head_ms) }} />
      )}
      {findings.clips_ms.map((atMs) => (
        <span key={atMs} className="finding-mark is-clips" style={{ left: percent(atMs) }} />
      ))}
      {findings.gaps_ms?.map((atMs) => (
        <span key={atMs} className="finding-mark is-gaps" style={{ left: percent(atMs) }} />
      ))}
      {has('tail') && <span className="finding-mark is-tail" />}
    </div>
  );
}

function describeFinding({ name, positions }: Finding): string {
  return [name, ...positions.map(({ atMs }) => formatTenths(atMs))].join(' ');
}
