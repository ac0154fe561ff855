// The manifests for Kubernetes without a cluster: the schemas of its API, what linters of the field ask for, and our own settings.
import { describe, expect, test } from "bun:test";
import { validate as validateDeployment } from "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment";
import { validate as validateStatefulSet } from "kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet";
import { validate as validateService } from "kubernetes-models/_schemas/IoK8sApiCoreV1Service";
import { validate as validateBudget } from "kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget";
import type { IDeployment, IStatefulSet } from "kubernetes-models/apps/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type { IService } from "kubernetes-models/v1";
import packageFile from "../../package.json";
import { settingGroupsWith } from "../../src/config/catalogue.ts";
import { featureSettings } from "../../src/server/features.ts";
import { loadSettings, warningsOf } from "../support/load-settings.ts";
import { memoryFiles } from "../support/memory-files.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
}

interface SchemaCheck {
  (data: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly message?: string; readonly keyword: string }[] | null;
}

const schemas: Readonly<Record<string, SchemaCheck>> = {
  "apps/v1 Deployment": validateDeployment as SchemaCheck,
  "apps/v1 StatefulSet": validateStatefulSet as SchemaCheck,
  "v1 Service": validateService as SchemaCheck,
  "policy/v1 PodDisruptionBudget": validateBudget as SchemaCheck,
};

/** The data, and what is told of names in it that nobody has asked for: a schema asks for those that it knows. */
function watched(data: unknown): { readonly data: unknown; unread(): string[] } {
  const unread = new Set<string>();
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry, position) => watch(entry, `${path}/${position}`));
    const inside = Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, watch(child, `${path}/${name}`)]),
    );
    for (const name of Object.keys(inside)) unread.add(`${path}/${name}`);
    return new Proxy(inside, {
      get(target, name) {
        if (typeof name === "string") unread.delete(`${path}/${name}`);
        return Reflect.get(target, name);
      },
    });
  };
  return { data: watch(data, ""), unread: () => [...unread].sort() };
}

