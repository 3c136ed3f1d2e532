# The image of the service, the nightly run and both command lines: what it does is chosen by its command.
#
#     docker build --tag energy-asset-data-service .
#     docker run --init --env BASE_URL=http://127.0.0.1:8080 --publish 127.0.0.1:8080:8080 --volume energy:/state \
#       energy-asset-data-service
#
# --init (in compose.yaml: init) reaps what processes leave behind. compose.yaml runs all that belongs to it.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image is Node 24 already: scripts of packages only fetch it once more, and the link to it would lead nowhere.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node node_modules/.bin/node

FROM node:24-slim
LABEL org.opencontainers.image.title=energy-asset-data-service org.opencontainers.image.version=0.1.0
RUN useradd --system --uid 10001 --home-dir /state --shell /usr/sbin/nologin energy \
  && install --directory --owner energy --group energy --mode 0700 /state
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json CHANGELOG.md ./
COPY docs ./docs
COPY runtime ./runtime
COPY sql ./sql
COPY ingest ./ingest
COPY data ./data
COPY api ./api
COPY dashboards/web ./dashboards/web
ENV NODE_ENV=production \
    STATE_DIR=/state \
    HOST=0.0.0.0 \
    npm_config_update_notifier=false
USER energy
VOLUME /state
EXPOSE 8080 9464
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["node", "api/health/check.ts"]
CMD ["node", "api/start.ts"]
