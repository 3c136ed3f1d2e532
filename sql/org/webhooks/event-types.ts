/** Types of events, which an endpoint can choose from. */
export const EVENT_TYPES = ['alert.triggered'] as const;
