import { readFileSync } from 'node:fs';
import { formatLength } from '../../contract/sounds/durations.ts';
import type { Genre, SoundType } from '../../contract/sounds/genres.ts';
import type { ExtraPage, SiteConfig } from '../../contract/site/site.ts';
import { decodePeaks } from '../../contract/sounds/peaks.ts';
import { type PictureKind, toSrcset } from '../../contract/site/pictures.ts';
import type { Sound, SoundList } from '../../contract/sounds/sounds.ts';

const STYLES = minify(read('styles.css'));
const SCRIPT = minify(read('play.js'));

const SITE_NAME = 'Otoichi';
const PAGE_SIZE = 20;
const DESCRIPTION_LENGTH = 100;
/** The first cards are in view, so their pictures are not loaded lazily. */
const FIRST_CARDS = 4;
const PICTURE_SIZES = '(min-width: 1320px) 310px, (min-width: 769px) 30vw, (min-width: 480px) 46vw, 96px';
const ORDERINGS = { '-created': '新着順', '-downloads': 'ダウンロード数順', '-favorites': 'お気に入り数順' };
const AI_CHOICES: readonly Choice[] = [
  ['すべて', null],
  ['AI不使用', 'false'],
  ['AI使用', 'true'],
];

/** A label and the value of a query parameter; null: the parameter is absent. */
type Choice = readonly [label: string, value: string | null];

/** What the page shows, as the API returns it. */
export interface Content {
  readonly list: SoundList;
  readonly types: readonly SoundType[];
  readonly genres: readonly Genre[];
  readonly config: SiteConfig;
  readonly pages: readonly ExtraPage[];
}

/**
 * The yardstick for /sounds: the texts, cards, pictures, waveforms, filters, navbar and footer of the product's page as
 * one would write them by hand, without a framework. It has its own small stylesheet, because the size of the
 * product's is part of what is measured. Its hearts and download buttons do nothing.
 */
export function toHtml({ list, types, genres, config, pages }: Content, query: URLSearchParams): string {
  const page = Number(query.get('page') ?? 1);
  return `<!doctype html><html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${SITE_NAME}</title><meta name="description" content="${SITE_NAME}は、音楽と効果音を聴いて、見つけて、無料で使えるサウンドマーケットです。"><style>${STYLES}</style><script>${SCRIPT}</script><link rel="icon" href="/favicon.svg"></head><body>
<a class="skip" href="#main">本文へスキップ</a>${ICONS}
<header><div class="bar"><a href="/" aria-label="${SITE_NAME} トップページ">${toLogo(config.navbar_logo, 32)}</a>
<form role="search" action="/sounds"><svg class="icon" viewBox="0 0 24 24"><use href="#search-icon"/></svg><input id="search" type="search" name="search" placeholder="サウンドを検索" aria-label="サウンドを検索" maxlength="100"></form>
<nav aria-label="メニュー"><a href="/sounds">サウンド</a><a href="/login">ログイン</a><a class="button" href="/profile">アップロード</a></nav></div></header>
<main id="main"><h1>サウンド</h1><div class="columns">
<details><summary class="button">絞り込み</summary><nav class="groups" aria-label="絞り込み">${[
    toGroup('種類', query, 'type', [['すべて', null], ...types.map(({ id, name }): Choice => [name, id])]),
    toGroup('AI制作', query, 'is_ai_generated', AI_CHOICES),
    ...genres.map(({ name, sub_genres }) =>
      toGroup(
        name,
        query,
        'sub_genres',
        sub_genres.map(({ id, name: label }): Choice => [label, id]),
      ),
    ),
  ].join('')}</nav></details>
<section aria-label="検索結果"><h2 class="hidden">検索結果</h2><div class="found"><p>${(list.count ?? 0).toLocaleString('ja-JP')}件</p><nav aria-label="並び順">${Object.entries(
    ORDERINGS,
  )
    .map(([ordering, label]) =>
      toChip(label, query, 'ordering', ordering === '-created' ? null : ordering, query.get('ordering')),
    )
    .join('')}</nav></div>
<ul class="sounds">${list.results.map((sound, index) => `<li>${toCard(sound, index < FIRST_CARDS)}</li>`).join('')}</ul>
<div class="more">${list.next === null ? '<p>サウンドはここまでです。</p>' : `<a class="button" href="${toUrl(query, 'to', String(page + 1))}">もっと見る</a>`}<nav aria-label="ページ"><ul>${toPageNumbers(
    page,
    list.count ?? 0,
  )
    .map(
      (number) =>
        `<li>${toChip(String(number), query, 'page', number === 1 ? null : String(number), query.get('page'))}</li>`,
    )
    .join('')}</ul></nav></div></section></div></main>
<footer><div>${config.footer_banner === null ? '' : `<img class="banner" ${toSources(config.footer_banner, 'banner')} sizes="(min-width: 1200px) 1200px, 92vw" alt="" width="1200" height="240" loading="lazy">`}
<div class="links">${toLogo(config.footer_logo, 40)}<nav aria-label="サイトについて"><ul>${pages.map(({ slug, title }) => `<li><a href="/content/${encodeURIComponent(slug)}">${escape(title.replace('{site}', SITE_NAME))}</a></li>`).join('')}<li><a href="/member-terms">会員規約</a></li><li><a href="/privacy-policy">プライバシーポリシー</a></li><li><a href="/contact">お問い合わせ</a></li><li><button type="button">キーボード操作</button></li></ul></nav></div>
<p><small>© 2024 ${SITE_NAME}</small><span>version1.3</span></p></div></footer></body></html>`;
}

