import { observedMessage as message, staticPack as pack } from './runtime.js'
import $0 from './languages$/en/mail.js'
import $1 from './languages$/de/mail.js'
import $2 from './languages$/fr/mail.js'

const entries = /* @__PURE__ */ pack({ "en": $0, "de": $1, "fr": $2 })

export const ACTIVATED_SUBJECT = /* @__PURE__ */ message(entries, 0)
export const ACTIVATED_TEXT = /* @__PURE__ */ message(entries, 1)
export const CHANGED_SUBJECT = /* @__PURE__ */ message(entries, 2)
export const CHANGED_TEXT = /* @__PURE__ */ message(entries, 3)
export const CODE_SUBJECT = /* @__PURE__ */ message(entries, 4)
export const CODE_TEXT = /* @__PURE__ */ message(entries, 5)
export const COPY_LINK = /* @__PURE__ */ message(entries, 6)
export const CREATED_BUTTON = /* @__PURE__ */ message(entries, 7)
export const CREATED_SUBJECT = /* @__PURE__ */ message(entries, 8)
export const CREATED_TEXT = /* @__PURE__ */ message(entries, 9)
export const INVITATION_BUTTON = /* @__PURE__ */ message(entries, 10)
export const INVITATION_SUBJECT = /* @__PURE__ */ message(entries, 11)
export const INVITATION_TEXT = /* @__PURE__ */ message(entries, 12)
export const NOT_EXPECTED = /* @__PURE__ */ message(entries, 13)
export const RESET_BUTTON = /* @__PURE__ */ message(entries, 14)
export const RESET_SUBJECT = /* @__PURE__ */ message(entries, 15)
export const RESET_TEXT = /* @__PURE__ */ message(entries, 16)
