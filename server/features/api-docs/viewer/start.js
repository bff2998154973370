/* global SwaggerUIBundle */
// Runs in browsers, in the page of `../page.ts`, after the bundle of swagger-ui-dist.

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const hidden = () => () => null;

/**
 * Leaves out what sends requests and what our page already says, and links inside buttons, which assistive technology
 * cannot reach.
 *
 * @param {any} system
 */
const toReadingView = ({ React }) => ({
  wrapComponents: {
    AuthorizeBtnContainer: hidden,
    authorizeOperationBtn: hidden,
    CopyToClipboardBtn: hidden,
    InfoContainer: hidden,
    JsonSchemaForm: hidden,
    ServersContainer: hidden,
    DeepLink:
      () =>
      (/** @type {any} */ { text }) =>
        React.createElement('span', null, text),
  },
});

// @ts-expect-error The bundle defines it.
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  plugins: [toReadingView],
  showCommonExtensions: true,
  showExtensions: true,
  supportedSubmitMethods: [],
  syntaxHighlight: false,
  // No image of the service that judges documents.
  validatorUrl: null,
});