/** The header that preloads the first picture, as the product sends it; undefined without one. */
export function toPreload({ list }: Content): string | undefined {
  const url = list.results[0]?.thumbnail_url;
  if (!url) return undefined;
  const srcset = toSrcset(url, 'thumbnail');
  return `<${url}>; rel=preload; as=image; fetchpriority=high; imagesrcset="${srcset}"; imagesizes="${PICTURE_SIZES}"`;
}

function toCard(sound: Sound, isFirst: boolean): string {
  const title = escape(sound.title || 'Untitled');
  const artist = escape(sound.artist_name);
  const wave = `<path d="${toWave(sound.peaks)}"/>`;
  const description = sound.description.slice(0, DESCRIPTION_LENGTH).toWellFormed();
  return `<article data-sound="${sound.id}" aria-label="${title}"><div class="picture">${
    sound.thumbnail_url
      ? `<img ${toSources(sound.thumbnail_url, 'thumbnail')} sizes="${PICTURE_SIZES}" alt="" ${isFirst ? 'fetchpriority="high"' : 'loading="lazy"'} decoding="async">`
      : `<svg viewBox="0 0 192 32" preserveAspectRatio="none" aria-hidden="true">${wave}</svg>`
  }${sound.is_ai_generated ? '<span class="ai">AI</span>' : ''}<button type="button" data-play="${escape(sound.file_url ?? '')}" data-label="${title}" aria-label="${title}を再生"><svg class="icon" viewBox="0 0 24 24"><use href="#play"/></svg></button></div><div class="body"><h3><a href="/sounds/${sound.id}">${title}</a></h3><p>${escape(description)}${description === sound.description ? '' : '…'}</p><div class="wave"><svg viewBox="0 0 192 32" preserveAspectRatio="none" aria-hidden="true">${wave}</svg><span>${formatLength((sound.duration_ms ?? 0) / 1000)}</span></div><div class="by"><a href="/artist/${encodeURIComponent(sound.artist_name)}">${
    sound.user_profile_picture
      ? `<img class="avatar" src="${escape(sound.user_profile_picture)}" alt="" width="28" height="28" loading="lazy" decoding="async">`
      : `<span class="avatar">${[...artist][0] ?? ''}</span>`
  }<span>${artist}</span></a><button type="button" class="favorite" aria-pressed="false" aria-label="お気に入り：${title}"><svg class="icon" viewBox="0 0 24 24"><use href="#heart"/></svg></button></div><button type="button" class="button" aria-label="${title}をダウンロード"><svg class="icon" viewBox="0 0 24 24"><use href="#download"/></svg><span>ダウンロード</span></button></div></article>`;
}

function toGroup(name: string, query: URLSearchParams, key: string, choices: readonly Choice[]): string {
  const chosen = query.get(key);
  const chips = choices.map(([label, value]) => `<li>${toChip(label, query, key, value, chosen)}</li>`);
  return `<section aria-label="${escape(name)}"><h2>${escape(name)}</h2><ul>${chips.join('')}</ul></section>`;
}

function toChip(
  label: string,
  query: URLSearchParams,
  key: string,
  value: string | null,
  chosen: string | null,
): string {
  const current = value === chosen ? ' aria-current="true"' : '';
  return `<a class="chip" href="${toUrl(query, key, value)}"${current}>${escape(label)}</a>`;
}

/** The page's address with one changed parameter; a changed filter starts at the first page. */
function toUrl(query: URLSearchParams, key: string, value: string | null): string {
  const params = new URLSearchParams(query);
  if (key !== 'to') params.delete('page');
  if (value === null) params.delete(key);
  else params.set(key, value);
  return params.size === 0 ? '/sounds' : `/sounds?${escape(params.toString())}`;
}

function toPageNumbers(page: number, count: number): number[] {
  const last = Math.max(1, Math.ceil(count / PAGE_SIZE));
  const near = [page - 2, page - 1, page, page + 1, page + 2, page + 3];
  return [...new Set([1, ...near, last])].filter((number) => number >= 1 && number <= last);
}

function toWave(peaks = ''): string {
  return decodePeaks(peaks)
    .map((peak, index) => {
      const half = Math.max(1, Math.round(peak * 15));
      return `M${index * 3 + 1} ${16 - half}v${half * 2}`;
    })
    .join('');
}

function toLogo(url: string | null, height: number): string {
  return url === null ? SITE_NAME : `<img src="${escape(url)}" alt="${SITE_NAME}" height="${height}">`;
}

function toSources(url: string, kind: PictureKind): string {
  return `src="${escape(url)}" srcset="${escape(toSrcset(url, kind) ?? url)}"`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** Removes indentation and line breaks after punctuation. */
function minify(code: string): string {
  return code
    .replace(/\n\s*/g, '\n')
    .replace(/([{}:;,>])\s+/g, '$1')
    .replace(/\s+\{/g, '{')
    .trim();
}

const ICONS = `<svg class="hidden" width="0" height="0" aria-hidden="true"><symbol id="heart" viewBox="0 0 24 24"><path d="M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.4 4.3 4.3 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z"/></symbol><symbol id="download" viewBox="0 0 24 24"><path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 19.5h14"/></symbol><symbol id="search-icon" viewBox="0 0 24 24"><path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5L20.5 20.5"/></symbol><symbol id="play" viewBox="0 0 24 24"><path d="M8 5.5v13l11-6.5z"/></symbol><symbol id="pause" viewBox="0 0 24 24"><path d="M7 5.5h3.5v13H7zm6.5 0H17v13h-3.5z"/></symbol></svg>`;