function complaintsOf(manifest: Manifest): string[] {
  const check = schemas[`${manifest.apiVersion} ${manifest.kind}`];
  if (check === undefined) return [`${manifest.apiVersion} ${manifest.kind} is not known`];
  const { data, unread } = watched(manifest);
  const isValid = check(data);
  return [
    ...(isValid ? [] : (check.errors ?? []).map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`)),
    ...unread().map((path) => `${path} is no field`),
  ];
}

const SECRETS = "/run/secrets/spanlight";
const IMAGE = `spanlight:${packageFile.version}`;
/** Of enough variety. */
const SECRET = "0123456789abcdefghijklmnopqrstuv";
/** Seconds: the service stops within this time. */
const STOP = 25;

test("a schema tells of wrong types, missing fields and names that do not exist", () => {
  const wrong = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "x", labels: { any: "label" } },
    spec: {
      replica: 3,
      selector: { matchLabels: { any: "label" } },
      template: { spec: { containers: [{ image: "x", securityContext: { runAsNonRot: true, runAsUser: "root" } }] } },
    },
  };
  expect(complaintsOf(wrong)).toEqual([
    "/spec/template/spec/containers/0: required",
    "/spec/template/spec/containers/0/securityContext/runAsUser: type",
    "/spec/replica is no field",
    "/spec/template/spec/containers/0/securityContext/runAsNonRot is no field",
  ]);
});

for (const database of ["sqlite", "postgres"] as const) {
  const path = `docker/kubernetes/${database}.yaml`;
  const manifests = Bun.YAML.parse(await Bun.file(path).text()) as readonly Manifest[];
  const find = <Kind>(kind: string) => manifests.find((manifest) => manifest.kind === kind) as Kind | undefined;
  const workload = find<IDeployment>(database === "sqlite" ? "StatefulSet" : "Deployment")!;
  const { spec } = workload;
  const pod = spec!.template.spec!;
  const container = pod.containers[0]!;
  const service = find<IService>("Service")!;
  const variables = Object.fromEntries((container.env ?? []).map(({ name, value = "" }) => [name, value]));
  const settings = settingGroupsWith(featureSettings).flatMap((group) => group.settings);
  const defaultOf = (name: string) => settings.find((each) => each.name === name)?.default;

  describe(path, () => {
    test("is what the API of Kubernetes takes", () => {
      expect(manifests.map((manifest) => ({ kind: manifest.kind, complaints: complaintsOf(manifest) }))).toEqual(
        manifests.map(({ kind }) => ({ kind, complaints: [] })),
      );
    });

    test("runs one container as a user without rights, on a root that is read-only", () => {
      expect(pod.containers.length).toBe(1);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65532,
          fsGroup: 65532,
          seccompProfile: { type: "RuntimeDefault" },
        },
      });
      expect(pod.hostNetwork ?? pod.hostPID ?? pod.hostIPC).toBeUndefined();
      expect(container).toMatchObject({
        image: IMAGE,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      });
      expect(container.securityContext?.privileged).toBeUndefined();
    });

    test("gives it settings that it takes without a word, and secrets by files", () => {
      const names = Object.keys(variables);
      const secretFiles = Object.values(variables).filter((value) => value.startsWith(`${SECRETS}/`));
      const files = memoryFiles(Object.fromEntries(secretFiles.map((file) => [file, `${SECRET}\n`])));
      const image = { SERVICE_WORKING_DIR: "/data", SERVICE_HOST: "0.0.0.0" };
      expect(warningsOf({ ...image, ...variables }, { files })).toEqual([]);
      const { config } = loadSettings({ ...image, ...variables }, { files });
      expect(config.authentication.enabled).toBe(true);
      expect(config.metrics.enabled).toBe(true);
      expect(JSON.stringify(config.database)).toContain(database === "sqlite" ? "/data/spanlight.db" : "@postgres");
      const secret = settings.filter((each) => each.secret).map(({ name }) => name);
      expect(names.filter((name) => secret.includes(name))).toEqual([]);
      // Each secret that is read is one of those that the first lines of the file make.
      const mount = container.volumeMounts!.find(({ mountPath }) => mountPath === SECRETS)!;
      const volume = pod.volumes!.find(({ name }) => name === mount.name)!;
      expect(volume.secret).toEqual({ secretName: "spanlight", defaultMode: 0o440 });
      expect(mount.readOnly).toBe(true);
    });

    test("says which secrets to make, and every one of them is read", async () => {
      const told = Array.from((await Bun.file(path).text()).matchAll(/--from-literal=([a-z-]+)=/g), ([, key]) => key!);
      const read = Object.values(variables)
        .filter((value) => value.startsWith(`${SECRETS}/`))
        .map((value) => value.slice(SECRETS.length + 1));
      expect(told.sort()).toEqual(read.sort());
    });

    test("asks it whether it lives and whether it is ready, by routes that exist", () => {
      expect(container.livenessProbe?.httpGet).toEqual({ path: "/healthz", port: "http" });
      expect(container.startupProbe?.httpGet).toEqual({ path: "/healthz", port: "http" });
      expect(container.readinessProbe?.httpGet).toEqual({ path: "/readyz", port: "http" });
      // A database that is away is no reason to start the service again, and it answers within five seconds.
      expect(container.readinessProbe!.timeoutSeconds!).toBeGreaterThan(5);
      const { periodSeconds, failureThreshold } = container.startupProbe!;
      expect(periodSeconds! * failureThreshold!).toBeGreaterThanOrEqual(300);
      const leaving = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(pod.terminationGracePeriodSeconds! - leaving).toBeGreaterThanOrEqual(STOP + 5);
    });

    test("names the ports that the service listens on, and offers all but the figures", () => {
      const ports = Object.fromEntries(container.ports!.map(({ name, containerPort }) => [name!, containerPort]));
      expect(ports).toEqual({
        http: defaultOf("SERVICE_PORT") as number,
        grpc: defaultOf("SERVICE_GRPC_PORT") as number,
        metrics: defaultOf("SERVICE_PROMETHEUS_PORT") as number,
      });
      expect(service.spec!.ports!.map(({ name, port, targetPort }) => ({ name, port, targetPort }))).toEqual([
        { name: "http", port: ports.http!, targetPort: "http" },
        { name: "grpc", port: ports.grpc!, targetPort: "grpc" },
      ]);
      expect(spec!.template.metadata!.annotations).toEqual({
        "prometheus.io/scrape": "true",
        "prometheus.io/port": String(ports.metrics),
        "prometheus.io/path": "/metrics",
      });
    });

    test("selects its own pods, and requests resources", () => {
      const { labels = {} } = spec!.template.metadata!;
      expect(spec!.selector.matchLabels).toEqual(labels);
      expect(service.spec!.selector).toEqual(labels);
      for (const { metadata } of manifests) expect(metadata.labels).toEqual(labels);
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
      const mounted = container.volumeMounts!.map(({ name }) => name).sort();
      const claimed = ((spec as { volumeClaimTemplates?: IStatefulSet[] }).volumeClaimTemplates ?? []).map(
        ({ metadata }) => metadata!.name!,
      );
      expect([...pod.volumes!.map(({ name }) => name), ...claimed].sort()).toEqual(mounted);
    });
  });
}

describe("how many run", () => {
  const parse = async (path: string) => Bun.YAML.parse(await Bun.file(path).text()) as readonly Manifest[];

  test("one on SQLite, with a volume, and nothing that keeps its machine from being emptied", async () => {
    const manifests = await parse("docker/kubernetes/sqlite.yaml");
    expect(manifests.map(({ kind }) => kind)).toEqual(["Service", "StatefulSet"]);
    const { spec } = manifests[1] as unknown as IStatefulSet;
    expect(spec!.replicas).toBe(1);
    expect(spec!.volumeClaimTemplates!.map(({ spec: claim }) => claim!.accessModes)).toEqual([["ReadWriteOnce"]]);
  });

  test("several on PostgreSQL, of which all but one stay when machines are emptied or versions change", async () => {
    const manifests = await parse("docker/kubernetes/postgres.yaml");
    expect(manifests.map(({ kind }) => kind)).toEqual(["Service", "Deployment", "PodDisruptionBudget"]);
    const deployment = manifests[1] as unknown as IDeployment;
    const budget = manifests[2] as unknown as IPodDisruptionBudget;
    expect(deployment.spec!.replicas!).toBeGreaterThan(1);
    expect(deployment.spec!.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
    expect(budget.spec!.maxUnavailable).toBe(1);
    expect(budget.spec!.selector!.matchLabels).toEqual(deployment.spec!.selector.matchLabels);
    expect(deployment.spec!.template.spec!.topologySpreadConstraints![0]!.labelSelector!.matchLabels).toEqual(
      deployment.spec!.selector.matchLabels,
    );
  });
});
