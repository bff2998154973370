/** One look, since every request is logged and hardly any has one. */
const MAY_HOLD = /[?&](?:token|email_token|uid|user|signature)=|\/verify-email\//i;
const VALUES = /([?&](?:token|email_token|uid|user|signature)=)[^&#]*/gi;
const LINK = /(\/verify-email\/).*?(?=\/?(?:[?#]|$))/i;

/** A path or URL as it may be logged: without what opens an account or a private file. */
export function hideSecrets(url: string): string {
  if (!MAY_HOLD.test(url)) return url;
  return url.replace(LINK, '$1…').replace(VALUES, '$1…');
}
