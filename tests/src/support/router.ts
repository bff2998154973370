/** Replaces `astro:transitions/client`, which exists only in a built page. */
export const navigations: string[] = [];

export function navigate(href: string): Promise<void> {
  navigations.push(href);
  return Promise.resolve();
}
