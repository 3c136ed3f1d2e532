/** Types of events, which an endpoint can choose from. */
export const EVENT_TYPES = ['alert.triggered'] as const;

export type EventType = (typeof EVENT_TYPES)[number];
