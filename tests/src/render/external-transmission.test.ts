import { describe, expect, it } from 'vitest';
import { parsePublicSettings } from '#server/web/public-settings.ts';
import { describeTransmission } from '#src/render/external-transmission.ts';

const HOSTS = { SITE_URL: 'https://site.test', API_ORIGIN: 'https://api.test' };
const describeWith = (env: Record<string, string>) =>
  describeTransmission(parsePublicSettings({ ...HOSTS, ...env }));

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
    const settings = { ...parsePublicSettings(HOSTS), adProviders: ['gpt'] as const };
    expect(describeTransmission(settings)).toContain(NOTHING);
  });
});
