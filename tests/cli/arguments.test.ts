// The command line, word by word.
import { describe, expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/arguments.ts";

const none = {
  host: null,
  port: null,
  grpcPort: null,
  databaseUrl: null,
  readOnly: false,
  debug: false,
  noWebPage: false,
};
const nobody = { email: null, username: null, passwordFile: null };
const words = (line: string) => line.split(" ").filter((word) => word !== "");

describe("parseArguments", () => {
  const understood: readonly (readonly [line: string, command: unknown])[] = [
    ["serve", { kind: "serve", settings: none, warnings: [] }],
    [
      "serve --port 7000 --grpc-port=7001",
      { kind: "serve", settings: { ...none, port: 7000, grpcPort: 7001 }, warnings: [] },
    ],
    ["serve --port 0", { kind: "serve", settings: none, warnings: [] }],
    ["serve --port 1 --port 2", { kind: "serve", settings: { ...none, port: 2 }, warnings: [] }],
    ["serve --host ::", { kind: "serve", settings: { ...none, host: "::" }, warnings: [] }],
    [
      "serve --read-only --debug --no-ui --no-internet",
      { kind: "serve", settings: { ...none, readOnly: true, debug: true, noWebPage: true }, warnings: [] },
    ],
    [
      "serve --database-url postgresql://u:p@h/d?a=b",
      { kind: "serve", settings: { ...none, databaseUrl: "postgresql://u:p@h/d?a=b" }, warnings: [] },
    ],
    ["migrate", { kind: "migrate", settings: none }],
    ["db migrate --database-url sqlite:///x", { kind: "migrate", settings: { ...none, databaseUrl: "sqlite:///x" } }],
    ["healthcheck --port 7000", { kind: "healthcheck", settings: { ...none, port: 7000 } }],
    ["verify", { kind: "verify", settings: none }],
    ["licenses", { kind: "licenses" }],
    ["demo", { kind: "demo", settings: none, url: null, remove: false }],
    [
      "demo --remove --url https://traces.example/a",
      { kind: "demo", settings: none, url: "https://traces.example/a", remove: true },
    ],
    ["doctor", { kind: "doctor", settings: none, mailTo: null }],
    ["doctor --mail-to a@b.example", { kind: "doctor", settings: none, mailTo: "a@b.example" }],
    ["doctor ldap ada", { kind: "doctor ldap", settings: none, username: "ada" }],
    ["doctor oidc corp", { kind: "doctor oidc", settings: none, provider: "corp" }],
    [
      "transfer sqlite:///a postgresql://h/d",
      { kind: "transfer", settings: none, from: "sqlite:///a", to: "postgresql://h/d" },
    ],
    ["backup", { kind: "backup", settings: none, to: null }],
    ["backup --to /b.db", { kind: "backup", settings: none, to: "/b.db" }],
    ["users list", { kind: "users", action: "list", settings: none, account: nobody }],
    [
      "users create-admin --email a@b.co --username a --password-file /p --database-url sqlite:///x",
      {
        kind: "users",
        action: "create-admin",
        settings: { ...none, databaseUrl: "sqlite:///x" },
        account: { email: "a@b.co", username: "a", passwordFile: "/p" },
      },
    ],
    [
      "users reset-password --email=a@b.co",
      { kind: "users", action: "reset-password", settings: none, account: { ...nobody, email: "a@b.co" } },
    ],
    [
      "users unlock --email a@b.co",
      { kind: "users", action: "unlock", settings: none, account: { ...nobody, email: "a@b.co" } },
    ],
    ["--version", { kind: "version" }],
  ];
  for (const [line, command] of understood) {
    test(`"${line}" is understood`, () => expect(parseArguments(words(line))).toEqual(command as never));
  }

  test("options for demonstration data are accepted with a warning", () => {
    const line =
      "serve --with-trace-fixtures a,b --with-projects=c --force-fixture-ingestion --scaffold-datasets --dev --dev-vite-port 1";
    const command = parseArguments(words(line));
    expect(command).toMatchObject({ kind: "serve", settings: none });
    expect(command.kind === "serve" && command.warnings.length).toBe(6);
  });

  const mistakes: readonly (readonly [line: string, message: string])[] = [
    ["", "a subcommand is needed"],
    ["db", "db needs the subcommand migrate"],
    ["db upgrade", "db needs the subcommand migrate"],
    ["doctor ldap", "<username> is needed"],
    ["doctor ldap ada eve", "unknown argument eve"],
    ["doctor ada", "unknown argument ada"],
    ["doctor oidc", "<provider> is needed"],
    ["doctor oidc --mail-to a@b.co", "<provider> is needed"],
    ["doctor oidc corp more", "unknown argument more"],
    ["users", "users needs one of: list, create-admin, reset-password, unlock"],
    ["users delete", "users needs one of: list, create-admin, reset-password, unlock"],
    ["users unlock", "--email is needed"],
    ["users list --email a@b.co", "unknown option --email"],
    ["users create-admin --email=", "--email must not be empty"],
    ["start", "unknown argument start"],
    ["constructor", "unknown argument constructor"],
    ["--port 1 serve", "options come after the subcommand: --port"],
    ["--version serve", "options come after the subcommand: --version"],
    ["serve --prot 1", "unknown option --prot"],
    ["serve --prot=secret", "unknown option --prot"],
    ["serve extra", "unknown argument extra"],
    ["serve postgresql://u:secret@h/d", "unknown argument (a URL)"],
    ["postgresql://u:secret@h/d", "unknown argument (a URL)"],
    ["serve --port", "--port needs a value"],
    ["serve --port --debug", "--port needs a value"],
    ["serve --port abc", "--port must be a port between 1 and 65535"],
    ["serve --port 70000", "--port must be a port between 1 and 65535"],
    ["serve --host=", "--host must not be empty"],
    ["serve --debug=1", "--debug takes no value"],
    ["migrate --port 1", "unknown option --port"],
    ["trace-fixture x", "unknown argument trace-fixture"],
  ];
  for (const [line, message] of mistakes) {
    test(`"${line}" is a mistake: ${message}`, () => {
      const command = parseArguments(words(line));
      expect(command).toMatchObject({ kind: "mistake", message });
      expect(command.kind === "mistake" && command.usage).toStartWith("usage: spanlight ");
      expect(JSON.stringify(command)).not.toContain("secret");
    });
  }

  test("help is given anywhere, for the subcommand or for all", () => {
    for (const line of ["-h", "--help", "serve --help", "serve --port abc -h", "--nonsense -h"]) {
      expect(parseArguments(words(line)).kind).toBe("help");
    }
    expect(parseArguments(["serve", "--help"])).toMatchObject({ usage: expect.stringContaining("--read-only") });
    expect(parseArguments(["--help"])).toMatchObject({ usage: expect.stringContaining("healthcheck") });
  });
});
