/** An audio element that plays nothing. Tests control its events. */
export class FakeAudio extends EventTarget {
  static last: FakeAudio | undefined;

  preload = '';
  volume = 1;
  loop = false;
  paused = true;
  currentTime = 0;
  duration = Number.NaN;
  readyState = 0;
  error: unknown = null;
  /** How far this file can be sought in. */
  seekableSec = Infinity;
  #src = '';

  constructor() {
    super();
    FakeAudio.last = this;
  }

  get src(): string {
    return this.#src;
  }

  set src(src: string) {
    this.#src = src;
    this.currentTime = 0;
  }

  getAttribute(name: string): string | null {
    return name === 'src' && this.#src !== '' ? this.#src : null;
  }

  removeAttribute(): void {
    this.#src = '';
  }

  get seekable() {
    return { length: 1, end: () => this.seekableSec };
  }

  play(): Promise<void> {
    this.paused = false;
    queueMicrotask(() => this.dispatchEvent(new Event('playing')));
    return Promise.resolve();
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }

  /** The file has played up to this time. */
  reach(sec: number): void {
    this.currentTime = sec;
    this.dispatchEvent(new Event('timeupdate'));
  }

  /** The file is missing or broken. */
  break(): void {
    this.dispatchEvent(new Event('error'));
  }
}
