// What the service says about itself once it is ready. No secret ever appears here.
import type { Config } from "../config/config.ts";
import { addressOf, isLoopback } from "../config/server.ts";

interface Section {
  readonly title: string;
  readonly lines: readonly (readonly [label: string, value: string] | null)[];
}

const LABEL_WIDTH = 22;

/** The banner, line by line; the last line says that the service is up and names its address. Pure. */
export function banner(config: Config, version: string): string[] {
  const { server, run, tls, authentication } = config;
  const http = addressOf(server.host, server.port, tls.http !== null, "localhost") + server.rootPath;
  const lines = [`Spanlight ${version}`];
  for (const section of sections(config, http)) {
    const shown = section.lines.filter((line) => line !== null);
    if (shown.length === 0) continue;
    lines.push("", section.title, ...shown.map(([label, value]) => `  ${`${label}:`.padEnd(LABEL_WIDTH)} ${value}`));
  }
  if (!isLoopback(server.host) && !authentication.enabled) {
    lines.push(
      "",
      `WARNING: listening on ${server.host} without authentication. Everybody who reaches this address can read and change`,
      "all data. Set SERVICE_ENABLE_AUTH=true with SERVICE_SECRET, or SERVICE_HOST=127.0.0.1.",
    );
  }
  lines.push("", `Spanlight is up and running at ${run.webPage ? `${http}/` : http}`);
  return lines;
}

function sections(config: Config, http: string): Section[] {
  const { server, database, storageLimits, tls, run, authentication, mail } = config;
  const { location } = database;
  const switchText = (on: boolean) => (on ? "Enabled" : "Disabled");
  const grpc = addressOf(server.host, server.grpcPort, tls.grpc !== null, "localhost");
  const { capacityGibibytes } = storageLimits;
  return [
    {
      title: "Storage",
      lines: [
        [
          "Database",
          location.kind === "sqlite" && location.temporary ? `${database.printed} (lost at exit)` : database.printed,
        ],
        location.kind === "postgres" && location.schema !== null ? ["Schema", location.schema] : null,
        database.printedReplica === null ? null : ["Read replica", database.printedReplica],
        capacityGibibytes === null ? null : ["Capacity limit", `${capacityGibibytes} GiB`],
      ],
    },
    {
      title: "Auth & Security",
      lines: [
        ["Authentication", switchText(authentication.enabled)],
        authentication.enabled && authentication.basicAuthDisabled ? ["Basic auth", switchText(false)] : null,
        ["TLS (HTTP)", switchText(tls.http !== null)],
        ["TLS (gRPC)", switchText(tls.grpc !== null)],
        (tls.http ?? tls.grpc)?.clientAuthorities == null ? null : ["mTLS client verify", switchText(true)],
        server.allowedOrigins.length === 0 ? null : ["Allowed origins", server.allowedOrigins.join(", ")],
      ],
    },
    { title: "Features", lines: [["Email (SMTP)", mail?.host ?? "Not configured"]] },
    {
      title: "Server",
      lines: [
        ["Web UI", run.webPage ? `${http}/` : "Switched off (--no-ui)"],
        ["REST API", `${http}/v1`],
        ["GraphQL API", `${http}/graphql`],
        ["API documentation", `${http}/docs`],
        run.readOnly ? ["Mode", "Read-only"] : null,
      ],
    },
    {
      title: "Tracing",
      lines: run.readOnly
        ? []
        : [
            ["OTLP over gRPC", grpc],
            ["OTLP over HTTP", `${http}/v1/traces`],
          ],
    },
    { title: "Development", lines: [run.debug ? ["Debug", switchText(true)] : null] },
  ];
}
