// What a new password must have, each rule by itself: the same engine as the server's, which decides in the end.
import { type CharacterClass, type CredentialRules, credentialProblem } from "../../../kernel/credential-rules.ts";

export interface PasswordRule {
  readonly key: "length" | "plain" | CharacterClass;
  readonly kept: boolean;
}

const alone: CredentialRules = { minimumLength: 0, classes: [] };

/** In the order in which they are shown. An empty password keeps none. */
export function checkedRules(password: string, rules: CredentialRules): readonly PasswordRule[] {
  const isPlain = password !== "" && credentialProblem("", password, alone) === null;
  // A character that is not allowed at all hides what the engine would say about the rest.
  const seen = password.replace(/[^!-~]/g, "x");
  const keeps = (each: CredentialRules) => password !== "" && credentialProblem("", seen, each) === null;
  return [
    { key: "length", kept: keeps({ ...alone, minimumLength: rules.minimumLength }) },
    ...rules.classes.map((name) => ({ key: name, kept: keeps({ ...alone, classes: [name] }) })),
    { key: "plain", kept: isPlain },
  ];
}
