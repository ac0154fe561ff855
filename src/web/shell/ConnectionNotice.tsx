// The line above every page while something is wrong with the connection.
import { Button } from "../kit/Button.tsx";
import { Notice } from "../kit/States.tsx";
import { useShownConnection } from "./connection-text.ts";

export function ConnectionNotice() {
  const { state, explanation, action } = useShownConnection();
  if (explanation === null) return null;
  return (
    <Notice tone={state === "away" ? "error" : "warn"} action={<Button onClick={action.run}>{action.label}</Button>}>
      {explanation}
    </Notice>
  );
}
