/** Stands in for `astro:transitions/client`, which exists in a built page alone. */
export const navigations: string[] = [];

export function navigate(href: string): Promise<void> {
  navigations.push(href);
  return Promise.resolve();
}
