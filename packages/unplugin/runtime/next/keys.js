// The loader replaces this file by a list of the messages of another file.
export const $all = () => []
