// Writes docs/settings.md from the definitions of the settings, so that the page cannot differ from the program:
// `bun scripts/write-settings-table.ts`. A test fails when the committed page is stale.
import { settingGroupsWith } from "../src/config/catalogue.ts";
import { twinName } from "../src/config/environment.ts";
import type { Setting } from "../src/config/setting.ts";
import { clientNames, inapplicableGroups } from "../src/config/without-effect.ts";
import { featureSettings } from "../src/server/features.ts";

const cell = (text: string) => text.replace(/\|/g, "\\|");
const code = (text: string) => `\`${text}\``;

function defaultCell({ defaultText }: Setting<unknown>): string {
  if (defaultText === "") return "–";
  // A default in words or with a code span of its own is text; all others are values.
  return /[\s`]/.test(defaultText) ? defaultText : code(defaultText);
}

function settingRow(setting: Setting<unknown>): string {
  const meaning =
    setting.waitsFor === null ? setting.meaning : `${setting.meaning} No effect yet: ${setting.waitsFor} is not built.`;
  const cells = [
    code(setting.name),
    setting.kind,
    defaultCell(setting),
    setting.unit ?? "",
    cell(meaning),
    setting.secret ? code(twinName(setting.name)) : "",
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The whole page. */
export function settingsPage(): string {
  const groups = settingGroupsWith(featureSettings).flatMap(({ title, settings }) => [
    `## ${title}`,
    "",
    "| Variable | Type | Default | Unit | Meaning | From a file |",
    "|---|---|---|---|---|---|",
    ...settings.map(settingRow),
    "",
  ]);
  const inapplicable = inapplicableGroups.map(({ reason, names }) => `| ${reason} | ${names.map(code).join(", ")} |`);
  return [
    "<!-- Written by scripts/write-settings-table.ts; change the definitions in src/config/ and the *.settings.ts of the features instead. -->",
    "# Settings",
    "",
    "Settings are environment variables, read once at the start. An option of the command line wins over a variable, a",
    "variable over the default. All problems are reported together, one line each, and then nothing is started.",
    "",
    "A boolean is `true` or `false` in any letter case; a list is separated by commas. Empty is the same as unset, except",
    "for booleans, integers, numbers, `SERVICE_PROJECT_NAME` and `SERVICE_WORKING_DIR`, where it is a mistake.",
    "The last column names the variable that gives a secret by the path of a file; one newline at the file's end is left out.",
    "",
    ...groups,
    "## Known, not part of this service",
    "",
    "| Why | Variables |",
    "|---|---|",
    ...inapplicable,
    "",
    "## Read by clients",
    "",
    `Programs that send traces read these; the service does not: ${clientNames.map(code).join(", ")}.`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  await Bun.write(new URL("../docs/settings.md", import.meta.url), settingsPage());
}
