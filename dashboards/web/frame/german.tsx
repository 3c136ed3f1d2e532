import type { ComponentChildren } from 'preact';

/** What register or interface have in German alone: those who hear the page hear it as such. */
export const German = ({ children }: { children: ComponentChildren }) => <bdi lang="de">{children}</bdi>;
