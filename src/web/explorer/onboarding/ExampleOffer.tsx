// For those who look around first: a project with made-up traces, by one click.
import { FlaskConical } from "lucide-react";
import { useLocation } from "wouter";
import { Button } from "../../kit/Button.tsx";
import { Notice } from "../../kit/States.tsx";
import { linkToProject } from "../../lib/links.ts";
import { useChange } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { ensureExample } from "./example.ts";
import styles from "./Onboarding.module.css";

const changes = ["traces"] as const;

export function ExampleOffer() {
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const making = useChange(ensureExample, changes);
  if (!mayWrite) return null;
  return (
    <div className={styles.offer}>
      <p>{text("onboarding.example.text")}</p>
      <Button
        icon={<FlaskConical />}
        disabled={making.isPending}
        onClick={() => making.mutate(undefined, { onSuccess: (id) => navigate(linkToProject(id)) })}
      >
        {text(making.isPending ? "onboarding.example.making" : "onboarding.example.open")}
      </Button>
      {making.error && <Notice tone="error">{making.error.message}</Notice>}
    </div>
  );
}
