// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';

vi.mock('#src/api/files.ts', () => ({ fetchBytes: async () => new ArrayBuffer(8) }));
vi.mock('#src/stores/player/loop-span.ts', () => ({ findLoopSpan: () => ({ startSec: 0, endSec: 4 }) }));

const PARAM = {
  cancelScheduledValues: () => undefined,
  setValueAtTime: () => undefined,
  linearRampToValueAtTime: () => undefined,
  setTargetAtTime: () => undefined,
};
const NODE = {
  connect: () => undefined,
  disconnect: () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

/** Contexts in the order of their creation. */
let contexts: FakeContext[];
let answersResume: boolean;
let seamless: typeof import('#src/stores/player/seamless.ts');

class FakeContext extends EventTarget {
  state = 'running';
  currentTime = 0;
  destination = {};
  createGain = () => ({ ...NODE, gain: PARAM });
  createBufferSource = () => ({ ...NODE });
  decodeAudioData = async () => ({ duration: 4 });
  suspend = async () => undefined;
  close = async () => void (this.state = 'closed');
  resume = () => (answersResume ? Promise.resolve() : new Promise<void>(() => undefined));

  constructor() {
    super();
    contexts.push(this);
  }
}

const makeElement = () =>
  Object.assign(new EventTarget(), { src: '/a.mp3', volume: 1, currentTime: 1, muted: false, paused: false });

async function start(ending = new AbortController()) {
  const element = makeElement();
  const loop = await seamless.replaceElement(element as unknown as HTMLAudioElement, ending);
  return { element, ending, loop };
}

beforeEach(async () => {
  contexts = [];
  answersResume = true;
  vi.resetModules();
  vi.stubGlobal('AudioContext', FakeContext);
  seamless = await import('#src/stores/player/seamless.ts');
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

it('loops share a context', async () => {
  (await start()).ending.abort();
  await start();
  expect(contexts).toHaveLength(1);
});

it('an interruption gives the sound back to the element, and the next loop gets another context', async () => {
  const { element, ending } = await start();
  expect(element.muted).toBe(true);
  contexts[0]!.state = 'interrupted';
  contexts[0]!.dispatchEvent(new Event('statechange'));
  expect([element.muted, ending.signal.aborted, contexts[0]!.state]).toEqual([false, true, 'closed']);
  await start();
  expect(contexts).toHaveLength(2);
});

it('a context that does not answer is replaced', async () => {
  answersResume = false;
  vi.useFakeTimers();
  const refused = expect(start()).rejects.toThrow('does not resume');
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  vi.useRealTimers();
  answersResume = true;
  await start();
  expect(contexts).toHaveLength(2);
});

it('the ring switch of a phone does not silence a loop', async () => {
  const audioSession = { type: 'auto' };
  vi.stubGlobal('navigator', { audioSession });
  const { ending } = await start();
  expect(audioSession.type).toBe('playback');
  ending.abort();
  expect(audioSession.type).toBe('auto');
});
