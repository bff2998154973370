/**
 * Uploads files of other encoders to the real host: `node bench/corpus.ts [--only TEXT] [--keep FOLDER]`. Creates them
 * with FFmpeg and LAME, which must be installed, and exits 1 if any is not accepted, reported or stored as expected.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { playAll } from './corpus/browser.ts';
import type { Played } from './corpus/browser.ts';
import { checkFile, makeCover } from './corpus/checks.ts';
import type { Outcome } from './corpus/checks.ts';
import { SECONDS } from './corpus/file.ts';
import { CORPUS } from './corpus/files.ts';
import { startArtistHost } from './corpus/host.ts';
import { findMissingTools } from './corpus/tools.ts';

const { values: options } = parseArgs({
  options: {
    /** Only files whose name contains this. */
    only: { type: 'string', default: '' },
    /** A folder in which the files are kept. */
    keep: { type: 'string' },
  },
});

const missing = findMissingTools();
if (missing.length > 0) {
  console.error(`Not on this machine: ${missing.join(', ')}. On Debian: apt-get install ffmpeg lame`);
  process.exitCode = 1;
} else {
  process.exitCode = (await main()) ? 0 : 1;
}

async function main(): Promise<boolean> {
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'bench-corpus-')));
  await mkdir(folder, { recursive: true });
  const host = await startArtistHost(folder);
  try {
    makeCover(folder);
    const outcomes: Outcome[] = [];
    for (const [index, file] of CORPUS.entries()) {
      if (file.name.includes(options.only)) outcomes.push(await checkFile(host, folder, file, index));
    }
    const stored = outcomes.flatMap((outcome) => (outcome.stored ? [outcome.stored.answer] : []));
    const played = await playAll(host.url, stored).catch((error: unknown) => String(error));
    return report(outcomes, played);
  } finally {
    await host.close();
    if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

function report(outcomes: readonly Outcome[], played: Map<string, Played> | string): boolean {
  console.log('| file | bytes | is | ms | Hz | samples too many | Chromium plays, decodes | faults |');
  console.log('|---|---:|---|---:|---:|---:|---|---|');
  let failed = 0;
  for (const { name, bytes, is, faults, stored } of outcomes) {
    const browser = typeof played === 'string' ? undefined : played.get(stored?.answer.id ?? '');
    const silent = name.endsWith('.mp3') && browser ? toFaults(browser) : [];
    const all = [...faults, ...silent];
    if (all.length > 0) failed += 1;
    const facts = stored
      ? [stored.answer.duration_ms, stored.answer.sample_rate_hz, stored.samplesTooMany]
      : ['', '', ''];
    const cells = [name, bytes, is, ...facts, browser ? toCell(browser) : '', all.join('; ') || '–'];
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (typeof played === 'string') console.log(`\nNot played in Chromium: ${played}`);
  const accepted = outcomes.filter(({ is }) => is === 'accepted').length;
  console.log(
    `\n${outcomes.length - failed} of ${outcomes.length} as they should be; ` +
      `${accepted} accepted, ${outcomes.length - accepted} refused`,
  );
  return failed === 0;
}

/** Packaged Chromium may lack AAC; it always supports MP3. */
function toFaults({ plays, decodedSeconds }: Played): string[] {
  if (plays !== true) return [`Chromium does not play it: ${plays}`];
  return Math.abs(decodedSeconds - SECONDS) > 0.4 ? [`Chromium decodes ${decodedSeconds} s`] : [];
}

function toCell({ plays, decodedSeconds }: Played): string {
  return plays === true ? `${decodedSeconds.toFixed(3)} s` : plays.slice(0, 40);
}
