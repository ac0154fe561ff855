// The doctor's visit to the service through the address that people use, and what is wrong on the way: name, certificate,
// proxy, path.
import type { Config } from "../../config/config.ts";
import { addressOf } from "../../config/server.ts";
import { messageOf } from "../../kernel/failure.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ABOUT = "public address";
const LIMIT_MILLISECONDS = 5000;
/** Of every answer of ours, and of no other server's. */
const OUR_HEADER = "x-spanlight-version";
/** More than proxies let through by default (nginx: 1 MiB), and less than the limit of our exports. */
const LARGE_BODY_BYTES = 2 * 1024 * 1024;
const CLOCK_TOLERANCE_MS = 5000;

/** What was asked and what came back. */
interface Visit {
  readonly status: number;
  readonly isOurs: boolean;
  readonly location: string | null;
  readonly dateMs: number | null;
  readonly text: string;
}

/** Asks for a path below the public address. */
type Ask = (path: string, init?: BunFetchRequestInit) => Promise<Visit>;

export async function checkPublicAddress({ server, tls }: Config): Promise<Finding[]> {
  const { rootUrl, rootPath } = server;
  const pathOfUrl = new URL(rootUrl).pathname.replace(/\/+$/, "");
  if (pathOfUrl !== rootPath) return [pathsDiffer(rootUrl, pathOfUrl, rootPath)];
  const local = addressOf(server.host, server.port, tls.http !== null, "127.0.0.1") + rootPath;
  const shown = certificateToShow(tls);
  const alive = await visit(`${local}/healthz`, { tls: { ...shown, rejectUnauthorized: false } }).catch(() => null);
  if (alive === null || !alive.isOurs) {
    return [
      warning("service", `nothing of ours answers at ${local}`, "start the service, then let the doctor look again"),
    ];
  }
  if (rootUrl === local) return [ok(ABOUT, `${rootUrl} answers`)];
  return checkVisit(rootUrl, shown);
}

interface ShownCertificate {
  readonly cert?: string;
  readonly key?: string;
}

/** Where clients must show a certificate, the service's own one will do if the same authority issued it. */
function certificateToShow({ http }: Config["tls"]): ShownCertificate {
  return http?.clientAuthorities == null ? {} : { cert: http.certificate, key: http.key };
}

function pathsDiffer(rootUrl: string, pathOfUrl: string, rootPath: string): Finding {
  const text = `the path of SERVICE_ROOT_URL is ${pathOfUrl || "/"} (${rootUrl}), but SERVICE_HOST_ROOT_PATH is ${rootPath || "not set"}`;
  const advice = pathOfUrl === "" ? `add ${rootPath} to SERVICE_ROOT_URL` : `set SERVICE_HOST_ROOT_PATH=${pathOfUrl}`;
  return problem(ABOUT, text, advice);
}

/** What a visit to the running service at `rootUrl` shows. */
export async function checkVisit(rootUrl: string, shown: ShownCertificate = {}): Promise<Finding[]> {
  const ask: Ask = (path, init = {}) => visit(`${rootUrl}${path}`, { ...init, tls: shown });
  let health: Visit;
  try {
    health = await ask("/healthz");
  } catch (error) {
    return [unreachable(rootUrl, error)];
  }
  const wrong = wrongAnswer(rootUrl, health);
  if (wrong !== null) return [wrong];
  const findings = [ok(ABOUT, `${rootUrl} leads here`), ...aboutClock(health)];
  return [...findings, ...(await checkPage(rootUrl, ask)), ...(await checkLargeBody(ask))];
}

function unreachable(rootUrl: string, error: unknown): Finding {
  const { code = "" } = error as { code?: string };
  const { hostname } = new URL(rootUrl);
  if (/ENOTFOUND|EAI_AGAIN|FailedToOpenSocket|DNS/i.test(code)) {
    return problem(
      ABOUT,
      `${hostname} is no known name here, or nothing listens there`,
      "check SERVICE_ROOT_URL and the DNS",
    );
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return problem(
      ABOUT,
      `the certificate of ${hostname} is not accepted (${code})`,
      "renew it, add its chain, or name the host that it was made for in SERVICE_ROOT_URL",
    );
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return problem(ABOUT, `${rootUrl} does not answer in ${LIMIT_MILLISECONDS} ms`, "check the proxy and the firewall");
  }
  return problem(ABOUT, `${rootUrl} cannot be reached: ${messageOf(error)}`, "check the proxy and SERVICE_ROOT_URL");
}

