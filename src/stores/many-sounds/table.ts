import { readCsv } from '../../../contract/values/csv.ts';
import type { Genre } from '../../../contract/sounds/genres.ts';
import { type SoundColumn, SOUND_COLUMNS } from '../../../contract/sounds/sound-columns.ts';
import { fillRow, toLoose } from './filling.ts';
import type { Outcome } from './plan.ts';
import type { ManyRow } from './rows.ts';

/** Two thousand sounds with long descriptions have less. */
const TABLE_BYTES_MAX = 4 * 1024 * 1024;
const TABLE_ROWS_MAX = 2_000;

/** A row of the table that changes nothing, and why. */
export interface TableFault {
  readonly line: number;
  readonly reason: string;
}

export type FilledTable =
  | { readonly problem: string }
  | {
      readonly problem: null;
      readonly outcomes: readonly Outcome[];
      readonly faults: readonly TableFault[];
    };

/** Reads the values of each row from a table; rows are found by the file name. */
export function fillFromTable(text: string, rows: readonly ManyRow[], genres: readonly Genre[]): FilledTable {
  const [head, ...lines] = readCsv(text) ?? [];
  if (head === undefined)
    return { problem: '表を読み取れませんでした。カンマ区切りのCSVか確かめてください。' };
  const names = head.cells.map(toLoose);
  const columns = Object.fromEntries(
    Object.entries(SOUND_COLUMNS).map(([name, accepted]: [string, readonly string[]]) => [
      name,
      names.findIndex((each) => accepted.includes(each)),
    ]),
  ) as Record<SoundColumn, number>;
  if (columns.filename < 0) return { problem: '1行目に「ファイル名」の列がありません。' };
  if (Math.max(columns.title, columns.description, columns.genres) < 0) {
    return { problem: '1行目に「タイトル」「説明」「サブジャンル」の列がありません。' };
  }
  if (lines.length > TABLE_ROWS_MAX)
    return { problem: `表は${TABLE_ROWS_MAX.toLocaleString('ja-JP')}行までです。` };

  const byName = new Map<string, ManyRow[]>();
  for (const row of rows) {
    const name = toLoose(row.filename);
    byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  const outcomes = new Map<string, Outcome>();
  const faults: TableFault[] = [];
  for (const { line, cells } of lines) {
    const cell = (name: SoundColumn) => cells[columns[name]]?.trim();
    const [row, another] = byName.get(toLoose(cell('filename') ?? '')) ?? [];
    const reason =
      (cells.length > names.length && '列が多すぎます。値にカンマがあるときは「"」で囲んでください。') ||
      (row === undefined && `選んだ中に「${cell('filename') ?? ''}」というファイルはありません。`) ||
      (another !== undefined && `「${another.filename}」というファイルが2つ以上あります。`) ||
      (row && outcomes.has(row.id) && `「${row.filename}」の行が2つあります。`);
    if (row === undefined || reason) {
      faults.push({ line, reason: reason || '' });
      continue;
    }
    const texts = { title: cell('title'), description: cell('description'), genres: cell('genres') };
    const outcome = fillRow(row, texts, genres);
    outcomes.set(row.id, outcome);
    if (outcome.problem !== null) faults.push({ line, reason: outcome.problem });
  }
  return { problem: null, outcomes: [...outcomes.values()], faults };
}

/** The text of a file, or what is wrong with it. Never rejects. */
export async function readTable(file: File): Promise<{ name: string; text: string } | { problem: string }> {
  if (file.size > TABLE_BYTES_MAX) return { problem: `CSVは${TABLE_BYTES_MAX / 1024 / 1024}MBまでです。` };
  try {
    return { name: file.name, text: decodeTable(await file.arrayBuffer()) };
  } catch {
    return { problem: 'ファイルを読み込めませんでした。選び直してください。' };
  }
}

/** UTF-8, or else what Excel writes in Japan. */
function decodeTable(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('shift_jis').decode(bytes);
  }
}
