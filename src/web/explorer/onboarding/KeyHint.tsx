// Where programs need an API key: what to do with it, and where this person gets one.
import { Link } from "wouter";
import { linkTo } from "../../lib/links.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Onboarding.module.css";

export function KeyHint() {
  const { mayWrite, isAdministrator } = useRights();
  if (!mayWrite) return <p className={styles.text}>{text("onboarding.key.viewer")}</p>;
  return (
    <p className={styles.text}>
      {text("onboarding.key.text")}{" "}
      <Link href={linkTo(isAdministrator ? "apiKeys" : "profile")} className={styles.link}>
        {text("onboarding.key.make")}
      </Link>
    </p>
  );
}
