// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="../../.servicekit/types/index.d.ts" />
/// <reference types="svelte" />
/// <reference types="vite/client" />
