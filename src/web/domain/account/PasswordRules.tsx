// The rules of a new password, checked while it is typed.
import { Check, Circle, X } from "lucide-react";
import { classes } from "../../kit/classes.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Password.module.css";
import { checkedRules, type PasswordRule } from "./password-rules.ts";

const LENIENT = { minimumLength: 1, classes: [] } as const;

/** Without authentication there are no rules, and no passwords. */
export const passwordRules = start.signIn?.passwordRules ?? LENIENT;

interface PasswordRulesProps {
  readonly password: string;
  /** After a try to send, what is missing is marked as wrong. */
  readonly tried: boolean;
}

export function PasswordRules({ password, tried }: PasswordRulesProps) {
  const wrong = tried || (password !== "" && !isAllowed(password));
  return (
    <ul className={styles.rules} aria-label={text("password.rules")}>
      {checkedRules(password, passwordRules).map(({ key, kept }) => {
        // Blanks are marked at once; what is only missing so far, after a try to send.
        const broken = !kept && (tried || (wrong && key === "plain"));
        return (
          <li key={key} className={classes(styles.rule, kept && styles.kept, broken && styles.broken)}>
            {kept ? <Check /> : broken ? <X /> : <Circle />}
            <span>
              {ruleText(key)}
              <span className="visually-hidden">{text(kept ? "password.kept" : "password.missing")}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function isAllowed(password: string): boolean {
  return checkedRules(password, passwordRules).every(({ key, kept }) => key !== "plain" || kept);
}

export function keepsRules(password: string): boolean {
  return checkedRules(password, passwordRules).every(({ kept }) => kept);
}

/** As the engine of the rules has them. */
const SPECIAL = "! @ # $ % ^ & * ( ) _ +";

function ruleText(key: PasswordRule["key"]): string {
  if (key === "length") return text("password.rule.length", { count: passwordRules.minimumLength });
  if (key === "special") return text("password.rule.special", { characters: SPECIAL });
  return text(`password.rule.${key}`);
}
