import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import { fillFromNames, readPattern } from '#src/stores/many-sounds/name-pattern.ts';
import type { Outcome } from '#src/stores/many-sounds/plan.ts';
import { fillFromTable, readTable } from '#src/stores/many-sounds/table.ts';
import { toSoundDraft } from '#src/stores/my-sounds/draft.ts';

const GENRES = [
  {
    id: '1',
    name: '自然',
    sub_genres: [
      { id: '7', name: '雨' },
      { id: '8', name: '和風・雅' },
      { id: '9', name: 'Lo-Fi' },
    ],
  },
];

function toRow(filename: string) {
  const sound = v.parse(lenient(SoundSchema), { id: filename, title: '', filename });
  return { id: filename, title: filename, filename, saved: toSoundDraft(sound), sound };
}
const toResults = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ row, values, problem }) => [row.filename, problem ?? values]);

describe('a pattern for file names', () => {
  const fill = (text: string, ...names: string[]) => {
    const pattern = readPattern(text);
    if (typeof pattern === 'string') throw new Error(pattern);
    return toResults(fillFromNames(pattern, names.map(toRow), GENRES)).map(([, result]) => result);
  };

  it('finds titles, descriptions and sub-genres, and names what does not match', () => {
    expect(
      fill(
        '{番号}_{題名}_{サブジャンル}',
        '01_静かな雨_雨.mp3',
        '０２_か\u3099ら_雨+lo-fi.m4a',
        '03_庭_和風・雅.mp3',
        'x_庭_雨.mp3',
        '04_庭.mp3',
        '05_庭_雪.mp3',
        '06__雨.mp3',
      ),
    ).toEqual([
      { title: '静かな雨', sub_genres: ['7'] },
      { title: 'がら', sub_genres: ['7', '9'] },
      { title: '庭', sub_genres: ['8'] },
      'ファイル名が形に合いません。',
      'ファイル名が形に合いません。',
      'サブジャンル「雪」はありません。',
      'ファイル名が形に合いません。',
    ]);
    expect(fill('[{無視}] {題名} ({説明})', '[BGM] 雨 (夜に)x.mp3', '[BGM] 雨 (夜に).mp3')).toEqual([
      'ファイル名が形に合いません。',
      { title: '雨', description: '夜に' },
    ]);
  });

  it('takes a time in proportion to the name, also for the worst one', () => {
    const worst = `${'-'.repeat(200)}x`;
    expect(fill('{無視}-{無視}-{無視}-{無視}-{無視}-{題名}!', worst)).toEqual([
      'ファイル名が形に合いません。',
    ]);
  });

  it.each([
    ['', '項目を1つ以上入れてください。'],
    ['題名', '項目を1つ以上入れてください。'],
    ['{題名', '「{」と「}」で囲んだ項目を使ってください。'],
    ['題名}', '「{」と「}」で囲んだ項目を使ってください。'],
    ['{作者}', '「{作者}」という項目はありません。'],
    ['{題名}{番号}', '項目の間に、区切りの文字を入れてください。'],
    ['{題名}_{題名}', '同じ項目は1回だけ使えます。'],
    [`{題名}${'_'.repeat(100)}`, '形は100文字以内で入力してください。'],
  ])('%s is refused with the reason', (text, reason) => {
    expect(readPattern(text)).toBe(reason);
  });
});

describe('a table', () => {
  const rows = ['a.mp3', 'b.mp3', 'c.mp3', 'c.mp3'].map(toRow);
  const fill = (text: string) => fillFromTable(text, rows, GENRES);

  it('fills the sounds that its file names find, and names the lines that do not', () => {
    const filled = fill(
      [
        'Title,ファイル名,メモ,tags',
        '"雨, 夜",A.mp3,x,"雨、Lo-Fi"',
        '"二\n行",b.mp3,,',
        '題,x.mp3,,',
        '題,c.mp3,,',
        '題,a.mp3,,',
        '',
        '題,b.mp3,,,余分',
        `${'長'.repeat(101)},b.mp3,,`,
      ].join('\r\n'),
    );
    if (filled.problem !== null) throw new Error(filled.problem);
    expect(toResults(filled.outcomes)).toEqual([
      ['a.mp3', { title: '雨, 夜', sub_genres: ['7', '9'] }],
      ['b.mp3', { title: '二\n行' }],
    ]);
    expect(filled.faults).toEqual([
      { line: 5, reason: '選んだ中に「x.mp3」というファイルはありません。' },
      { line: 6, reason: '「c.mp3」というファイルが2つ以上あります。' },
      { line: 7, reason: '「a.mp3」の行が2つあります。' },
      { line: 9, reason: '列が多すぎます。値にカンマがあるときは「"」で囲んでください。' },
      { line: 10, reason: '「b.mp3」の行が2つあります。' },
    ]);
  });

  it('means the sub-genres that a sound has where several have one name', () => {
    const other = { id: '2', name: '場面', sub_genres: [{ id: '20', name: '雨' }] };
    const row = toRow('a.mp3');
    const saved = { ...row.saved, sub_genres: ['20'] };
    const table = 'ファイル名,サブジャンル\na.mp3,雨';
    const fillRow = (each: typeof row) => {
      const filled = fillFromTable(table, [each], [...GENRES, other]);
      return filled.problem === null ? filled.outcomes.map(({ values }) => values) : filled.problem;
    };
    expect(fillRow({ ...row, saved })).toEqual([{}]);
    expect(fillRow(row)).toEqual([{ sub_genres: ['7'] }]);
  });

  it.each([
    ['', '表を読み取れませんでした。カンマ区切りのCSVか確かめてください。'],
    ['"ファイル名', '表を読み取れませんでした。カンマ区切りのCSVか確かめてください。'],
    ['題名\na', '1行目に「ファイル名」の列がありません。'],
    ['file\na.mp3', '1行目に「タイトル」「説明」「サブジャンル」の列がありません。'],
    [`file,title\n${'a.mp3,題\n'.repeat(2_001)}`, '表は2,000行までです。'],
  ])('that cannot be used is refused with the reason (%#)', (text, problem) => {
    expect(fill(text)).toEqual({ problem });
  });

  it('is read as UTF-8, or as Excel writes it in Japan, up to 4 MB', async () => {
    const read = (bytes: Uint8Array<ArrayBuffer>) => readTable(new File([bytes], '表.csv'));
    const japanese = Uint8Array.of(0x91, 0xe8, 0x96, 0xbc);
    expect(await read(japanese)).toEqual({ name: '表.csv', text: '題名' });
    expect(await read(new TextEncoder().encode('題名'))).toMatchObject({ text: '題名' });
    expect(await read(new Uint8Array(4 * 1024 * 1024 + 1))).toEqual({ problem: 'CSVは4MBまでです。' });
  });
});
