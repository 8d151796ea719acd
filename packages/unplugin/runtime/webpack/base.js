/** Address of the folder of the packs. */
export const base = __webpack_public_path__ || './'
