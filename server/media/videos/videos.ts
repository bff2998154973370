import { readFile } from 'node:fs/promises';
import { toByteSource } from '../audio/source.ts';
import { readMp4Facts } from './mp4.ts';
import { readWebmFacts } from './webm.ts';

/** Longer than any advertisement, and what a visitor's device has to hold of one picture. */
const SECONDS_MAX = 600;
const SIDE_MAX = 4_096;
const TRACKS_MAX = 8;

/** What a container says about its video. */
export interface VideoFacts {
  readonly tracks: number;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}

/**
 * Checks that a file is a video as far as its container shows it: complete boxes or elements, one video track with
 * pictures of a usual size, a duration. Nothing is decoded. Throws a description of what is wrong.
 */
export async function checkVideo(path: string, ending: '.mp4' | '.webm'): Promise<void> {
  const bytes = await readFile(path);
  const facts = ending === '.webm' ? readWebmFacts(bytes) : await readMp4Facts(toByteSource(bytes));
  const { tracks, width, height, seconds } = facts;
  if (tracks > TRACKS_MAX) throw new Error(`has ${tracks} tracks`);
  if (!(width >= 1 && height >= 1)) throw new Error('says no size of its picture');
  if (Math.max(width, height) > SIDE_MAX) throw new Error(`has a picture of ${width} × ${height}`);
  if (!(seconds > 0)) throw new Error('has no duration');
  if (seconds > SECONDS_MAX) throw new Error(`is longer than ${SECONDS_MAX} seconds`);
}
