/** Address of the folder of the packs on a server, where it is that of the bundle. */
export const base = './'
