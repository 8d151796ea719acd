/** Key of the project that every platform has, with the objects that all projects share. */
export const sharedProjectKey = 'servicekit-shared'
