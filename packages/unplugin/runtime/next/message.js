export { message } from '#language'
