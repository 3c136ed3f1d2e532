import { say } from '../format/language.ts';

/** An error of the interface (RFC 9457), as far as pages need it. */
export interface Problem {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  /** Id of the request, for questions to the operator. */
  readonly instance?: string;
  /** Address of the documentation of the code. */
  readonly type?: string;
  readonly retryable: boolean;
  /** Unix milliseconds from which a retry makes sense. */
  readonly retryAfter?: number;
  readonly errors?: readonly { readonly parameter?: string; readonly pointer?: string; readonly detail: string }[];
}

/** The interface has refused, or could not be reached. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail ?? problem.title}`);
    this.problem = problem;
  }
}

/** The service did not answer at all. */
export const UNREACHABLE: Problem = {
  status: 0,
  code: 'UNREACHABLE',
  title: say('Der Dienst ist nicht erreichbar', 'The service cannot be reached'),
  detail: say(
    'Es kam keine Antwort. Ist die Verbindung unterbrochen, oder wird der Dienst gerade neu gestartet?',
    'No answer came. Is the connection interrupted, or is the service being restarted?',
  ),
  retryable: true,
};

/** An error of the pages themselves: nothing that the interface said. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Refused) return error.problem;
  return {
    status: 0,
    code: 'UNEXPECTED',
    title: say('Das konnte nicht gezeigt werden', 'This could not be shown'),
    detail: error instanceof Error ? error.message : String(error),
    retryable: false,
  };
};

/** Reads the problem of an answer that is none of success; what comes from a proxy may not be a problem document. */
export async function readProblem(response: Response): Promise<Problem> {
  const { status } = response;
  const retryAfter = retryTime(response);
  try {
    const problem = (await response.json()) as Problem;
    if (typeof problem.code === 'string' && typeof problem.title === 'string')
      return { ...problem, status, ...retryAfter };
  } catch {
    // The text below says what is known.
  }
  return {
    status,
    code: `HTTP_${status}`,
    title: say(
      `Die Antwort hat den Status ${status} und keine Erklärung`,
      `The answer has the status ${status} and no explanation`,
    ),
    retryable: status === 429 || status >= 500,
    ...retryAfter,
  };
}

/** `Retry-After` counts seconds from now on, and so holds in a browser whose clock is wrong; a time of the service does not. */
function retryTime({ headers }: Response): Pick<Problem, 'retryAfter'> {
  const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10);
  return Number.isNaN(seconds) ? {} : { retryAfter: Date.now() + seconds * 1000 };
}
