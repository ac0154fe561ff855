// Settings of the HTTP and gRPC ports, the addresses browsers see, and who may call from where.
import { isIP } from "node:net";
import { isAbsolute, join, resolve } from "node:path";
import { messageOf } from "../kernel/failure.ts";
import { isEmail } from "./email.ts";
import type { Environment } from "./environment.ts";
import { quoted } from "./findings.ts";
import { accepted, boolean, list, path, port, refused, setting, text, type Values } from "./setting.ts";

// No quote, no blank and no empty segment: the path becomes part of pages, and `//host` would name another host there.
const PLAIN_PATH = /^(?:\/[A-Za-z0-9._~%@:+,;=!$*()-]+)+$/;

function hostNameOf(url: string): string | null {
  const hostName = URL.parse(url)?.hostname ?? "";
  return url.includes("://") && hostName !== "" ? hostName.toLowerCase() : null;
}

function isNetwork(text: string): boolean {
  const [address = "", bits] = text.split("/");
  const family = isIP(address);
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)));
}

/** A name, or what begins with a dot for all names below, as browsers send them; null for anything else. */
function plainHostName(entry: string): string | null {
  const [dot, name] = entry.startsWith(".") ? [".", entry.slice(1)] : ["", entry];
  const known = /[/\\:?#@\s]/.test(name) ? null : hostNameOf(`http://${name}`);
  const plain = known?.replace(/\.$/, "") ?? "";
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(plain) ? dot + plain : null;
}

export const serverSettings = {
  port: port({
    name: "SERVICE_PORT",
    default: 6006,
    meaning: "Port of the web page, REST, and OTLP over HTTP.",
  }),
  grpcPort: port({ name: "SERVICE_GRPC_PORT", default: 4317, meaning: "Port of OTLP over gRPC." }),
  host: text({
    name: "SERVICE_HOST",
    default: "127.0.0.1",
    meaning: "Address both ports bind to; `0.0.0.0` for all IPv4 interfaces, `::` for IPv4 and IPv6.",
  }),
  rootPath: setting(
    {
      name: "SERVICE_HOST_ROOT_PATH",
      default: "",
      meaning: "Path below which a reverse proxy offers the service, such as `/traces`. Set `SERVICE_ROOT_URL` too.",
    },
    "path",
    (value) => {
      const invalid = `Invalid value for environment variable SERVICE_HOST_ROOT_PATH: ${quoted(value)}.`;
      if (!value.startsWith("/")) return refused(`${invalid} Value must start with '/'`);
      if (value.endsWith("/")) return refused(`${invalid} Value cannot end with '/'`);
      return PLAIN_PATH.test(value) ? accepted(value) : refused(`${invalid} Value must be a plain path such as /a/b`);
    },
  ),
  rootUrl: setting<string | null>(
    {
      name: "SERVICE_ROOT_URL",
      default: null,
      defaultText: "from host, port and root path",
      meaning: "Address of the service as browsers see it, including the root path.",
    },
    "url",
    (value) => {
      if (hostNameOf(value) === null) {
        return refused(
          "The environment variable `SERVICE_ROOT_URL` must be a valid URL.",
          "example: https://host/path",
        );
      }
      return accepted(value.replace(/\/+$/, ""));
    },
  ),
  workingDirectory: path({
    name: "SERVICE_WORKING_DIR",
    default: null,
    defaultText: "`~/.spanlight`",
    emptyIsUnset: false,
    meaning: "Directory of the SQLite file `spanlight.db`; created when missing.",
  }),
  projectName: text({
    name: "SERVICE_PROJECT_NAME",
    default: "default",
    emptyIsUnset: false,
    meaning: "Project of traces that name none.",
  }),
  trustedProxies: list({
    name: "FORWARDED_ALLOW_IPS",
    default: ["127.0.0.1"],
    meaning: "Addresses or networks of proxies whose `X-Forwarded-For` is believed; `*` for all.",
    check: (entry) =>
      entry === "*" || isNetwork(entry)
        ? null
        : `FORWARDED_ALLOW_IPS must hold addresses such as 10.0.0.1 or 10.0.0.0/8, or *. Got: ${quoted(entry)}`,
  }),
  maskInternalErrors: boolean({
    name: "SERVICE_MASK_INTERNAL_SERVER_ERRORS",
    default: true,
    meaning: "Whether GraphQL hides the texts of unexpected errors.",
  }),
  /** In lower case; one with a leading dot stands for all names below it. */
  allowedHosts: setting<readonly string[]>(
    {
      name: "SERVICE_ALLOWED_HOSTS",
      default: [],
      defaultText: "",
      meaning:
        "Host names that are answered while authentication is off, besides addresses, names without a dot, private names and the host of `SERVICE_ROOT_URL`; `.example.org` stands for all names below it.",
    },
    "list",
    (value) => {
      const entries = value.split(",").map((entry) => entry.trim());
      const names = new Set<string>();
      for (const entry of entries.filter((given) => given !== "")) {
        const name = plainHostName(entry);
        if (name === null) {
          return refused(
            `SERVICE_ALLOWED_HOSTS must hold host names without scheme and port, such as spans.example.org or .example.org. Got: ${quoted(entry)}`,
          );
        }
        names.add(name);
      }
      return accepted([...names]);
    },
  ),
  allowedOrigins: list({
    name: "SERVICE_ALLOWED_ORIGINS",
    default: [],
    meaning:
      "Origins whose pages may call the service with credentials (CORS) and change something, such as `https://app.example`.",
    check: (origin) =>
      origin === "*"
        ? "SERVICE_ALLOWED_ORIGINS cannot contain '*': answers carry credentials. Name each origin."
        : null,
  }),
  trustedOrigins: setting<readonly string[]>(
    {
      name: "SERVICE_CSRF_TRUSTED_ORIGINS",
      default: [],
      defaultText: "",
      meaning:
        "URLs of the service, comma-separated. Their pages may change something; when set, all requests whose `Origin` or `Referer` names another host are refused, those for reading too.",
    },
    "list",
    (value) => {
      const entries = value.split(",").map((entry) => entry.trim());
      const given = entries.filter((entry) => entry !== "");
      if (given.every((entry) => hostNameOf(entry) !== null)) return accepted(given);
      return refused(
        "The environment variable `SERVICE_CSRF_TRUSTED_ORIGINS` contains a url with missing hostname. Please ensure that each url has a valid hostname.",
        "example: https://a.example,https://b.example",
      );
    },
  ),
  supportEmail: setting<string | null>(
    {
      name: "SERVICE_SUPPORT_EMAIL",
      default: null,
      meaning: "Address to ask for help, named when the storage is full.",
    },
    "text",
    (value) =>
      isEmail(value) ? accepted(value) : refused(`Invalid email in SERVICE_SUPPORT_EMAIL: '${quoted(value)}'`),
  ),
} as const;

export interface ServerConfig extends Omit<Values<typeof serverSettings>, "rootUrl" | "workingDirectory"> {
  /** As `Origin` headers spell them, each once. */
  readonly trustedOrigins: readonly string[];
  /** Their host names, in lower case: what the origin check compares. */
  readonly trustedHostNames: readonly string[];
  /** Without a slash at its end. */
  readonly rootUrl: string;
  /** False while the address is only put together from host, port and root path. */
  readonly rootUrlIsSet: boolean;
  /** Absolute. */
  readonly workingDirectory: string;
}

/** Directories that relative paths and the default start from. */
export interface Places {
  readonly home: string;
  readonly current: string;
}

export function readServer(environment: Environment, places: Places, tlsForHttp: boolean): ServerConfig {
  const values = environment.readAll(serverSettings);
  if (values.port === values.grpcPort) {
    environment.findings.problem(
      serverSettings.grpcPort.name,
      `${serverSettings.port.name} and ${serverSettings.grpcPort.name} are both ${values.port}; they need different ports.`,
    );
  }
  const path = URL.parse(values.rootUrl ?? "")?.pathname ?? "/";
  if (path !== "/" && values.rootPath === "") {
    environment.findings.warning(
      serverSettings.rootUrl.name,
      `has the path ${path}, but pages do not begin with it: set ${serverSettings.rootPath.name}=${path}.`,
    );
  }
  const trusted = values.trustedOrigins.map((entry) => new URL(entry));
  return {
    ...values,
    // Browsers spell the origin of what is no page `null`: it is never trusted.
    trustedOrigins: different(trusted.map(({ origin }) => origin).filter((origin) => origin !== "null")),
    trustedHostNames: different(trusted.map(({ hostname }) => hostname.toLowerCase())),
    rootUrlIsSet: values.rootUrl !== null,
    rootUrl: values.rootUrl ?? addressOf(values.host, values.port, tlsForHttp, "127.0.0.1") + values.rootPath,
    workingDirectory: absolutePath(values.workingDirectory ?? join(places.home, ".spanlight"), places),
  };
}

function different(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** The names by which the operator's settings know this service, in lower case; a leading dot stands for all below. */
export function namesOf({ rootUrl, host, allowedHosts }: ServerConfig): readonly string[] {
  return [new URL(rootUrl).hostname.toLowerCase(), host.toLowerCase(), ...allowedHosts];
}

/** Creates the working directory; what cannot be created is a problem that names it. */
export function ensureWorkingDirectory(environment: Environment, directory: string): void {
  try {
    environment.files.makeDirectory(directory);
  } catch (error) {
    environment.findings.problem(
      serverSettings.workingDirectory.name,
      `Failed to create the working directory ${directory}: ${messageOf(error)}`,
      "name a directory this user may write to.",
    );
  }
}

function absolutePath(text: string, places: Places): string {
  if (isAbsolute(text)) return text;
  return text.startsWith("~/") ? join(places.home, text.slice(2)) : resolve(places.current, text);
}

/** `http://host:port` for a bound host; the address of all interfaces is replaced, because browsers cannot open it. */
export function addressOf(host: string, port: number, tls: boolean, insteadOfAll: string): string {
  const reachable = host === "0.0.0.0" || host === "::" ? insteadOfAll : host;
  return `${tls ? "https" : "http"}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Whether only programs of the same machine reach the host. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
