/** The addresses of pages, so that no link is spelled twice. */

export function soundPath(id: string): string {
  return `/sounds/${encodeURIComponent(id)}`;
}

export function artistPath(username: string): string {
  return `/artist/${encodeURIComponent(username)}`;
}

export function contentPath(slug: string): string {
  return `/content/${encodeURIComponent(slug)}`;
}

/** What a month's earnings are made of; `month` is `2026-11`. */
export function statementPath(month: string): string {
  return `/profile/statement?month=${encodeURIComponent(month)}`;
}

/** A name out of a page's path: the router leaves what means something in an address as it is, `&` for one. */
export function readPathName(parameter: string | undefined): string {
  return (parameter ?? '').replace(/%(?:2[346BCF]|3[ABDF]|40)/gi, decodeURIComponent);
}
