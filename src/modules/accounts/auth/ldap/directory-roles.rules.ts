// From the groups of a person to a role: the first mapping that fits decides, in the order of the setting.
import type { PersonRole } from "../../../../access/roles.ts";
import type { RoleMapping } from "../../../../config/ldap-settings.ts";
import { canonicalName } from "../../../../kernel/distinguished-name.ts";

interface MappedRole {
  /** Null where no mapping fits. */
  readonly role: PersonRole | null;
  /** Names of groups that are no names, and were left out. */
  readonly unreadable: number;
}

/** `groups` are distinguished names as the directory writes them. */
export function roleOfGroups(groups: readonly string[], mappings: readonly RoleMapping[]): MappedRole {
  const names = groups.map(canonicalName);
  const known = new Set(names);
  const fitting = mappings.find(({ group }) => group === null || known.has(group));
  return { role: fitting?.role ?? null, unreadable: names.filter((name) => name === null).length };
}
