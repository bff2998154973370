/* oxlint-disable no-underscore-dangle -- Members of Playwright's own objects. */
/**
 * Firefox as Mozilla and distributions build it. Playwright drives it by WebDriver BiDi, and leaves out or does otherwise
 * than in Chromium what is mended here, in its objects behind the browser. The version of Playwright is exact; read this
 * again before a newer one.
 */
import { type Browser, firefox } from 'playwright-core';

const FONTS = new URL('../../../node_modules/@expo-google-fonts/m-plus-1p/', import.meta.url).pathname;

/** As Playwright starts Chromium. */
const PREFERENCES = {
  // Without a screen, Firefox reports no pointer, and scrollbars take space. Bits: 2 is fine, 4 hovers.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'ui.useOverlayScrollbars': 1,
  // The panel would take the focus from the page, whose keys then press no button.
  'browser.download.alwaysOpenPanel': false,
  // Playwright starts Chromium without the back/forward cache too, and waits in vain for the load of a page from it.
  'browser.sessionhistory.max_total_viewers': 0,
  // Chromium asks for no icons. In Firefox, documents whose policy allows none report theirs.
  'browser.chrome.site_icons': false,
  // The sandbox of pages lets them read fonts of the system only.
  'security.sandbox.content.read_path_whitelist': FONTS,
  // Loopback needs no proxy, and there is none. What Firefox itself asks of Mozilla, such as its experiments, ends here.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

interface Session {
  readonly sessionId: string;
  readonly connection: { readonly _transport: { onmessage(message: Message): void } };
  send(method: string, params: object): Promise<object>;
}

/** What Playwright receives. */
interface Message {
  readonly method?: string;
  readonly params?: {
    url?: string;
    navigation?: string | null;
    download?: string;
    suggestedFilename?: string;
    type?: string;
    text?: string;
    args?: readonly object[];
    realm?: string;
    origin?: string;
    source?: { readonly realm: string };
    stackTrace?: object;
    request?: { readonly destination: string | null; readonly initiatorType: string | null };
  };
}

interface BidiBrowser {
  readonly _browserSession: Session;
  /** By the id of the page. */
  readonly _bidiPages: ReadonlyMap<string, BidiPage>;
}

interface BidiPage {
  readonly _session: Session;
  readonly _browserContext: {
    readonly _browser: BidiBrowser;
    readonly _options: { readonly javaScriptEnabled?: boolean };
  };
  readonly _page: {
    emulatedMedia(): Record<'media' | 'colorScheme' | 'reducedMotion' | 'forcedColors', string | null>;
  };
  readonly rawKeyboard: {
    readonly _page: BidiPage;
    keydown(...key: unknown[]): Promise<void>;
    sendText(progress: object, text: string): Promise<void>;
  };
  bringToFront(): Promise<void>;
  updateEmulateMedia(): Promise<void>;
  shouldToggleStyleSheetToSyncAnimations(): boolean;
}

export async function launchFirefox(
  executablePath: string,
  env: Readonly<Record<string, string>>,
): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    // For `emulate`.
    args: ['--remote-allow-system-access'],
    firefoxUserPrefs: PREFERENCES,
    env: { ...process.env, ...env },
    headless: true,
  });
  const connection = Reflect.get(browser, '_connection') as { toImpl(of: Browser): BidiBrowser };
  adaptBrowser(connection.toImpl(browser));
  return browser;
}

function adaptBrowser({ _browserSession: session, _bidiPages: pages }: BidiBrowser): void {
  const send = session.send.bind(session);
  session.send = async (method, params) => {
    // Each context sends this, which Firefox ESR 153 refuses. Its pages call `emulate` instead.
    if (method === 'emulation.setMediaFeaturesOverride') return {};
    const result = await send(method, params);
    if (method === 'browsingContext.create') {
      const page = pages.get((result as { context: string }).context);
      if (page === undefined) throw new Error('a page has been created that Playwright does not know');
      adaptPages(page);
      await page.updateEmulateMedia();
    }
    return result;
  };
  const { _transport: transport } = session.connection;
  const receive = transport.onmessage;
  const isFromEmptyDocument = findEmptyDocuments();
  transport.onmessage = (message) => {
    if (isFromEmptyDocument(message) || isFromImageCache(message)) return;
    complete(message);
    receive(message);
  };
}

/**
 * Tells the errors of a test's own scripts in the empty document before a page, which has no storage: those of documents
 * without an origin whose scripts have no address.
 */
function findEmptyDocuments(): (message: Message) => boolean {
  const realms = new Set<string>();
  return ({ method, params: { realm, origin, type, source, stackTrace } = {} }) => {
    if (method === 'script.realmCreated' && realm !== undefined && origin === 'null') realms.add(realm);
    return (
      method === 'log.entryAdded' &&
      type === 'javascript' &&
      stackTrace === undefined &&
      source !== undefined &&
      realms.has(source.realm)
    );
  };
}