function wrongAnswer(rootUrl: string, { status, isOurs, location, text }: Visit): Finding | null {
  if (isOurs && status === 200 && text === "OK") return null;
  if (status >= 300 && status < 400) {
    const target = location === null ? "elsewhere" : location.replace(/\/healthz$/, "");
    return problem(
      ABOUT,
      `${rootUrl} redirects to ${target}`,
      `set SERVICE_ROOT_URL=${target}, or remove the redirect`,
    );
  }
  if (isOurs && status === 421) {
    return problem(
      ABOUT,
      `the proxy at ${rootUrl} passes another host name on, which the service does not answer to: ${text}`,
      "let it pass the name that people use (nginx: proxy_set_header Host $host), or add the other to SERVICE_ALLOWED_HOSTS",
    );
  }
  if (isOurs) {
    return problem(
      ABOUT,
      `${rootUrl}/healthz reaches a Spanlight that does not know this path (${status})`,
      "let the proxy pass the path on as it is or without the prefix, and set SERVICE_HOST_ROOT_PATH to that prefix",
    );
  }
  if (status === 401 || status === 403) {
    return problem(
      ABOUT,
      `another server in front of ${rootUrl} asks for a login (${status})`,
      "let it pass /healthz and /v1",
    );
  }
  if (status >= 502 && status <= 504) {
    return problem(
      ABOUT,
      `the proxy at ${rootUrl} does not reach the service (${status})`,
      "check the address it passes to",
    );
  }
  return problem(
    ABOUT,
    `${rootUrl} is answered by another server (${status})`,
    "let the proxy pass this path, and all below it, to Spanlight",
  );
}

function aboutClock({ dateMs }: Visit): Finding[] {
  if (dateMs === null) return [];
  const aheadMs = dateMs - Date.now();
  // The header has whole seconds.
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS + 1000) return [];
  const text = `the proxy's clock differs by ${Math.round(Math.abs(aheadMs) / 1000)} s`;
  return [problem("clock", text, "let both machines take the time from the same NTP server")];
}

/** Pages name their files relative to a base, which the proxy must not have changed. */
async function checkPage(rootUrl: string, ask: Ask): Promise<Finding[]> {
  const page = await ask("/", { headers: { accept: "text/html" } }).catch(() => null);
  const base = /<base href="([^"]*)"/i.exec(page?.text ?? "")?.[1];
  if (page === null || page.status !== 200 || base === undefined) return [];
  const expected = `${new URL(rootUrl).pathname.replace(/\/+$/, "")}/`;
  if (new URL(base, `${rootUrl}/`).pathname === expected)
    return [ok("pages", `their files are looked for below ${expected}`)];
  return [
    problem(
      "pages",
      `their files are looked for below ${base}, not ${expected}`,
      "set SERVICE_HOST_ROOT_PATH to the path that people see",
    ),
  ];
}

/** An export of protobuf that holds one unknown field and no span: it stores nothing, for any caller. */
function emptyExport(bytes: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(bytes);
  // Field 15, of bytes; its length in four groups of seven bits.
  const length = bytes - 5;
  body.set([
    0x7a,
    (length & 127) | 128,
    ((length >> 7) & 127) | 128,
    ((length >> 14) & 127) | 128,
    (length >> 21) & 127,
  ]);
  return body;
}

async function checkLargeBody(ask: Ask): Promise<Finding[]> {
  const sent = await ask("/v1/traces", {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: emptyExport(LARGE_BODY_BYTES),
  }).catch(() => null);
  if (sent === null || sent.isOurs) return [];
  const text = `the proxy does not pass exports of ${LARGE_BODY_BYTES / 1024 ** 2} MiB on (${sent.status})`;
  return [problem("exports", text, "raise its limit for bodies (nginx: client_max_body_size 64m)")];
}

async function visit(url: string, init: BunFetchRequestInit = {}): Promise<Visit> {
  const answer = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(LIMIT_MILLISECONDS) });
  const date = Date.parse(answer.headers.get("date") ?? "");
  return {
    status: answer.status,
    isOurs: answer.headers.has(OUR_HEADER),
    location: answer.headers.get("location"),
    dateMs: Number.isNaN(date) ? null : date,
    text: await answer.text(),
  };
}
