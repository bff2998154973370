import { formatLength, formatPosition } from '../../contract/sounds/durations.ts';
import { PLAYS_PATH } from '../../contract/sounds/plays.ts';
import { UNTITLED, type Sound } from '../../contract/sounds/sounds.ts';
import { artistPath, soundPath } from '../lib/paths.ts';
import type { PublicSettings } from './public-settings.ts';
import { toWave } from '../lib/wave.ts';
import { WAVE_HEIGHT, WAVE_WIDTH, drawWave } from '../lib/wave-drawing.ts';
import { escapeXml } from './xml.ts';

/** The texts that the page includes, whose hashes its policy allows. */
export interface EmbedAssets {
  readonly style: string;
  readonly script: string;
}

/** Below this length, a step of the position is a tenth of a second. */
const SHORT_SEC = 20;

/**
 * The player for frames of other sites: one document without further requests until play, except the picture. Without
 * scripts it is a link and the browser's own player. `sound` is null for one that is not public.
 */
export function toEmbedHtml(sound: Sound | null, settings: PublicSettings, assets: EmbedAssets): string {
  const title = sound === null ? settings.siteName : sound.title || UNTITLED;
  return [
    '<!doctype html><html lang="ja"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escapeXml(title)}</title>`,
    ...(sound === null
      ? []
      : [`<link rel="canonical" href="${escapeXml(settings.siteUrl + soundPath(sound.id))}">`]),
    `<style>${assets.style}</style></head><body><main>`,
    ...(sound === null ? writeAbsent(settings) : writePlayer(sound, title, settings)),
    `</main><script>${assets.script}</script></body></html>`,
  ].join('');
}

function writeAbsent({ siteName, siteUrl }: PublicSettings): string[] {
  return [
    `<p>このサウンドは公開されていません。</p><p class="artist">${toLink(`${siteUrl}/`, siteName)}</p>`,
  ];
}

function writePlayer(
  sound: Sound,
  title: string,
  { siteName, siteUrl, apiOrigin }: PublicSettings,
): string[] {
  const wave = `<svg viewBox="0 0 ${WAVE_WIDTH} ${WAVE_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="${drawWave(toWave(sound.peaks))}"/></svg>`;
  const totalSec = (sound.duration_ms ?? 0) / 1000;
  const artist =
    sound.artist_name === ''
      ? ''
      : `${toLink(siteUrl + artistPath(sound.artist_name), sound.artist_name)} ・ `;
  return [
    '<div class="head">',
    sound.thumbnail_url === null
      ? ''
      : `<img src="${escapeXml(sound.thumbnail_url)}" alt="" width="56" height="56">`,
    `<div class="names"><h1>${toLink(siteUrl + soundPath(sound.id), title)}</h1>`,
    `<p class="artist">${artist}${toLink(`${siteUrl}/`, siteName)}</p></div></div>`,
    ...(sound.file_url === null
      ? []
      : [
          `<audio controls preload="none" src="${escapeXml(sound.file_url)}" data-sec="${totalSec}" data-sound="${escapeXml(sound.id)}" data-plays="${escapeXml(apiOrigin + PLAYS_PATH)}"></audio>`,
          '<div class="controls" hidden>',
          `<button type="button" aria-label="再生"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="play" d="M8 5.5v13l11-6.5z"/><path class="pause" d="M7 5.5h3.5v13H7zm6.5 0H17v13h-3.5z"/></svg></button>`,
          `<div class="wave">${wave}<div class="played">${wave}</div>`,
          `<input type="range" min="0" max="${totalSec}" step="${totalSec < SHORT_SEC ? 0.1 : 1}" value="0" aria-label="再生位置"></div>`,
          `<span class="time">${formatPosition(0, totalSec)} / ${formatLength(totalSec)}</span></div>`,
          '<p class="failure" role="alert"></p>',
        ]),
  ];
}

/** A link that leaves the frame. */
function toLink(href: string, text: string): string {
  return `<a href="${escapeXml(href)}" target="_blank" rel="noopener">${escapeXml(text)}</a>`;
}
