// A real directory: OpenLDAP's slapd from Debian's packages, as a process of its own on this machine, with a folder and certificates
// that go away with it.
import { describe, setDefaultTimeout } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "ldapts";
import { selfSignedCertificate, type TestCertificate } from "./certificate.ts";
import { groups, SUFFIX, treeOf } from "./directory-tree.ts";
import { guardProcess } from "./guarded-process.ts";
import { installPackage } from "./packages.ts";
import { answers, freePort } from "./ports.ts";
import { until } from "./until.ts";

const PROGRAM = "/usr/sbin/slapd";
const SCHEMAS = "/etc/ldap/schema";
const MODULES = "/usr/lib/ldap";
const ROOT = `cn=root,${SUFFIX}`;
const ROOT_PASSWORD = "root-password";
/** For a machine whose cores are shared. */
const TIMEOUT_MS = 60_000;

/** Why there is no slapd here, or null. A reason is a failure under `CI=true` and a named skip elsewhere. */
export function missingSlapd(): string | null {
  return existsSync(PROGRAM) && existsSync(MODULES) ? null : `no slapd at ${PROGRAM}`;
}

/** Installs slapd where that is a matter of one command. Resolves to the reason why not. */
export function installSlapd(): Promise<string | null> {
  return installPackage("slapd", "slapd", missingSlapd);
}

/** A suite that needs a directory; where there is none, a skip that says so. */
export function describeWithSlapd(name: string, suite: () => void): void {
  setDefaultTimeout(TIMEOUT_MS);
  const missing = missingSlapd();
  if (missing === null || process.env.CI) describe(name, suite);
  else describe.skip(`${name} (left out: ${missing})`, suite);
}

export interface SlapdOptions {
  /** Whether it can encrypt; false refuses STARTTLS. */
  readonly tls?: boolean;
  /** Whether clients must show the certificate that `client` is. */
  readonly wantsClientCertificate?: boolean;
  /** Whether somebody without a name may search. */
  readonly anonymous?: boolean;
}

export interface RunningSlapd {
  /** For `starttls` and `none`. */
  readonly port: number;
  /** For `ldaps`. */
  readonly securePort: number;
  /** Its own, made for 127.0.0.1; the path of the PEM file, too. */
  readonly certificate: TestCertificate;
  readonly certificateFile: string;
  /** What a client shows it: paths of PEM files. */
  readonly client: { readonly certificateFile: string; readonly keyFile: string };
  /** A change of its entries, as its administrator. */
  change(work: (client: Client) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startSlapd(options: SlapdOptions = {}): Promise<RunningSlapd> {
  const folder = await mkdtemp(join(tmpdir(), "spanlight-slapd-"));
  const certificate = selfSignedCertificate(["127.0.0.1"]);
  const client = selfSignedCertificate(["client.example.com"]);
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const certificateFile = await file("server.pem", certificate.certificate);
  await file("server.key", certificate.key);
  const clientFiles = {
    certificateFile: await file("client.pem", client.certificate),
    keyFile: await file("client.key", client.key),
  };
  await mkdir(join(folder, "data"));
  const settings = await file("slapd.conf", settingsText(folder, options));
  const tree = await file("tree.ldif", treeOf());
  // Where the system confines slapd to its own folders, it does so by the path of the program.
  const program = join(folder, "slapd");
  copyFileSync(PROGRAM, program);
  await run(program, "-T", "add", "-q", "-f", settings, "-l", tree);
  const [port, securePort] = [await freePort(), await freePort()];
  const addresses = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`;
  const child = Bun.spawn(
    [program, "-f", settings, "-h", options.tls === false ? addresses.split(" ")[0]! : addresses, "-d", "0"],
    {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  const ended = guardProcess(child, folder);
  await until(() => answers(port));

  const change = async (work: (administrator: Client) => Promise<void>) => {
    const administrator = new Client({ url: `ldap://127.0.0.1:${port}`, timeout: TIMEOUT_MS });
    await administrator.bind(ROOT, ROOT_PASSWORD);
    await work(administrator).finally(() => administrator.unbind());
  };
  // Not with the other entries: the server then notes in the people what groups they are in.
  await change(async (administrator) => {
    for (const { name, members } of groups) {
      await administrator.add(name, { objectClass: "groupOfNames", member: [...members] });
    }
  });
  return {
    port,
    securePort,
    certificate,
    certificateFile,
    client: clientFiles,
    change,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

function settingsText(folder: string, { tls = true, wantsClientCertificate = false, anonymous = true }: SlapdOptions) {
  const encryption = [
    `TLSCertificateFile ${join(folder, "server.pem")}`,
    `TLSCertificateKeyFile ${join(folder, "server.key")}`,
    ...(wantsClientCertificate ? [`TLSCACertificateFile ${join(folder, "client.pem")}`, "TLSVerifyClient demand"] : []),
  ];
  return [
    ...["core", "cosine", "inetorgperson", "nis"].map((schema) => `include ${SCHEMAS}/${schema}.schema`),
    `modulepath ${MODULES}`,
    "moduleload back_mdb",
    "moduleload memberof",
    `pidfile ${join(folder, "slapd.pid")}`,
    ...(tls ? encryption : []),
    ...(anonymous ? [] : ["disallow bind_anon", "require authc"]),
    "database mdb",
    `suffix "${SUFFIX}"`,
    `rootdn "${ROOT}"`,
    `rootpw ${ROOT_PASSWORD}`,
    `directory ${join(folder, "data")}`,
    "maxsize 104857600",
    // Nothing of it outlives the test: no write waits for the disk.
    "dbnosync",
    "index objectClass,uid,memberUid eq",
    "access to attrs=userPassword by anonymous auth by * none",
    'access to dn.subtree="ou=hidden,dc=example,dc=com" by * none',
    "access to * by * read",
    "overlay memberof",
    "memberof-refint TRUE",
    "",
  ].join("\n");
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${output.join("")}`);
}
