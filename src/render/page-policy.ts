/** Sources that a page loads besides its own origin. */
export interface PolicyNeeds {
  /** Hosts of an API on another origin. */
  readonly origins: readonly string[];
  readonly hasNetworkAds: boolean;
}

type Sources = Record<string, readonly string[]>;

const OF_OTHER_HOSTS = ['connect-src', 'img-src', 'media-src'];

/**
 * What the Google Publisher Tag needs in addition. Its hosts change and Google supports no list of them, so any https
 * host may provide scripts, pictures and frames. Inline scripts still need their hash, and forms and base URLs stay on
 * our origin. Creatives are in frames of another origin, with policies of their own.
 */
const OF_NETWORK_ADS: Sources = {
  'script-src': ['https:', "'unsafe-eval'"],
  'connect-src': ['https:'],
  'img-src': ['https:'],
  'media-src': ['https:'],
  'frame-src': ['https:'],
};
/** The tag writes styles into elements that it creates; beside a hash, 'unsafe-inline' would be ignored. */
const AD_STYLES = ["'self'", "'unsafe-inline'"];

/** Astro's policy of a page, widened only by what the page needs. */
export function widenPolicy(policy: string, { origins, hasNetworkAds }: PolicyNeeds): string {
  const directives = new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .filter(([name]) => name !== '')
      .map(([name = '', ...sources]) => [name, sources]),
  );
  const add = (name: string, sources: readonly string[]) =>
    directives.set(name, [...new Set([...(directives.get(name) ?? []), ...sources])]);
  // The player for other sites calls no API.
  for (const name of OF_OTHER_HOSTS) if (directives.has(name)) add(name, origins);
  if (hasNetworkAds) {
    for (const [name, sources] of Object.entries(OF_NETWORK_ADS)) add(name, sources);
    directives.set('style-src', AD_STYLES.slice());
  }
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}
