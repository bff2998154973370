/** Whether this is an address of the listing. */
export function isListing({ pathname }: Pick<URL, 'pathname'>): boolean {
  return /^\/sounds\/?$/.test(pathname);
}

/** The address of a listing alone, without the page around it. */
export function toFragmentUrl({ search }: Pick<URL, 'search'>): string {
  return `/fragments/sounds${search}`;
}
