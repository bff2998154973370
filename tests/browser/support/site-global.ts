import type { TestProject } from 'vitest/node';
import { startSite } from './sites.ts';

declare module 'vitest' {
  interface ProvidedContext {
    siteUrl: string;
  }
}

/** One marketplace for all journeys that only look. */
export default async function setup(project: TestProject) {
  const site = await startSite();
  project.provide('siteUrl', site.url);
  return async () => {
    await site.stop();
    const noise = site.log.filter((line) => !/storage holds nothing/.test(line));
    if (noise.length > 0) throw new Error(`the server's log is not silent:\n${noise.join('\n')}`);
  };
}
