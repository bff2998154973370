// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ReportWatching, startWatch } from '#src/ads/watching.ts';
import { createTestClock } from '../support/ad-clock.ts';
import { NOTICE } from '../support/notices.ts';

function hide(isHidden: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

function start({ report, seconds = 15 }: { report?: ReportWatching; seconds?: number } = {}) {
  const clock = createTestClock();
  const reports: string[] = [];
  const watch = startWatch({
    notice: { ...NOTICE, seconds },
    clock,
    report: (state) => {
      reports.push(`${state} ${clock.now() - 1_000_000}`);
      return report?.(state) ?? Promise.resolve(null);
    },
  });
  const outcomes: string[] = [];
  void watch.outcome.then((outcome) => outcomes.push(outcome));
  return { clock, watch, reports, outcomes, view: () => watch.$view.get() };
}

afterEach(() => vi.restoreAllMocks());

describe('a notice', () => {
  it('is granted after its seconds of visible time, once, and leaves nothing behind', async () => {
    const removed = vi.spyOn(document, 'removeEventListener');
    const { clock, watch, outcomes, view } = start();
    watch.begin();
    watch.begin();
    await clock.pass(14_900);
    expect(outcomes).toEqual([]);
    expect(view().leftMs).toBeGreaterThan(0);
    await clock.pass(200);
    expect(outcomes).toEqual(['granted']);
    watch.giveUp();
    watch.dispose();
    await clock.pass(60_000);
    expect(outcomes).toEqual(['granted']);
    expect(clock.waiting).toBe(0);
    expect(removed).toHaveBeenCalledWith('visibilitychange', expect.any(Function));
  });

  it('counts only from when it is visible, and fails when it never is', async () => {
    const slow = start();
    await slow.clock.pass(9_000);
    slow.watch.begin();
    await slow.clock.pass(14_500);
    expect(slow.outcomes).toEqual([]);
    await slow.clock.pass(600);
    expect(slow.outcomes).toEqual(['granted']);

    const never = start();
    await never.clock.pass(10_000);
    expect(never.outcomes).toEqual(['failed']);

    const broken = start();
    broken.watch.fail();
    await broken.clock.pass(0);
    expect(broken.outcomes).toEqual(['failed']);
    expect(broken.clock.waiting).toBe(0);
  });

  it('pauses while its tab is hidden, and reports that to the host', async () => {
    const { clock, watch, reports, outcomes, view } = start();
    watch.begin();
    await clock.pass(5_000);
    hide(true);
    expect(view().state).toBe('paused');
    await clock.pass(3_600_000);
    expect(outcomes).toEqual([]);
    expect(view().leftMs).toBe(10_000);
    hide(false);
    await clock.pass(9_000);
    expect(outcomes).toEqual([]);
    await clock.pass(1_000);
    expect(outcomes).toEqual(['granted']);
    expect(reports.map((line) => line.split(' ')[0])).toEqual(['begin', 'rest', 'begin', 'end']);
  });

  it('does not begin in a hidden tab', async () => {
    const { clock, watch, view, reports } = start();
    hide(true);
    watch.begin();
    await clock.pass(60_000);
    expect([view().state, view().leftMs, reports]).toEqual(['paused', 15_000, []]);
  });

  it('does not count the hours that a computer was asleep', async () => {
    const { clock, watch, view } = start();
    watch.begin();
    const asleep = vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 3_600_000);
    await clock.pass(250);
    expect(view().leftMs).toBe(14_000);
    asleep.mockRestore();
  });

  it('asks before the download is abandoned, while the time is paused', async () => {
    const { clock, watch, outcomes, view } = start();
    watch.begin();
    await clock.pass(2_000);
    watch.ask();
    await clock.pass(60_000);
    expect([view().state, view().leftMs]).toEqual(['asking', 13_000]);
    hide(true);
    hide(false);
    expect(view().state).toBe('asking');
    watch.resume();
    await clock.pass(13_000);
    expect(outcomes).toEqual(['granted']);
  });

  it('that is abandoned, or removed from the page, is dismissed and reports nothing more', async () => {
    for (const leave of ['giveUp', 'dispose'] as const) {
      const { clock, watch, outcomes, reports } = start();
      watch.begin();
      await clock.pass(2_000);
      watch.ask();
      watch[leave]();
      await clock.pass(60_000);
      expect(outcomes).toEqual(['dismissed']);
      expect(reports).toEqual(['begin 0', 'rest 2000']);
    }
  });

  it('that is not visible yet closes without a question', async () => {
    const { clock, watch, outcomes } = start();
    watch.ask();
    await clock.pass(0);
    expect(outcomes).toEqual(['dismissed']);
  });
});

describe('the announcements of the remaining time', () => {
  async function listen(seconds: number): Promise<string[]> {
    const { clock, watch } = start({ seconds });
    const said: string[] = [];
    watch.$view.subscribe((view) => {
      if (view.announcement !== '' && view.announcement !== said.at(-1)) said.push(view.announcement);
    });
    watch.begin();
    await clock.pass(seconds * 1_000 + 500);
    return said;
  }

  it('come at the start, at half the time and in the last five seconds, not each second', async () => {
    expect(await listen(30)).toEqual([
      '広告が始まりました。あと30秒でダウンロードが始まります。',
      '残り15秒です。',
      '残り5秒です。',
    ]);
    expect(await listen(5)).toEqual([
      '広告が始まりました。あと5秒でダウンロードが始まります。',
      '残り3秒です。',
    ]);
  });
});

describe("the host's clock", () => {
  it('is decisive: time that it lacks is watched in addition', async () => {
    const answers = [{ watched_ms: 12_000, needed_ms: 15_000 }];
    const report: ReportWatching = (state) =>
      Promise.resolve(
        state === 'end' ? (answers.shift() ?? { watched_ms: 15_000, needed_ms: 15_000 }) : null,
      );
    const { clock, watch, outcomes, view } = start({ report });
    watch.begin();
    await clock.pass(15_100);
    expect([outcomes, view().state]).toEqual([[], 'running']);
    await clock.pass(2_800);
    expect(outcomes).toEqual([]);
    await clock.pass(500);
    expect(outcomes).toEqual(['granted']);
  });

  it('receives a report every ten seconds of watching', async () => {
    const { clock, watch, reports } = start({ seconds: 30 });
    watch.begin();
    await clock.pass(30_000);
    expect(reports).toEqual(['begin 0', 'begin 10000', 'begin 20000', 'end 30000']);
  });

  it.each<[string, number, ReportWatching]>([
    ['cannot be reached', 15_100, () => Promise.reject(new Error('offline'))],
    ['never answers', 15_000 + 5_100, () => new Promise(() => {})],
    ['always asks for more', 61_000, () => Promise.resolve({ watched_ms: 0, needed_ms: 15_000 })],
  ])('that %s blocks no download', async (_, ms, report) => {
    const { clock, watch, outcomes } = start({ report });
    watch.begin();
    await clock.pass(ms);
    expect(outcomes).toEqual(['granted']);
  });
});
