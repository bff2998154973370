/** One look, since every request is logged and hardly any has one. */
const MAY_HOLD =
  /(?:[?&]|%3F|%26)(?:token|(?:message_)?email_token|uid|user|signature|intent)(?:=|%3D)|\/(?:verify-email|download-intents)\//i;
const VALUES = /([?&](?:token|(?:message_)?email_token|uid|user|signature|intent)=)[^&#]*/gi;
/** The same within an address that is a value itself: where to go on after log-in. */
const INNER_VALUES = /((?:%3F|%26)(?:token|(?:message_)?email_token|uid|user|signature|intent)%3D)[^&#%]*/gi;
const LINK = /(\/verify-email\/).*?(?=\/?(?:[?#]|$))/i;
const INTENT = /(\/download-intents\/)[^/?#]+/i;

/** A path or URL as it may be logged: without what opens an account or a private file, or stands for a download. */
export function hideSecrets(url: string): string {
  if (!MAY_HOLD.test(url)) return url;
  return url.replace(LINK, '$1…').replace(INTENT, '$1…').replace(VALUES, '$1…').replace(INNER_VALUES, '$1…');
}
