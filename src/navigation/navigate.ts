import type { NavigateOptions } from './navigation.ts';

/**
 * Goes to a page of this site. Resolves when it is shown, or when another navigation has taken its place. The router loads
 * with the first navigation; if it cannot be loaded, the user has been notified.
 */
export async function navigate(href: string, options?: NavigateOptions): Promise<void> {
  await import('./navigation.ts').then((navigation) => navigation.goTo(href, options)).catch(console.warn);
}
