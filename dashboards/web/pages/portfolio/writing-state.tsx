import { Waiting } from '../../frame/state.tsx';
import type { Writing } from './use-writer.ts';

/** Shows how far a write is. */
export const WritingState = ({ writing: { progress, waitingUntil } }: { writing: Writing }) => (
  <Waiting loaded={{ state: 'loading', previous: null, progress, waitingUntil }} height={0} />
);
