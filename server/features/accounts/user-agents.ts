/** The order matters: many browsers also name their ancestors. */
const SYSTEMS = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
] as const;
const BROWSERS = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

/**
 * The kind of device that a `User-Agent` header claims, as mails name it: `Windows の Chrome`. Only returns fixed names,
 * so nothing from the caller reaches a mail.
 */
export function describeDevice(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(text))?.[1];
  const [system, browser] = [find(SYSTEMS), find(BROWSERS)];
  if (system === undefined || browser === undefined) return system ?? browser ?? '不明な端末';
  return `${system} の ${browser}`;
}
