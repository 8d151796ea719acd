import { createGateway } from './generated/gateway.js'

export const gateway = createGateway({
  baseUrl: 'http://127.0.0.1:4600',
  projectKey: 'side-by-side',
})
