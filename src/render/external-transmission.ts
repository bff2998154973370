import intro from '../texts/external-transmission.md?raw';
import toGoogle from '../texts/external-transmission-gpt.md?raw';
import none from '../texts/external-transmission-none.md?raw';
import type { PublicSettings } from './public-settings.ts';

/**
 * What browsers send to third parties, to whom and why, as Markdown: Japan's Telecommunications Business Act, article
 * 27-12. Generated from the settings, so that it matches what the site does.
 */
export function describeTransmission({ adProviders, gptAdUnit }: PublicSettings): string {
  const hasGoogle = adProviders.includes('gpt') && gptAdUnit !== '';
  return [intro, hasGoogle ? toGoogle : none].join('\n');
}
