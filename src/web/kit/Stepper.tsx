// The current step of a task of a few steps. It only shows: the buttons of the task lead on and back.
import { Check } from "lucide-react";
import { classes } from "./classes.ts";
import styles from "./Stepper.module.css";

interface StepperProps {
  readonly label: string;
  readonly steps: readonly string[];
  /** From 0. */
  readonly current: number;
}

export function Stepper({ label, steps, current }: StepperProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, at) => (
        <li
          key={step}
          className={classes(styles.step, at === current && styles.current)}
          {...(at === current ? { "aria-current": "step" as const } : {})}
        >
          <span className={styles.number}>{at < current ? <Check aria-hidden="true" /> : at + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  );
}
