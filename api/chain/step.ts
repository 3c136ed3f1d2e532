import type { OperationKind } from '../operation/kinds.ts';
import type { Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import type { Code } from '../problem/codes.ts';
import type { FrameMiddleware, Middleware, OperationContext, RequestState } from './context.ts';

/** A step of the frame, which is the same around every request. */
export interface FrameStep {
  readonly name: string;
  /** Codes of the problems in which a request can end here. */
  readonly problems: readonly Code[];
  /** Called once, at start. */
  readonly open: (service: Service) => FrameMiddleware;
}

/** A step in the chain of an operation. */
export interface Step<
  Of extends Operation,
  Needs extends RequestState = RequestState,
  Adds extends object = NonNullable<unknown>,
> {
  readonly name: string;
  /** Codes of the problems in which a call of the operation can end here. */
  readonly problems: (operation: Of) => readonly Code[];
  /** Called once, at start; then its result once for each operation. Whatever the operation decides is decided there. */
  readonly open: (service: Service) => (operation: Of) => Middleware<Needs, Adds>;
}

/** A step as the chain keeps it: the types of its state are checked, and forgotten. */
interface Entry<Of extends Operation> {
  readonly name: string;
  /** Null = every operation of the chain. */
  readonly kind: string | null;
  readonly problems: (operation: Of) => readonly Code[];
  /** The result is null for an operation that does not need the step. */
  readonly open: (service: Service) => (operation: Of) => OperationMiddleware | null;
}

/** A middleware as the router takes it. */
export type OperationMiddleware = (
  context: OperationContext<RequestState>,
  next: () => Promise<unknown>,
) => Promise<void>;

/**
 * The steps around operations, outermost first. The types hold each step to what the steps before it have added to the
 * state of a request.
 */
export class Chain<Of extends Operation, State extends RequestState = RequestState> {
  readonly entries: readonly Entry<Of>[];

  constructor(entries: readonly Entry<Of>[] = []) {
    this.entries = entries;
  }

  /** Appends a step that every operation needs. */
  step<Adds extends object>(step: Step<Of, State, Adds>): Chain<Of, State & Adds> {
    return this.#with({ ...step, kind: null, open: (service) => compiled(step.open(service)) });
  }

  /** Appends a step for some operations; it adds nothing to the state, as the others do without it. */
  when<Narrow extends Of>(kind: OperationKind<Of, Narrow>, step: Step<Narrow, State>): Chain<Of, State> {
    return this.#with({
      name: step.name,
      kind: kind.name,
      problems: (operation) => (kind.includes(operation) ? step.problems(operation) : []),
      open(service) {
        const compile = compiled(step.open(service));
        return (operation) => (kind.includes(operation) ? compile(operation) : null);
      },
    });
  }

  /** Opens every step once. @returns a function that gives an operation the middleware it needs, and only that */
  open(service: Service): (operation: Of) => OperationMiddleware[] {
    const opened = this.entries.map((entry) => entry.open(service));
    return (operation) => opened.map((compile) => compile(operation)).filter((middleware) => middleware !== null);
  }

  /** Codes of the problems in which a call of the operation can end. */
  problems(operation: Of): Code[] {
    return this.entries.flatMap(({ problems }) => problems(operation));
  }

  #with<Next extends RequestState>(entry: Entry<Of>): Chain<Of, Next> {
    return new Chain<Of, Next>([...this.entries, entry]);
  }
}

const compiled =
  <Of extends Operation, Needs extends RequestState, Adds extends object>(
    compile: (operation: Of) => Middleware<Needs, Adds>,
  ) =>
  (operation: Of): OperationMiddleware => {
    const middleware = compile(operation);
    return (context, next) =>
      // The steps before this one have added what it needs: the chain could not have been built otherwise.
      middleware(context as OperationContext<Needs>, async (...[adds]) => {
        Object.assign(context.state, adds);
        await next();
      });
  };
