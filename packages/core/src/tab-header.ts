/** Header with which pages in development name their browser tab, for the request log. */
export const tabHeader = 'x-servicekit-tab'
