# The site as an image: docker build -t otoichi:1.3.0 .
# docs/operating.md ("Containers") says how to run it, and what of it was never run.

# The version that package.json pins for Linux: another one counts as other sources, and the start would build again.
# Pin the digest as well where you build: docker buildx imagetools inspect node:24.21.0-trixie-slim
ARG NODE_IMAGE=node:24.21.0-trixie-slim
# The image of the version that runs now. Its scripts are kept for one more version, because pages that browsers and
# CDNs have cached still request them: docker build --build-arg PREVIOUS=otoichi:1.2.0 -t otoichi:1.3.0 .
ARG PREVIOUS=nothing-before

FROM ${NODE_IMAGE} AS nothing-before
RUN mkdir -p /site/dist /site/.astro

FROM ${PREVIOUS} AS previous

FROM ${NODE_IMAGE} AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
# The packages with Node itself are for machines, not for this image.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY --from=previous /site/dist ./dist
COPY --from=previous /site/.astro ./.astro
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS site
LABEL org.opencontainers.image.title="Otoichi" \
  org.opencontainers.image.description="A Japanese sound marketplace: pages, API and staff commands" \
  org.opencontainers.image.licenses="MIT"
# Owned by the user of the service, so that a new volume is as well.
RUN install -d -o 1000 -g 1000 -m 700 /var/lib/otoichi /var/backups/otoichi
WORKDIR /site
# Owned by root: the process cannot change its own code. The start compares the sources with the build.
COPY --from=build /site ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4321 DATA_DIR=/var/lib/otoichi/data
# Fewer arenas of the allocator: less memory, since pages are compressed on other threads.
ENV MALLOC_ARENA_MAX=2
USER 1000:1000
EXPOSE 4321
STOPSIGNAL SIGTERM
# Only that the process answers. Proxies ask /readyz, which also needs the database and free space.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# npm start without npm, which does not hand signals on.
CMD ["node", "--max-semi-space-size=4", "--import", "./server/check-node.mjs", "server/start.ts"]
