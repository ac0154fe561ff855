// Words for what an account is.
import type { PersonRole } from "../../../access/roles.ts";
import { text } from "../../texts/texts.ts";

export const roleChoices: readonly { readonly value: PersonRole; readonly label: string }[] = [
  { value: "ADMIN", label: text("role.ADMIN") },
  { value: "MEMBER", label: text("role.MEMBER") },
  { value: "VIEWER", label: text("role.VIEWER") },
];

export function roleText(role: string): string {
  return roleChoices.find(({ value }) => value === role)?.label ?? role;
}

export function methodText(method: "LOCAL" | "OAUTH2" | "LDAP"): string {
  return text(`method.${method}`);
}
