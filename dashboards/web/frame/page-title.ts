import { createContext } from 'preact';

/** The title of the page with place and filters in words; empty outside of pages. */
export const PageTitle = createContext('');
