// Every setting of the server itself in one list, and those of its features behind them, for the generated documentation and for recognising names.
import { authenticationSettings } from "./authentication.ts";
import { backupSettings } from "./backups.ts";
import { databaseSettings } from "./database.ts";
import { twinName, type Variables } from "./environment.ts";
import type { Findings } from "./findings.ts";
import { identityProviderSettings, isIdentityProviderSetting } from "./identity-providers.ts";
import { ingestionSettings } from "./ingestion.ts";
import { ldapSettings } from "./ldap-settings.ts";
import { loggingSettings } from "./logging.ts";
import { mailSettings } from "./mail.ts";
import { metricsSettings } from "./metrics.ts";
import { modelPriceSettings } from "./model-prices.ts";
import { modelProviderSettings } from "./model-providers.ts";
import { ownTracesSettings } from "./own-traces.ts";
import { serverSettings } from "./server.ts";
import type { DeclaredSettings, Setting } from "./setting.ts";
import { storageLimitSettings } from "./storage-limits.ts";
import { tlsSettings } from "./tls.ts";
import { clientNames, inapplicableGroups } from "./without-effect.ts";

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting<unknown>[];
}

const serverGroups: readonly SettingGroup[] = [
  { title: "Server", settings: Object.values(serverSettings) },
  { title: "Database", settings: Object.values(databaseSettings) },
  { title: "Ingestion", settings: Object.values(ingestionSettings) },
  { title: "Storage limits", settings: Object.values(storageLimitSettings) },
  { title: "Backups of a SQLite file", settings: Object.values(backupSettings) },
  { title: "Authentication", settings: Object.values(authenticationSettings) },
  { title: "Identity providers", settings: identityProviderSettings },
  { title: "LDAP", settings: Object.values(ldapSettings) },
  { title: "Mail", settings: Object.values(mailSettings) },
  { title: "Model providers", settings: Object.values(modelProviderSettings) },
  { title: "Prices of models", settings: Object.values(modelPriceSettings) },
  { title: "TLS", settings: Object.values(tlsSettings) },
  { title: "Logging", settings: Object.values(loggingSettings) },
  { title: "Metrics", settings: Object.values(metricsSettings) },
  { title: "Traces of the service itself", settings: Object.values(ownTracesSettings) },
];

/** Those of the server, then those of the features. */
export function settingGroupsWith(features: readonly DeclaredSettings[]): readonly SettingGroup[] {
  return [...serverGroups, ...features.map(({ title, settings }) => ({ title, settings: Object.values(settings) }))];
}

function namesIn(groups: readonly SettingGroup[]): readonly string[] {
  return groups.flatMap((group) =>
    group.settings.flatMap(({ name, secret }) => (secret ? [name, twinName(name)] : [name])),
  );
}

const inapplicableReasons = new Map(
  inapplicableGroups.flatMap(({ reason, names }) => names.map((name) => [name, reason] as const)),
);

const PREFIX = "SERVICE_";
/** Kubernetes injects these for Services called `service` or `service-…`. */
const INJECTED = /^SERVICE_(?:[A-Z0-9_]+_)?(?:SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)|PORT_\d+_(?:TCP|UDP)(?:_[A-Z]+)?)$/;

/** Warns of every variable that is set and has no effect, by name and never by value. */
export function warnOfIneffective(
  variables: Variables,
  findings: Findings,
  features: readonly DeclaredSettings[],
): void {
  const readNames = namesIn(settingGroupsWith(features));
  const silentNames = new Set([...readNames, ...clientNames]);
  const knownNames = [...readNames, ...inapplicableReasons.keys(), ...clientNames];
  for (const name of Object.keys(variables).sort()) {
    if (!name.startsWith(PREFIX) || variables[name] === undefined || silentNames.has(name)) continue;
    if (isIdentityProviderSetting(name)) continue;
    const reason = inapplicableReasons.get(name);
    if (reason !== undefined) findings.warning(name, `has no effect: ${reason}.`);
    else if (!INJECTED.test(name)) {
      const nearest = findNearestName(name, knownNames);
      findings.warning(name, `is not a known setting.${nearest === null ? "" : ` Did you mean ${nearest}?`}`);
    }
  }
}

const LARGEST_DISTANCE = 3;

/** The known setting a misspelt name most likely means; null when none is near. */
export function findNearestName(name: string, knownNames: readonly string[]): string | null {
  let nearest: string | null = null;
  // Short names are near to everything: a third of the letters behind the prefix may differ.
  const allowed = Math.min(LARGEST_DISTANCE, Math.ceil((name.length - PREFIX.length) / 3));
  let smallest = allowed + 1;
  for (const known of knownNames) {
    if (Math.abs(known.length - name.length) >= smallest) continue;
    const distance = editDistance(name, known);
    if (distance < smallest) [nearest, smallest] = [known, distance];
  }
  return nearest;
}

/** Insertions, deletions and replacements that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}
