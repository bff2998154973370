/** The addresses of pages, each defined once. */

export function soundPath(id: string): string {
  return `/sounds/${encodeURIComponent(id)}`;
}

/** The similar sounds on the page of a sound. */
export function similarPath(id: string): string {
  return `${soundPath(id)}#similar`;
}

/** The form to report a sound. */
export function reportPath(id: string): string {
  return `${soundPath(id)}/report`;
}

export function artistPath(username: string): string {
  return `/artist/${encodeURIComponent(username)}`;
}

/** The feed of an artist's sounds. */
export function artistFeedPath(username: string): string {
  return `/feed${artistPath(username)}`;
}

/** The player of a sound for frames of other sites. */
export function embedPath(id: string): string {
  return `/embed${soundPath(id)}`;
}

export function contentPath(slug: string): string {
  return `/content/${encodeURIComponent(slug)}`;
}

/** The certificate of a download. */
export function certificatePath(id: string): string {
  return `/certificates/${encodeURIComponent(id)}`;
}

/** The form to tell the artist where the sound of a certificate was used. */
export function tellUsePath(certificate: string): string {
  return `${certificatePath(certificate)}/use`;
}

/** Terms of use as a certificate names them; `hash` is the SHA-256 of their text. */
export function licencePath(hash: string): string {
  return `/licences/${encodeURIComponent(hash)}`;
}

/** The statement of a month; `month` is `2026-11`. */
export function statementPath(month: string): string {
  return `/profile/statement?month=${encodeURIComponent(month)}`;
}

/** Decodes a name from a page's path: the router leaves reserved characters, such as `&`, encoded. */
export function readPathName(parameter: string | undefined): string {
  return (parameter ?? '').replace(/%(?:2[346BCF]|3[ABDF]|40)/gi, decodeURIComponent);
}
