/** Whether this is an address of the listing. */
export function isListing({ pathname }: URL | Location): boolean {
  return /^\/sounds\/?$/.test(pathname);
}

/** The address of a listing alone, without the page around it. */
export function toFragmentUrl({ search }: URL | Location): string {
  return `/fragments/sounds${search}`;
}
