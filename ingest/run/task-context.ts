import type { Progress } from './progress.ts';

/** The resources of work that takes long, and its ways to report and to be stopped. */
export interface TaskContext {
  /** Folder for temporary files; whoever starts the work removes it afterwards. */
  readonly folder: string;
  readonly memoryMb: number;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}
