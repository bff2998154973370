/** What a page loads beside what is our own. */
export interface PolicyNeeds {
  /** Hosts of an API that stands elsewhere. */
  readonly origins: readonly string[];
  readonly hasNetworkAds: boolean;
}

type Sources = Record<string, readonly string[]>;

const OF_OTHER_HOSTS = ['connect-src', 'img-src', 'media-src'];

/**
 * What the Google Publisher Tag needs on top. Its hosts change and Google supports no list of them, so any
 * host with https may send scripts, pictures and frames; scripts in the page itself still need their hash,
 * and forms and bases stay ours. Creatives stand in frames of another origin, with policies of their own.
 */
const OF_NETWORK_ADS: Sources = {
  'script-src': ['https:', "'unsafe-eval'"],
  'connect-src': ['https:'],
  'img-src': ['https:'],
  'media-src': ['https:'],
  'frame-src': ['https:'],
};
/** The tag writes styles into elements that it makes; beside a hash this would not count. */
const AD_STYLES = ["'self'", "'unsafe-inline'"];

/** A page's policy, as Astro made it, widened by no more than the page needs. */
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
  for (const name of OF_OTHER_HOSTS) add(name, origins);
  if (hasNetworkAds) {
    for (const [name, sources] of Object.entries(OF_NETWORK_ADS)) add(name, sources);
    directives.set('style-src', AD_STYLES.slice());
  }
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}
