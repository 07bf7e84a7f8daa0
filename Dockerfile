# The HTTP server in a container: not root, and nothing is written outside /data,
# /vault and /tmp, so that the root file system can be read-only. See compose.yaml.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production COMMONPLACE_HOME=/data COMMONPLACE_VAULT=/vault
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE ./
COPY --from=build /src/bin ./bin
COPY --from=build /src/dist ./dist
RUN mkdir /data /vault && chown node:node /data /vault
USER node
VOLUME ["/data", "/vault"]
EXPOSE 4127
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:4127/').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "--max-old-space-size=1024", "/app/bin/commonplace.js"]
CMD ["serve", "--http", "4127", "--host", "0.0.0.0"]
