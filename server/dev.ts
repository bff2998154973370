import './check-node.mjs';

const { dev } = await import('astro');
const { ROOT_DIR } = await import('./build.ts');
const { parseSettings } = await import('./settings.ts');
const { openHost } = await import('./host.ts');
const { endProcess } = await import('./platform/log.ts');
const { unlimitedAdmission } = await import('./platform/limits/admission.ts');
const { createHandler } = await import('./web/handler.ts');
const { createPageCache } = await import('./web/page-cache.ts');
const { NO_STATIC_FILES } = await import('./web/static.ts');

/** A single port: our API and files, and behind them Astro's dev server with hot reload. */
const settings = parseSettings(process.env);
const host = await openHost(settings);
// Astro calls pages itself here; src/middleware.ts reads their environment under this name.
const locals = { ...host.locals, requestId: '', recordDependency: () => undefined };
Reflect.set(globalThis, Symbol.for('dev.locals'), locals);

const handler = createHandler({
  ...host.parts,
  staticFiles: NO_STATIC_FILES,
  pages: createPageCache({
    render: () => Promise.reject(new Error('in development Astro serves the pages')),
    toKey: ({ path }) => path,
    admission: unlimitedAdmission,
    maxBytes: 0,
  }),
});
const OURS = /^\/(?:api|media|notice|healthz|readyz)(?:[/?]|$)/;

const server = await dev({
  root: ROOT_DIR,
  server: { host: settings.host, port: host.settings.port },
  vite: {
    plugins: [
      {
        name: 'own-host',
        enforce: 'pre',
        configureServer({ middlewares }) {
          middlewares.use((req, res, next) => {
            if (OURS.test(req.url ?? '')) handler(req, res);
            else next();
          });
        },
      },
    ],
  },
});

host.startScheduledJobs();

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void server
      .stop()
      .then(() => host.close())
      .then(() => endProcess(host.output, 0));
  });
}
