/** The addresses of pages that contain a value, each defined once. Links to other pages name their path. */

/**
 * What a segment of a path cannot contain, even encoded: browsers, proxies and routers decode `%2F`, `%5C`, `%25` and `..`
 * at different times, and Astro removes `.html` from the end. Also a tilde that would be read as the mark of one.
 */
const UNSAFE = /[%/\\]|^\.(?=\.?$)|\.(?=html$)|~(?=2[5EF]|5C|7E)/g;

/** A name as one segment of a path. What is unsafe there has a tilde in place of the percent sign (decision 166). */
export function encodePathName(name: string): string {
  const safe = name.replace(UNSAFE, (sign) => `~${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return encodeURIComponent(safe.toWellFormed());
}

/** The name in a segment of a path, which may be percent-encoded in part; '' if it cannot be read. */
export function readPathName(segment: string | undefined): string {
  try {
    const name = decodeURIComponent(segment ?? '');
    return name.replace(/~(2[5EF]|5C|7E)/g, (_, code: string) => decodeURIComponent(`%${code}`));
  } catch {
    return '';
  }
}

/** The sounds of a sound type. */
export function typePath(id: string): string {
  return `/sounds?type=${encodeURIComponent(id)}`;
}

/** The sounds of a sub-genre. */
export function subGenrePath(id: string): string {
  return `/sounds?sub_genres=${encodeURIComponent(id)}`;
}

export function soundPath(id: string): string {
  return `/sounds/${encodePathName(id)}`;
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
  return `/artist/${encodePathName(username)}`;
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
  return `/content/${encodePathName(slug)}`;
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
