// The onboarding of a project without traces, whose script only newcomers load.
import { Late, late } from "../lib/late.tsx";

const { Part } = late(() => import("./onboarding/Onboarding.tsx"));

export function LateOnboarding() {
  return (
    <Late>
      <Part />
    </Late>
  );
}
