/**
 * Inlined in the player for frames (`src/render/embed-html.ts`): replaces the browser's own player by ours. It reads and
 * writes no storage, sends no messages to the page around it, and reports a play without cookies. One sound plays at a
 * time: players of one browser that can send each other messages, at least those on one page, pause for one another, as
 * the site's own does (`player` in src/stores/player/actions.ts).
 */
import { formatLength, formatPosition, speakPosition } from '../../contract/sounds/durations.ts';
import { chooseLength } from '../lib/choose-length.ts';
import { openChannel } from '../browser/channel.ts';
import { onPage } from '../browser/page-cache.ts';
import { createHeard } from '../lib/heard.ts';

const picture = document.querySelector('img');
if (picture?.complete && picture.naturalWidth === 0) picture.remove();
picture?.addEventListener('error', () => picture.remove());
const audio = document.querySelector('audio');
const controls = document.querySelector<HTMLElement>('.controls');
if (audio && controls) start(audio, controls);
if (audio) pauseForOthers(audio);
if (audio) count(audio);
// A browser that keeps the page for Back silences the sound, but may not pause it.
if (audio) onPage('hide', () => audio.pause());

function start(audio: HTMLAudioElement, controls: HTMLElement) {
  const [button, range, time] = [
    controls.querySelector('button'),
    controls.querySelector('input'),
    controls.querySelector('.time'),
  ];
  const failure = document.querySelector('.failure');
  if (!button || !range || !time || !failure) return;
  const hostSec = Number(audio.dataset['sec']);
  let totalSec = hostSec;

  const show = () => {
    const sec = audio.currentTime;
    const isPlaying = !audio.paused && !audio.ended;
    button.setAttribute('aria-label', isPlaying ? '一時停止' : '再生');
    button.toggleAttribute('data-playing', isPlaying);
    range.value = String(sec);
    range.setAttribute(
      'aria-valuetext',
      `${speakPosition(sec, totalSec)} / ${speakPosition(totalSec, totalSec)}`,
    );
    time.textContent = `${formatPosition(sec, totalSec)} / ${formatLength(totalSec)}`;
    controls.style.setProperty('--played', totalSec > 0 ? String(Math.min(1, sec / totalSec)) : '0');
  };

  button.addEventListener('click', () => {
    failure.textContent = '';
    // A failure is an event of the element.
    if (audio.paused) audio.play().catch(() => undefined);
    else audio.pause();
  });
  range.addEventListener('input', () => {
    audio.currentTime = Number(range.value);
    show();
  });
  audio.addEventListener('loadedmetadata', () => {
    totalSec = chooseLength(hostSec, audio.duration);
    range.max = String(totalSec);
    show();
  });
  for (const name of ['play', 'pause', 'ended', 'timeupdate', 'seeked']) audio.addEventListener(name, show);
  audio.addEventListener('error', () => {
    failure.textContent = '再生できませんでした。サウンドのページでお聴きください。';
    show();
  });
  audio.controls = false;
  controls.hidden = false;
  show();
}

function pauseForOthers(audio: HTMLAudioElement) {
  const others = openChannel<'playing'>('player');
  others.listen(() => audio.pause());
  audio.addEventListener('play', () => others.post('playing'));
}

/** Reports the first play of the page. Whether it counts is decided by the host. */
function count(audio: HTMLAudioElement) {
  const isHeard = createHeard(0);
  audio.addEventListener('timeupdate', function checkPlay() {
    if (!isHeard(audio.currentTime, audio.duration, !audio.paused)) return;
    audio.removeEventListener('timeupdate', checkPlay);
    const { plays = '', sound } = audio.dataset;
    void fetch(plays, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ plays: [{ sound, source: 'embed' }] }),
    }).catch(() => undefined);
  });
}
