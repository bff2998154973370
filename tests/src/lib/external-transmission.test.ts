import { describe, expect, it } from 'vitest';
import { describeTransmission } from '../../../src/lib/external-transmission.ts';
import { readPublicSettings } from '../../../src/lib/public-settings.ts';

const describeWith = (env: Record<string, string>) =>
  describeTransmission(readPublicSettings((name) => env[name]));

const NOTHING = '第三者へ送信される情報はありません';
const AD_UNIT = '/1234567/rewarded';

describe('the recipients of data sent to third parties', () => {
  it.each(['house', 'none', 'house,none', ''])('are none with %j', (providers) => {
    const text = describeWith({ AD_PROVIDERS: providers });
    expect(text).toContain(NOTHING);
    expect(text).not.toContain('Google');
  });

  it.each(['gpt', 'gpt,house', 'house,gpt,none'])('include Google with %j', (providers) => {
    const text = describeWith({ AD_PROVIDERS: providers, GPT_AD_UNIT: AD_UNIT });
    expect(text).not.toContain(NOTHING);
    for (const part of ['### 送信先', '### 送信される情報', '### 利用の目的', 'Google LLC']) {
      expect(text).toContain(part);
    }
  });

  it('are none without an ad unit, because no ad can be requested then', () => {
    expect(describeWith({ AD_PROVIDERS: 'gpt' })).toContain(NOTHING);
  });
});
