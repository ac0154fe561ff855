// The compose files without an engine: a kept linter with the schema of compose, and our own settings.
import { describe, expect, test } from "bun:test";
import { DCLinter } from "dclint";
import packageFile from "../../package.json";
import { loadSettings, warningsOf } from "../support/load-settings.ts";

interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, object | null>>;
}

/** Its rules of style are ours to choose; what is wrong is not. */
const linter = new DCLinter({
  rules: {
    "no-build-and-image": [2, { checkPullPolicy: true }],
    "no-duplicate-container-names": 2,
    "no-duplicate-exported-ports": 2,
    "no-quotes-in-volumes": 0,
    "no-unbound-port-interfaces": 2,
    "no-version-field": 2,
    "require-project-name-field": 2,
    "require-quotes-in-ports": 0,
    "service-container-name-regex": 2,
    "service-dependencies-alphabetical-order": 0,
    "service-image-require-explicit-tag": 2,
    "service-keys-order": 0,
    "service-ports-alphabetical-order": 0,
    "services-alphabetical-order": 0,
    "top-level-properties-order": 0,
  },
  quiet: true,
  debug: false,
  exclude: [],
});

const OURS = `spanlight:${packageFile.version}`;

for (const path of ["docker/compose.yaml", "docker/compose.postgres.yaml"]) {
  const text = await Bun.file(path).text();
  // As `docker compose` fills them in.
  const filled = text.replace(/\$\{[A-Z_]+:\?[^}]*\}/g, "chosen1");
  const { services, volumes } = Bun.YAML.parse(filled) as ComposeFile;
  const ours = Object.entries(services).filter(([, { image }]) => image === OURS);
  const others = Object.entries(services).filter(([, { image }]) => image !== OURS);

  describe(path, () => {
    test("is what compose reads, by its schema and a linter", () => {
      const found = linter.lintFiles([path], false);
      expect(found.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`))).toEqual([]);
    });

    test("gives the service settings that it takes without a word", () => {
      expect(ours.length).toBeGreaterThan(0);
      for (const [, { environment = {} }] of ours) {
        expect(warningsOf(environment)).toEqual([]);
        const { database } = loadSettings(environment).config;
        expect(JSON.stringify(database).includes("primary")).toBe(path.includes("postgres"));
      }
    });

    test("lets the service do no more than it needs", () => {
      for (const [name, service] of ours) {
        expect({ name, ...service }).toMatchObject({
          read_only: true,
          cap_drop: ["ALL"],
          security_opt: ["no-new-privileges:true"],
          restart: "unless-stopped",
        });
        expect(service.privileged).toBeUndefined();
        // It stops within 25 seconds.
        expect(Number.parseInt(service.stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(30);
        for (const port of service.ports ?? []) expect(port).toStartWith("127.0.0.1:");
      }
    });

    test("names what is there: services, volumes, versions", () => {
      for (const [name, { image, healthcheck, ports }] of others) {
        expect({ name, image }).toEqual({ name, image: expect.stringMatching(/^postgres:\d+-[a-z]+$/) });
        expect(healthcheck).toBeDefined();
        expect(ports).toBeUndefined();
      }
      for (const service of Object.values(services)) {
        for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
          expect(services).toHaveProperty([other]);
          expect(condition).toBe("service_healthy");
        }
        for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty([volume.split(":")[0]!]);
      }
    });
  });
}
