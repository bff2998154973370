import { expect, it } from 'vitest';
import { recordPeak } from '../null-sink.ts';
import { useBrowser } from '../../browser/support/pages.ts';

const { open } = useBrowser();

it('is heard while it plays and is silent before and after a pause', async () => {
  const page = await open('/sounds');
  const player = page.getByRole('region', { name: 'プレーヤー' });
  expect(await recordPeak(500)).toBe(0);

  await page.getByRole('button', { name: '静かな雨 40を再生' }).click();
  await expect.poll(() => recordPeak(500)).toBeGreaterThan(0.01);
  await player.getByRole('button', { name: '一時停止' }).click();
  await expect.poll(() => recordPeak(500)).toBe(0);
  await player.getByRole('button', { name: '再生' }).click();
  await expect.poll(() => recordPeak(500)).toBeGreaterThan(0.01);
});
