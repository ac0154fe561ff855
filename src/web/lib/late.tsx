// Parts of the pages whose script is loaded when it is needed. One that could not be loaded is asked for again the next time.
import {
  Component,
  type ComponentType,
  createElement,
  type JSX,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from "react";
import { checkConnection, onReconnect } from "./connection.ts";
import { forgetKeys, HoldKeys } from "./held-keys.ts";

/** The script did not come: the server is away, has another build, or the script itself fails. */
export class LoadFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "LoadFailure";
  }
}

let attempt = 0;

/** From now on, parts that could not be loaded are asked for again. */
export function retryFailedParts(): void {
  attempt += 1;
}

interface LatePart<Props extends object> {
  readonly Part: ComponentType<Props>;
  /** Begins to load it before it is drawn. */
  readonly preload: () => Promise<unknown>;
}

/** A part that is loaded already is drawn at once: React would show the Suspense fallback for at least 300 ms. */
export function late<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LatePart<Props> {
  let loaded: ComponentType<Props> | null = null;
  let failedIn: number | null = null;
  const loadOnce = async () => {
    const module = await load().catch((error: unknown) => {
      failedIn = attempt;
      throw new LoadFailure(error);
    });
    loaded = module.default;
    return module;
  };
  let later: ComponentType<Props> = lazy(loadOnce);
  const current = () => {
    // React keeps what has failed. Beginning again by itself, it would ask without end while the server is away.
    if (failedIn !== null && failedIn !== attempt) {
      failedIn = null;
      later = lazy(loadOnce);
    }
    return loaded ?? later;
  };
  const component = (props: Props): JSX.Element => {
    // The same one as long as the part is there: another would lose its state.
    const [Shown] = useState<ComponentType<Props>>(current);
    return createElement(Shown, props);
  };
  return { Part: component, preload: loadOnce };
}

interface LateProps {
  /** Stands in its place until it is there; also while its script cannot be had. */
  readonly fallback?: ReactNode;
  /** It answers to keys: those that are pressed before it is there are kept for it; `fields`: also what is typed into a field. */
  readonly keys?: "page" | "fields";
  readonly children: ReactNode;
}

/** Around a late part of a page. A script that cannot be had is asked for again when the server is back. */
export class Late extends Component<LateProps, { readonly failed: boolean }> {
  override state = { failed: false };
  private forget: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown): { readonly failed: boolean } {
    if (error instanceof LoadFailure) return { failed: true };
    throw error;
  }

  override componentDidMount(): void {
    this.forget = onReconnect(() => {
      retryFailedParts();
      this.setState({ failed: false });
    });
  }

  override componentDidCatch(): void {
    forgetKeys();
    void checkConnection();
  }

  override componentWillUnmount(): void {
    this.forget?.();
  }

  override render(): ReactNode {
    const { fallback = null, keys, children } = this.props;
    if (this.state.failed) return fallback;
    const waiting = (
      <>
        {keys !== undefined && <HoldKeys fields={keys === "fields"} />}
        {fallback}
      </>
    );
    return <Suspense fallback={waiting}>{children}</Suspense>;
  }
}
