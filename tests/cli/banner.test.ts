// The banner tells operators where things are, and no secret.
import { describe, expect, test } from "bun:test";
import { banner } from "../../src/cli/banner.ts";
import type { LoadOptions } from "../../src/config/load.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { loadSettings } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

function linesOf(variables: Record<string, string>, options: LoadOptions = {}): string[] {
  return banner(loadSettings(variables, options).config, "1.2.3").map((line) => line.replace(/ +/g, " ").trim());
}

describe("banner", () => {
  test("names version, database and addresses, and ends with the line scripts wait for", () => {
    const lines = linesOf({});
    expect(lines[0]).toBe("Spanlight 1.2.3");
    expect(lines).toContain("Database: sqlite:////home/somebody/.spanlight/spanlight.db");
    expect(lines).toContain("Authentication: Disabled");
    expect(lines).toContain("REST API: http://127.0.0.1:6006/v1");
    expect(lines).toContain("OTLP over gRPC: http://127.0.0.1:4317");
    expect(lines).toContain("OTLP over HTTP: http://127.0.0.1:6006/v1/traces");
    expect(lines).toContain("Web UI: http://127.0.0.1:6006/");
    expect(lines.at(-1)).toBe("Spanlight is up and running at http://127.0.0.1:6006/");
    expect(lines.join("\n")).not.toMatch(/WARNING|Development|Schema|replica|Mode/);
  });

  test("warns of an address beyond loopback, and then names a host that can be opened", () => {
    for (const host of ["0.0.0.0", "::"]) {
      const lines = linesOf({ SERVICE_HOST: host, SERVICE_HOST_ROOT_PATH: "/sub" });
      expect(lines.join("\n")).toContain(`WARNING: listening on ${host} without authentication.`);
      expect(lines).toContain("Web UI: http://localhost:6006/sub/");
      expect(lines).toContain("GraphQL API: http://localhost:6006/sub/graphql");
      expect(lines).toContain("OTLP over gRPC: http://localhost:4317");
      expect(lines.at(-1)).toBe("Spanlight is up and running at http://localhost:6006/sub/");
    }
    expect(linesOf({ SERVICE_HOST: "192.0.2.1" }).join("\n")).toContain("WARNING: listening on 192.0.2.1");
  });

  test("says whether authentication is on, and then warns of no address", () => {
    const lines = linesOf({
      SERVICE_HOST: "0.0.0.0",
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: "swordfish-0123456789-0123456789-0123",
      SERVICE_SMTP_HOSTNAME: "smtp.example.org",
      SERVICE_SMTP_MAIL_FROM: "no-reply@example.org",
    });
    expect(lines).toContain("Authentication: Enabled");
    expect(lines).toContain("Email (SMTP): smtp.example.org");
    expect(lines.join("\n")).not.toMatch(/WARNING|swordfish/);
  });

  test("read-only has no tracing addresses, --no-ui no page", () => {
    const lines = linesOf({}, { readOnly: true, noWebPage: true, debug: true });
    expect(lines).toContain("Mode: Read-only");
    expect(lines).toContain("Debug: Enabled");
    expect(lines).toContain("Web UI: Switched off (--no-ui)");
    expect(lines.at(-1)).toBe("Spanlight is up and running at http://127.0.0.1:6006");
    expect(lines.join("\n")).not.toMatch(/OTLP/);
  });

  test("TLS shows in schemes and switches", () => {
    const { certificate, key } = selfSignedCertificate();
    const files = memoryFiles({ "/c": certificate, "/k": key });
    const lines = linesOf(
      {
        SERVICE_TLS_ENABLED: "true",
        SERVICE_TLS_ENABLED_FOR_GRPC: "false",
        SERVICE_TLS_CERT_FILE: "/c",
        SERVICE_TLS_KEY_FILE: "/k",
        SERVICE_TLS_VERIFY_CLIENT: "true",
        SERVICE_TLS_CA_FILE: "/c",
      },
      { files },
    );
    expect(lines).toContain("TLS (HTTP): Enabled");
    expect(lines).toContain("TLS (gRPC): Disabled");
    expect(lines).toContain("mTLS client verify: Enabled");
    expect(lines).toContain("REST API: https://127.0.0.1:6006/v1");
    expect(lines).toContain("OTLP over gRPC: http://127.0.0.1:4317");
  });

  test("passwords are never shown", () => {
    const lines = linesOf({
      SERVICE_SQL_DATABASE_URL: "postgresql://u:swordfish@h/d?sslmode=require&sslpassword=swordfish",
      SERVICE_SQL_DATABASE_READ_REPLICA_URL: "postgresql://@r/d?user=u&password=swordfish",
      SERVICE_SQL_DATABASE_SCHEMA: "svc",
      SERVICE_SECRET: "swordfish-0123456789-0123456789-0123",
    });
    expect(lines).toContain("Database: postgresql://u:***@h/d");
    expect(lines).toContain("Read replica: postgresql://u:***@r/d");
    expect(lines).toContain("Schema: svc");
    expect(lines.join("\n")).not.toContain("swordfish");
  });
});
