// `spanlight demo`: sends the example project to a running service, as any program sends its traces; `--remove` deletes it again.
import { loadConfig } from "../config/load.ts";
import { addressOf } from "../config/server.ts";
import { EXAMPLE_DESCRIPTION, EXAMPLE_PROJECT } from "../demo-data/example-name.ts";
import { exampleExports } from "../demo-data/example-project.ts";
import { fail, messageOf } from "../kernel/failure.ts";
import type { Command } from "./arguments.ts";
import { removeEvaluation, sendEvaluation } from "./demo-evaluation.ts";

const LIMIT_MILLISECONDS = 30_000;
/** As programs that send traces read them; the first one that is set counts. */
const KEY_VARIABLES = ["SERVICE_API_KEY", "PHOENIX_API_KEY"] as const;

interface Service {
  /** Without a slash at the end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** It is asked at its loopback address, which its certificate does not name. */
  readonly isOwn: boolean;
}

/** Status 0; a service that is not there or refuses is a failure with its reason. */
export async function runDemo(command: Extract<Command, { kind: "demo" }>): Promise<number> {
  const service = command.url === null ? serviceOfSettings(command) : serviceAt(command.url);
  const asked = (method: string, path: string, body?: unknown) => ask(service, method, path, body);
  if (command.remove) {
    await removeEvaluation(asked, requireSuccess);
    const answer = await ask(service, "DELETE", `/v1/projects/${EXAMPLE_PROJECT}`);
    if (answer.status !== 404) await requireSuccess(answer);
    const done = answer.status === 404 ? "There is no example project" : "The example project is gone";
    process.stdout.write(`${done}.\n`);
    return 0;
  }
  const created = await ask(service, "POST", "/v1/projects", {
    name: EXAMPLE_PROJECT,
    description: EXAMPLE_DESCRIPTION,
  });
  if (created.status === 409) {
    process.stdout.write("The example project is there already; `spanlight demo --remove` deletes it.\n");
    return 0;
  }
  await requireSuccess(created);
  const { data } = (await created.json()) as { readonly data: { readonly id: string } };
  for (const body of exampleExports(Date.now())) await requireSuccess(await ask(service, "POST", "/v1/traces", body));
  await sendEvaluation(asked, requireSuccess);
  process.stdout.write(
    `The example project is there: ${service.url}/projects/${data.id}\n\`spanlight demo --remove\` deletes it.\n`,
  );
  return 0;
}

/** The service that runs by the settings of this environment, on this machine. */
function serviceOfSettings({ settings }: Extract<Command, { kind: "demo" }>): Service {
  const { config } = loadConfig(process.env, { ...settings, createsWorkingDirectory: false });
  const { host, port, rootPath } = config.server;
  const address = addressOf(host, port, config.tls.http !== null, "127.0.0.1") + rootPath;
  return { ...serviceAt(address, config.authentication.adminSecret), isOwn: true };
}

function serviceAt(url: string, adminSecret: string | null = null): Service {
  const key = KEY_VARIABLES.map((name) => process.env[name]).find(Boolean) ?? adminSecret;
  return {
    url: url.replace(/\/+$/, ""),
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    isOwn: false,
  };
}

async function ask({ url, headers, isOwn }: Service, method: string, path: string, body?: unknown): Promise<Response> {
  try {
    return await fetch(url + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MILLISECONDS),
      tls: { rejectUnauthorized: !isOwn },
    });
  } catch (error) {
    throw fail("demo.no_service", "unavailable", `No service answers at ${url} (${messageOf(error)}): start it first`);
  }
}

async function requireSuccess(answer: Response): Promise<void> {
  if (answer.ok) return;
  const body = (await answer.text()).trim();
  const advice =
    answer.status === 401 || answer.status === 403 ? `. Give an API key that may do this in ${KEY_VARIABLES[0]}` : "";
  throw fail("demo.refused", "invalid", `The service answers ${answer.status}: ${body}${advice}`);
}
