import type { Operation } from '../../operation/operation.ts';
import { showMessage } from './message.ts';
import { listMessages } from './messages.ts';
import { showOverview } from './overview.ts';
import { replayMessage, replaySince } from './replay.ts';

/** The pages behind a link. They are for people and not part of the interface, so OpenAPI does not list them. */
export const PORTAL_PAGES: readonly Operation[] = [showOverview, listMessages, showMessage, replayMessage, replaySince];
