import { SILENT_HEAD_MS_MAX, type SoundFindings } from '../../../contract/sounds/sound-findings.ts';

/** One finding in a sound, as displayed to its artist. */
export interface Finding {
  readonly kind: 'silent' | 'clips' | 'gaps' | 'tail';
  /** One or two words. */
  readonly name: string;
  readonly text: string;
  /** What it means for listeners. */
  readonly meaning: string;
  /** Positions of the finding, and where playback starts for each, in ms. */
  readonly positions: readonly { readonly atMs: number; readonly fromMs: number }[];
}

/** Playback starts slightly before a position. */
const BEFORE_POSITION_MS = 500;
const BEFORE_END_MS = 2_000;

/** The findings to show, in the order of the sound; none of them blocks publishing. */
export function listFindings(findings: SoundFindings, durationMs: number): Finding[] {
  const { silent_head_ms, is_silent = false, clips_ms, clip_count, gaps_ms = [], is_tail_cut } = findings;
  const found: Finding[] = [];
  if (is_silent) {
    return [
      {
        kind: 'silent',
        name: '無音',
        text: '最初から最後まで無音です',
        meaning: '音の入っていないファイルかもしれません。再生して確かめてください。',
        positions: [],
      },
    ];
  }
  if (silent_head_ms > SILENT_HEAD_MS_MAX) {
    found.push({
      kind: 'silent',
      name: '先頭の無音',
      text: `先頭に${(silent_head_ms / 1000).toFixed(1)}秒の無音があります`,
      meaning: '再生してもすぐに音が出ず、ループすると途切れて聞こえます。',
      positions: [],
    });
  }
  if (clip_count > 0) {
    const isMore = clip_count > clips_ms.length;
    found.push({
      kind: 'clips',
      name: '音割れ',
      text: `${clip_count.toLocaleString('ja-JP')}か所で音割れしています${isMore ? `（はじめの${clips_ms.length}か所を表示）` : ''}`,
      meaning: '音が大きすぎて波形の頭が切れ、ひずんで聞こえることがあります。ねらった音なら問題ありません。',
      positions: clips_ms.map(toPosition),
    });
  }
  if (gaps_ms.length > 0) {
    found.push({
      kind: 'gaps',
      name: '読み取れない部分',
      text: `${gaps_ms.length}か所に読み取れない部分がありました`,
      meaning:
        'ファイルが壊れているようです。その部分を除いて保存したため、音が飛ぶことがあります。元の音源から書き出し直すと直ります。',
      positions: gaps_ms.map(toPosition),
    });
  }
  if (is_tail_cut) {
    found.push({
      kind: 'tail',
      name: '急な終わり',
      text: '終わりが急に切れています',
      meaning: '余韻の途中で止まったように聞こえることがあります。ループ素材なら問題ありません。',
      positions:
        durationMs > 0 ? [{ atMs: durationMs, fromMs: Math.max(0, durationMs - BEFORE_END_MS) }] : [],
    });
  }
  return found;
}

function toPosition(atMs: number): Finding['positions'][number] {
  return { atMs, fromMs: Math.max(0, atMs - BEFORE_POSITION_MS) };
}

/**
 * Commercial music is between −16 and −9 LUFS, quiet ambiences down to −30. Even loud masters seldom exceed −9, and
 * players that normalise loudness turn them down. Below −30 a sound is too quiet beside others.
 */
const LOUD_LUFS = -9;
const QUIET_LUFS = -30;

export interface LoudnessText {
  readonly text: string;
  readonly meaning: string;
}

export function describeLoudness(lufs: number | null): LoudnessText {
  if (lufs === null) {
    return { text: 'ラウドネス なし', meaning: '無音か、短すぎるため、測れませんでした。' };
  }
  const text = `ラウドネス ${lufs.toFixed(1).replace('-', '−')} LUFS`;
  if (lufs > LOUD_LUFS) {
    return { text: `${text}（大きめ）`, meaning: 'ほかのサウンドより大きく聞こえ、音量を下げて使われます。' };
  }
  if (lufs < QUIET_LUFS) {
    return { text: `${text}（小さめ）`, meaning: 'ほかのサウンドと並べると、聞き取りにくいことがあります。' };
  }
  return { text: `${text}（標準的）`, meaning: 'ほかのサウンドと並べて聞きやすい大きさです。' };
}

/** A position to the tenth of a second: `0:12.4`. */
export function formatTenths(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  const seconds = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${seconds.toFixed(1).padStart(4, '0')}`;
}