/** Firefox reports a request also for a picture that it still has in memory. No element has sent it. */
const isFromImageCache = ({ method, params: { request } = {} }: Message) =>
  method === 'network.beforeRequestSent' &&
  request?.destination === 'image' &&
  request.initiatorType === null;

/** Adds what Playwright looks for in an event. */
function complete({ method = '', params = {} }: Message): void {
  // It knows a download by an id that Firefox ESR 153 gives only to those that are navigations.
  if (/^browsingContext\.download(WillBegin|End)$/.test(method))
    params.download = params.navigation ?? params.url!;
  // Firefox tells the name by which it saves a file: with a number where the folder of the test has one of that name.
  if (params.suggestedFilename !== undefined)
    params.suggestedFilename = params.suggestedFilename.replace(/\(\d+\)(?=\.\w+$)/, '');
  if (method !== 'log.entryAdded') return;
  const { text = '' } = params;
  // What a policy forbids is a message of the console, as in Chromium, and not an error of a script.
  if (/^(Content-Security-Policy|Cross-Origin Request Blocked):/.test(text))
    Object.assign(params, { type: 'console', method: 'error' });
  // It takes the text of a message from its values, where an error is only called an error.
  if (params.type === 'console') params.args = [{ type: 'string', value: text }];
}

/** Adapts the classes of all pages and of their keyboards. */
function adaptPages(page: BidiPage): void {
  const pages = Object.getPrototypeOf(page) as BidiPage;
  pages.updateEmulateMedia = function updateEmulation() {
    return emulate(this);
  };
  // Before a screenshot, a style element would break the policy of the page, which Firefox reports.
  pages.shouldToggleStyleSheetToSyncAnimations = () => false;
  const keyboards = Object.getPrototypeOf(page.rawKeyboard) as BidiPage['rawKeyboard'];
  const { keydown } = keyboards;
  // Firefox drops keys for a page behind another one, also of another context.
  keyboards.keydown = async function pressInFront(...key) {
    await this._page.bringToFront();
    await keydown.apply(this, key);
  };
  // Playwright sets `value`, which React takes for its own change. Text that is typed or pasted arrives like this.
  keyboards.sendText = async function insertText(_progress, text) {
    const { _session: own } = this._page;
    await own.send('script.callFunction', {
      functionDeclaration: String((inserted: string) => document.execCommand('insertText', false, inserted)),
      arguments: [{ type: 'string', value: text }],
      target: { context: own.sessionId },
      awaitPromise: false,
    });
  };
}

/** What a page is to see of media queries, and whether it runs scripts, set by Firefox's own means. */
async function emulate(page: BidiPage): Promise<void> {
  const { _browserSession: session } = page._browserContext._browser;
  const { media, colorScheme, reducedMotion, forcedColors } = page._page.emulatedMedia();
  const isSet = (value: string | null): value is string => value !== null && value !== 'no-override';
  const settings = {
    mediumOverride: isSet(media) ? media : '',
    prefersColorSchemeOverride: isSet(colorScheme) ? colorScheme : 'none',
    prefersReducedMotionOverride: isSet(reducedMotion) ? reducedMotion : 'none',
    forcedColorsOverride: isSet(forcedColors) ? forcedColors : 'none',
    allowJavascript: page._browserContext._options.javaScriptEnabled !== false,
  };
  const windows = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 });
  const [window] = (windows as { contexts: readonly { context: string }[] }).contexts;
  const { type, exceptionDetails } = (await session.send('script.callFunction', {
    functionDeclaration: String(setInFirefox),
    arguments: [page._session.sessionId, JSON.stringify(settings)].map((value) => ({
      type: 'string',
      value,
    })),
    target: { context: window?.context },
    awaitPromise: false,
  })) as { type: string; exceptionDetails?: { text: string } };
  if (type === 'exception') throw new Error(`Firefox refuses the emulation: ${exceptionDetails?.text}`);
}

/** Runs in the first window of Firefox, with the rights of Firefox. A navigation can replace what has the settings. */
function setInFirefox(id: string, settings: string): void {
  const url = 'chrome://remote/content/shared/NavigableManager.sys.mjs';
  const { NavigableManager } = ChromeUtils.importESModule(url);
  if (window.emulated === undefined) {
    window.emulated = new Map<string, object>();
    Services.obs.addObserver((context) => {
      Object.assign(context, window.emulated?.get(NavigableManager.getIdForBrowsingContext(context) ?? ''));
    }, 'browsing-context-did-set-embedder');
  }
  window.emulated.set(id, JSON.parse(settings) as object);
  Object.assign(NavigableManager.getBrowsingContextById(id), window.emulated.get(id));
}

declare global {
  interface Window {
    /** By the id of the page. */
    emulated?: Map<string, object>;
  }
  const Services: { obs: { addObserver(observer: (subject: object) => void, topic: string): void } };
  const ChromeUtils: {
    importESModule(url: string): {
      NavigableManager: {
        getBrowsingContextById(id: string): object;
        getIdForBrowsingContext(context: object): string | null;
      };
    };
  };
}
